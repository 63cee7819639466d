package listing_test

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// link is the address of a page's link of this relation: canonical or next.
func link(page, rel string) string {
	tag := regexp.MustCompile(`<[^>]* rel="` + rel + `"[^>]*>`).FindString(page)
	address := regexp.MustCompile(`href="([^"]*)"`).FindStringSubmatch(tag)
	if address == nil {
		return ""
	}
	return html.UnescapeString(address[1])
}

func TestListings(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "Gophers")
	ann.MustPost("/communities", "name", "best")
	var ids []string
	for i := range 30 {
		ids = append(ids, workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", fmt.Sprintf("Post %02d", i),
			"text", "text")))[0])
	}
	ann.MustPost("/submit", "community", "best", "title", "Elsewhere", "text", "text")
	ben := s.Member("ben")
	for _, vote := range []struct {
		target int
		value  string
	}{{3, "1"}, {7, "-1"}, {8, "-1"}} {
		ben.MustPost("/vote", "target", ids[vote.target], "value", vote.value)
	}
	ben.MustPost("/comment", "post", ids[11], "body", "a comment")
	s.Deliver()
	visitor := s.Visitor()

	t.Run("every order shows what it is for, with its tabs and canonical address", func(t *testing.T) {
		for path, want := range map[string]struct {
			first     []string
			canonical string
		}{
			"/c/gophers/top":                    {[]string{ids[3], ids[29]}, "/c/Gophers/top?t=day"},
			"/c/gophers/top?t=all":              {[]string{ids[3], ids[29]}, "/c/Gophers/top?t=all"},
			"/c/gophers/controversial?t=week":   {[]string{ids[8], ids[7]}, "/c/Gophers/controversial?t=week"},
			"/c/gophers/comments?t=hour":        {[]string{ids[11]}, "/c/Gophers/comments?t=hour"},
			"/c/gophers/rising":                 {[]string{ids[3]}, "/c/Gophers/rising"},
			"/c/gophers/new":                    {[]string{ids[29], ids[28]}, "/c/Gophers/new"},
			"/c/gophers/hot":                    {[]string{ids[3]}, "/c/Gophers"},
			"/controversial":                    {[]string{ids[8], ids[7]}, "/controversial?t=day"},
			"/comments":                         {[]string{ids[11]}, "/comments?t=day"},
			"/top?t=year":                       {[]string{ids[3]}, "/top?t=year"},
			"/rising":                           {[]string{ids[3]}, "/rising"},
			"/hot":                              {[]string{ids[3]}, "/"},
			"/c/best/top?t=month&utm_source=me": {nil, "/c/best/top?t=month"},
			"/c/best":                           {nil, "/c/best"},
		} {
			page := visitor.Page(path)
			for i, id := range want.first {
				require.Equal(t, id, workertest.Targets(page)[i], "%s: place %d", path, i)
			}
			require.Equal(t, "https://plaza.example"+want.canonical, link(page, "canonical"), path)
			require.Contains(t, page, "Most commented")
		}
		require.Len(t, workertest.Targets(visitor.Page("/c/gophers/controversial")), 2)
		require.Len(t, workertest.Targets(visitor.Page("/c/gophers/comments")), 1)
		require.Contains(t, visitor.Page("/c/gophers/top?t=week"), `href="/c/gophers/top?t=all"`)
		require.NotContains(t, visitor.Page("/c/gophers/new"), `?t=`)
		require.Contains(t, ann.Page("/top"), ">Yours<")
	})

	t.Run("pages lead through a window and keep it", func(t *testing.T) {
		page := visitor.Page("/c/gophers/top?t=week")
		next := link(page, "next")
		require.Contains(t, next, "/c/gophers/top?t=week&after=t")
		require.ElementsMatch(t, ids, append(workertest.Targets(page), workertest.Targets(visitor.Page(next))...))
		require.Empty(t, link(visitor.Page(next), "next"))
	})

	t.Run("a time that is none is refused to programs, and a cursor of another order to all", func(t *testing.T) {
		for _, path := range []string{"/top.json?t=decade", "/c/gophers/controversial.json?t=Week", "/comments.json?t=1"} {
			res := visitor.Get(path)
			require.Equal(t, http.StatusBadRequest, res.Code, path)
			require.Contains(t, res.Body.String(), "hour, day, week, month, year or all", path)
		}
		next := link(visitor.Page("/c/gophers/new"), "next")
		require.Equal(t, http.StatusBadRequest, visitor.Get("/c/gophers/top?after="+next[len(next)-27:]).Code)
	})

	t.Run("time passes", func(t *testing.T) {
		s.Now = s.Now.Add(61 * time.Minute)
		require.Contains(t, visitor.Page("/top?t=hour"), "No posts in this time.", "before the job has run")
		require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
		s.Now = s.Now.Add(time.Minute)
		require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
		require.Equal(t, int64(31), s.One("SELECT count(*) FROM posts WHERE age = 1"))
		require.Contains(t, visitor.Page("/top?t=hour"), "No posts in this time.")
		require.Equal(t, ids[3], workertest.Targets(visitor.Page("/top?t=day"))[0])
		require.Contains(t, visitor.Page("/tag/nothing/top?t=all"), "No posts yet.")
	})
}

func TestListingsWithoutRedis(t *testing.T) {
	stacktest.NeedRedis(t)
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	for _, title := range []string{"one", "two", "three"} {
		ann.MustPost("/submit", "community", "gophers", "title", title, "text", "x")
	}
	s.Deliver()
	check := func(t *testing.T) {
		t.Helper()
		for _, path := range []string{"/", "/c/gophers"} {
			page := ann.Page(path)
			require.Less(t, strings.Index(page, "/p/three"), strings.Index(page, "/p/two"))
			require.Less(t, strings.Index(page, "/p/two"), strings.Index(page, "/p/one"))
		}
	}
	t.Run("before the set exists, and it is asked for", func(t *testing.T) {
		check(t)
		s.Deliver()
		reply, err := s.Redis.Do(context.Background(), upstash.Cmd{"ZCARD", "hot:c:gophers"})
		require.NoError(t, err)
		n, _ := reply.Int()
		require.Equal(t, int64(4), n, "three posts and the mark that the set is whole")
	})
	t.Run("from the set", check)
	t.Run("after a flush", func(t *testing.T) {
		_, err := s.Redis.Do(context.Background(), upstash.Cmd{"FLUSHALL"})
		require.NoError(t, err)
		check(t)
	})
	t.Run("with no Redis at all", func(t *testing.T) {
		dead := workertest.OpenSite(t, s.Sql, upstash.New(upstash.Options{URL: "http://127.0.0.1:1", Token: "x"}), 1)
		page := dead.Visitor().Page("/c/gophers")
		require.Contains(t, page, "/p/three")
		dead.Visitor().MustPost("/login", "login", "ann", "password", "correct horse")
	})
}
