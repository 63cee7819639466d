package tags_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/content/tags"
	"plaza/data/lists/listings"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestAnyHistory compares lists of posts by tags with the posts themselves, after random changes of posts.
func TestAnyHistory(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "one")
	s.CommunityOn(1, ann, "two")
	store := &tags.Store{Base: s.Posts.Base}
	names := []string{"art", "bees", "cats", "dogs", "eggs", "fish", "größe"}
	rng := rand.New(rand.NewPCG(7, 7))
	some := func(most int) string {
		list := slices.Clone(names)
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:rng.IntN(most+1)]
		slices.Sort(list)
		return strings.Join(list, " ")
	}
	var ids []data.ID
	for i := range 25 {
		p, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: []string{"one", "two"}[i%2], Title: fmt.Sprint("Post ", i),
			Text: "x", Tags: some(5), Status: posts.Status(rng.IntN(2))})
		require.NoError(t, err)
		ids = append(ids, p.ID)
	}
	for range 120 {
		id := ids[rng.IntN(len(ids))]
		now := sourceOf(s, id)
		switch rng.IntN(8) {
		case 0, 1, 2:
			_, _ = s.Posts.Edit(storetest.Ctx, ann, posts.Edit{ID: id, Text: "y", Tags: new(some(5)), Revision: now.Revision})
		case 3:
			_, _ = s.Posts.EditDraft(storetest.Ctx, ann, posts.EditDraft{ID: id, Revision: now.Revision,
				Create: posts.Create{Community: "x", Title: "Later", Text: "x", Tags: some(5), Status: posts.Status(rng.IntN(2))}})
		case 4:
			s.ExecAt(id, "UPDATE posts SET ups = ?2, score = ?2, hot = ?3, controversy = ?2 / 2.0, comments = ?2 / 3, comments_step = ?2 / 3, views = ?2, age = ?4 "+
				"WHERE id = ?1", int64(id), rng.IntN(9), rng.Float64(), rng.IntN(6))
		case 5:
			s.ExecAt(id, "UPDATE posts SET status = 'removed' WHERE id = ?1 AND status = 'published'", int64(id))
		case 6:
			s.ExecAt(id, "UPDATE posts SET status = 'published' WHERE id = ?1 AND status = 'removed'", int64(id))
		case 7:
			if rng.IntN(6) == 0 {
				_, _ = s.Posts.Delete(storetest.Ctx, ann, id)
			}
		}
	}

	all := map[data.ID]*posts.Post{}
	for _, id := range ids {
		if p := s.Find(id, 0); p.Status == "published" {
			all[id] = p
		}
	}
	require.NotEmpty(t, all)
	var asked []string
	for i := range names {
		asked = append(asked, names[i])
		for j := range i {
			asked = append(asked, names[j]+" "+names[i])
			for k := range j {
				asked = append(asked, names[k]+" "+names[j]+" "+names[i])
			}
		}
	}
	orders := []data.Order{data.OrderHot, data.OrderNew, data.OrderActive, data.OrderTop, data.OrderControversial, data.OrderComments,
		data.OrderViews}
	columns := []string{"hot", "created_at", "active", "score", "controversy", "comments_step", "views"}
	for _, of := range asked {
		for i, order := range orders {
			column := columns[i]
			if strings.Contains(of, " ") && rng.IntN(4) > 0 { // only some of the combinations
				continue
			}
			var want []data.ID
			value := map[data.ID]float64{}
			for id, p := range all {
				has := true
				for _, name := range strings.Fields(of) {
					has = has && slices.Contains(p.Tags, name)
				}
				if value[id] = number(s.One("SELECT "+column+" FROM posts WHERE id = ?1", int64(id))); has &&
					(value[id] > 0 || order != data.OrderControversial && order != data.OrderComments && order != data.OrderViews) {
					want = append(want, id)
				}
			}
			slices.SortFunc(want, func(a, b data.ID) int { return cmp.Or(cmp.Compare(value[b], value[a]), cmp.Compare(b, a)) })
			var got []data.ID
			for after := (data.Cursor{}); ; { // in small pages
				page, found := s.List(listings.Query{Tags: of, Order: order, Limit: 4, After: after})
				got = append(got, found...)
				if after = page.Next(); after.IsZero() {
					break
				}
			}
			require.Equal(t, want, got, "%s, %s", of, column)
		}
	}

	// The number of posts of each tag, alphabetically and by recent use.
	count := map[string]int64{}
	for _, p := range all {
		for _, name := range p.Tags {
			count[name]++
		}
	}
	r := s.DB.Read()
	most, g, none := store.FindTrending(r, 50), store.FindByPrefix(r, "gr", 10), store.FindByPrefix(r, "x", 10)
	require.NoError(t, r.Run(storetest.Ctx))
	require.Empty(t, none.Items())
	require.Len(t, most.Items(), len(count))
	for _, tag := range most.Items() {
		require.Equal(t, count[tag.Name], tag.Posts, tag.Name)
	}
	if n := count["größe"]; n > 0 {
		require.Equal(t, "größe", g.Items()[0].Name)
		require.Equal(t, n, g.Items()[0].Posts)
	}
}

// sourceOf reads a post's source.
func sourceOf(s *storetest.Stores, id data.ID) *posts.Source {
	s.Helper()
	r := s.DB.Read()
	p := s.Posts.FindSource(r, id)
	require.NoError(s, r.Run(storetest.Ctx))
	return p
}

func number(v any) float64 {
	if n, ok := v.(int64); ok {
		return float64(n)
	}
	return v.(float64)
}

// TestOrphanTagRow approves a post whose tag has an orphaned row of it.
func TestOrphanTagRow(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	p, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: "A post", Text: "x", Tags: "go"})
	require.NoError(t, err)
	s.Exec("UPDATE posts SET status = 'removed' WHERE id = ?1", int64(p.ID))
	s.Exec("INSERT INTO post_tags (key_id, created_at, post_id) SELECT k.id, p.created_at, p.id FROM tag_keys k, posts p WHERE k.name = 'go'")
	s.Exec("UPDATE posts SET status = 'published' WHERE id = ?1", int64(p.ID))
	require.Equal(t, int64(1), s.One("SELECT count(*) FROM post_tags"))
}
