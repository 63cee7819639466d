package listing_test

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

// sorted are the ids of rows of an id and a value, by falling value and id.
func sorted(rows [][]any) (ids []data.ID) {
	slices.SortFunc(rows, func(a, b []any) int {
		return cmp.Or(cmp.Compare(number(b[1]), number(a[1])), cmp.Compare(b[0].(int64), a[0].(int64)))
	})
	for _, row := range rows {
		ids = append(ids, data.ID(row[0].(int64)))
	}
	return ids
}

func number(v any) float64 {
	if n, ok := v.(int64); ok {
		return float64(n)
	}
	return v.(float64)
}

func TestProfileOrders(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	for _, name := range []string{"gophers", "gardens", "guitars"} { // by chance on several shards
		ann.MustPost("/communities", "name", name)
		for range 10 {
			page := ann.Page(ann.MustPost("/submit", "community", name, "title", "A post", "text", "x"))
			ann.MustPost("/comment", "post", workertest.Targets(page)[0], "body", "A comment")
		}
	}
	s.Deliver()
	// By their places: of ids, how many have the same remainder would depend on what the clock was at.
	s.Exec("UPDATE posts SET score = (SELECT count(*) FROM posts p WHERE p.id < posts.id) % 7")
	const before = "(SELECT count(*) FROM comments c WHERE c.id < comments.id)"
	s.Exec("UPDATE comments SET score = " + before + " % 5, controversy = " + before + " % 3")
	deleted := workertest.Targets(ann.Page("/u/ann?sort=new"))[3]
	ann.MustPost("/delete", "target", deleted)

	next := regexp.MustCompile(`rel="next" href="([^"]*)"`)
	// whole walks a list by its pages and returns all ids.
	whole := func(b *workertest.Browser, address string) (ids []string) {
		for address != "" {
			page := b.Page(address)
			ids = append(ids, workertest.Targets(page)...)
			address = ""
			if m := next.FindStringSubmatch(page); m != nil {
				address = strings.ReplaceAll(m[1], "&amp;", "&")
			}
		}
		return ids
	}
	const comments = " FROM comments WHERE status = 'published' AND author_name = 'ann'"
	for address, sql := range map[string]string{
		"/u/ann?sort=new":                    "SELECT id, created_at v FROM posts WHERE status = 'published' AND author_name = 'ann'",
		"/u/ann?sort=top":                    "SELECT id, score v FROM posts WHERE status = 'published' AND author_name = 'ann'",
		"/u/ann/comments":                    "SELECT id, 0 v" + comments,
		"/u/ann/comments?sort=top":           "SELECT id, score v" + comments,
		"/u/ann/comments?sort=controversial": "SELECT id, controversy v" + comments + " AND controversy > 0",
	} {
		t.Run(address, func(t *testing.T) {
			var want []string
			for _, id := range sorted(s.Sql.RowsOfAll(sql)) {
				want = append(want, id.Text())
			}
			require.Greater(t, len(want), 15)
			for _, b := range []*workertest.Browser{s.Visitor(), ben, ann} {
				require.Equal(t, want, whole(b, address))
			}
		})
	}
}

// A profile begins with the newest posts and comments together, at most a page of them, for everybody in the same order.
func TestProfileOverview(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	for _, name := range []string{"gophers", "gardens"} { // by chance on several shards
		ann.MustPost("/communities", "name", name)
	}
	var want []string
	say := func(n int) {
		s.Now = s.Now.Add(time.Minute)
		page := ann.Page(ann.MustPost("/submit", "community", []string{"gophers", "gardens"}[n%2], "title", "A post", "text", "x"))
		post := workertest.Targets(page)[0]
		want = append([]string{post}, want...)
		if n%3 == 0 {
			s.Now = s.Now.Add(time.Minute)
			comment := ann.MustPost("/comment", "post", post, "body", "A comment")
			want = append([]string{comment[strings.Index(comment, "#c-")+len("#c-"):]}, want...)
		}
	}
	const more = `<a href="/u/ann?sort=new">Posts</a><a href="/u/ann/comments">Comments</a></nav>`
	for n := range 9 {
		say(n)
	}
	for _, b := range []*workertest.Browser{s.Visitor(), ben, ann} {
		require.Equal(t, want, workertest.Targets(b.Page("/u/ann")))
		require.NotContains(t, b.Page("/u/ann"), more, "that is all")
	}
	for n := range 16 {
		say(n)
	}
	s.Now = s.Now.Add(time.Minute)
	for _, b := range []*workertest.Browser{s.Visitor(), ben, ann} {
		require.Equal(t, want[:25], workertest.Targets(b.Page("/u/ann")))
		require.Contains(t, b.Page("/u/ann"), more)
		require.Len(t, workertest.Targets(b.Page("/u/ann?sort=new")), 25, "posts alone, of which there are 25")
	}
	require.Contains(t, s.Visitor().Page("/u/ben"), "ben has not posted anything yet.")
}
