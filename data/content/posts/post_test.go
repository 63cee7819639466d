package posts_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestCreatePost(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")

	t.Run("gives equal titles of a community different slugs", func(t *testing.T) {
		seen := map[string]bool{}
		for range 4 {
			p := s.Post(ann, "Gophers", "Same title, twice")
			require.Regexp(t, `^same-title-twice(-\d{3})?$`, p.Slug)
			require.False(t, seen[p.Slug])
			seen[p.Slug] = true
		}
	})

	t.Run("is found by its address with its text", func(t *testing.T) {
		created := s.Post(ann, "gophers", "By address")
		r := s.DB.Read()
		p := s.Posts.FindBySlug(r, "GOPHERS", created.Slug, ann.UserID)
		require.NoError(t, r.Run(storetest.Ctx))
		require.Equal(t, created.ID, p.ID)
		require.Equal(t, "<p>text</p>", p.TextHTML)
		require.Equal(t, 1, p.MyVote)
		require.Equal(t, int64(1), p.Ups)
		require.Equal(t, "gophers", p.Community)
	})

	for name, test := range map[string]struct {
		post  posts.Create
		field string
		code  data.Code
	}{
		"a title is missing":       {posts.Create{Community: "gophers", Title: " \n", Text: "x"}, "title", data.Invalid},
		"a title is too long":      {posts.Create{Community: "gophers", Title: strings.Repeat("ä", 301), Text: "x"}, "title", data.Invalid},
		"there is nothing to see":  {posts.Create{Community: "gophers", Title: "x", Text: " "}, "text", data.Invalid},
		"a link is no web address": {posts.Create{Community: "gophers", Title: "x", Link: "javascript:alert(1)"}, "link", data.Invalid},
		"a link has no host":       {posts.Create{Community: "gophers", Title: "x", Link: "https:///x"}, "link", data.Invalid},
		"an image has credentials": {posts.Create{Community: "gophers", Title: "x", Image: "https://a:b@example.org/x.png"}, "image",
			data.Invalid},
		"the community is not there": {posts.Create{Community: "nowhere", Title: "x", Text: "x"}, "community", data.NotFound},
	} {
		t.Run("refuses when "+name, func(t *testing.T) {
			before := s.One("SELECT count(*) FROM posts")
			_, err := s.Posts.Create(storetest.Ctx, ann, test.post)
			var e *data.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, test.code, e.Code)
			require.Equal(t, test.field, e.Field)
			require.Equal(t, before, s.One("SELECT count(*) FROM posts"))
		})
	}
}

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Go 1.1 is out!":               "go-1-1-is-out",
		"Don't panic":                  "dont-panic",
		"  Ärger & Über--Größe  ":      "arger-uber-grosse",
		"日本語の投稿":                       "ri-ben-yu-notou-gao",
		"😀😀":                           "post",
		"":                             "post",
		"---":                          "post",
		strings.Repeat("a", 300):       strings.Repeat("a", 64),
		strings.Repeat("abcdefg ", 20): strings.TrimSuffix(strings.Repeat("abcdefg-", 8), "-"),
	} {
		require.Equal(t, want, posts.Slug(title), "%q", title)
	}
}

func TestListing(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "one")
	s.Community(ann, "two")
	want := map[string][]string{}
	for i := range 60 {
		name := []string{"one", "two"}[i%2]
		p := s.Post(ann, name, fmt.Sprintf("post %02d", i))
		want[name] = append([]string{p.Slug}, want[name]...)
		want[""] = append([]string{p.Slug}, want[""]...)
	}
	s.ApplyAll()
	walk := func(t *testing.T, q listings.Query) (slugs []string) {
		t.Helper()
		for range 20 {
			r := s.DB.Read()
			l := s.Listings.Find(r, q)
			require.NoError(t, r.Run(storetest.Ctx))
			s.Confirm(l)
			for _, p := range l.Items() {
				slugs = append(slugs, p.Slug)
			}
			next := l.Next()
			if next.IsZero() {
				return slugs
			}
			var err error
			q.After, err = data.ParseCursor(byte(q.Order), next.String())
			require.NoError(t, err)
		}
		t.Fatal("the pages don't end")
		return nil
	}
	for _, whole := range []bool{false, true} {
		for _, scope := range []string{"", "one", "two"} {
			if whole && s.Redis != nil {
				require.NoError(t, s.Hot.Rebuild(storetest.Ctx, scope))
				page, err := s.Hot.Page(storetest.Ctx, scope, 26)
				require.NoError(t, err)
				require.True(t, page.OK)
			}
			for _, order := range []data.Order{data.OrderHot, data.OrderNew} {
				for _, viewer := range []data.ID{0, ann.UserID} {
					name := fmt.Sprintf("every post once in order %c of %q, set whole: %v, viewer %d", order, scope, whole, viewer)
					t.Run(name, func(t *testing.T) {
						for range 2 { // the second time with ids that the set has confirmed
							require.Equal(t, want[scope], walk(t, listings.Query{Community: scope, Order: order, Limit: 7, Viewer: viewer}))
						}
					})
				}
			}
		}
	}

	t.Run("goes on in the database where the set ends at its cap", func(t *testing.T) {
		stacktest.NeedRedis(t)
		s.Hot.Cap = 10
		for _, scope := range []string{"one"} {
			_, err := s.Redis.Do(storetest.Ctx, storetest.Cmd("DEL", "hot:c:"+scope))
			require.NoError(t, err)
			require.NoError(t, s.Hot.Rebuild(storetest.Ctx, scope))
		}
		require.Equal(t, want["one"], walk(t, listings.Query{Community: "one", Order: data.OrderHot, Limit: 7}))
		s.Hot.Cap = 100
	})

	t.Run("is right when posts fall below others that a full set has dropped", func(t *testing.T) {
		stacktest.NeedRedis(t)
		s.Hot.Cap = 12
		defer func() { s.Hot.Cap = 100 }()
		_, err := s.Redis.Do(storetest.Ctx, storetest.Cmd("DEL", "hot:c:one"))
		require.NoError(t, err)
		require.NoError(t, s.Hot.Rebuild(storetest.Ctx, "one"))
		q := listings.Query{Community: "one", Order: data.OrderHot, Limit: 3}
		r := s.DB.Read()
		top := s.Listings.Find(r, q)
		require.NoError(t, r.Run(storetest.Ctx))
		var changes []hot.Change
		for _, p := range top.Items() {
			s.Exec("UPDATE posts SET hot = hot - 1000 WHERE id = ?1", int64(p.ID))
			changes = append(changes, hot.Change{ID: p.ID, Community: "one", Hot: p.Hot - 1000, Listed: true})
		}
		require.NoError(t, s.Hot.Apply(storetest.Ctx, time.Now(), changes))
		require.Equal(t, append(append([]string{}, want["one"][3:]...), want["one"][:3]...), walk(t, q))
		for _, c := range changes {
			s.Exec("UPDATE posts SET hot = ?2 WHERE id = ?1", int64(c.ID), c.Hot+1000)
		}
	})

	t.Run("is right after Redis was flushed and one vote came", func(t *testing.T) {
		stacktest.NeedRedis(t)
		_, err := s.Redis.Do(storetest.Ctx, storetest.Cmd("FLUSHALL"))
		require.NoError(t, err)
		ben := s.Member("ben")
		p := s.Post(ann, "one", "voted on")
		s.Vote(ben, p.ID, 1)
		s.ApplyAll()
		got := walk(t, listings.Query{Community: "one", Order: data.OrderHot, Limit: 50})
		require.Equal(t, append([]string{"voted-on"}, want["one"]...), got)
	})
}

func TestCachedListing(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	for range 20 {
		s.Post(ann, "gophers", "older")
	}
	p := s.Post(ann, "gophers", "one")
	s.ApplyAll()
	see := func(viewer data.ID) (*posts.Post, int64) {
		t.Helper()
		counted, meter := s.Metered()
		r := s.DB.Read()
		l := s.Listings.Find(r, listings.Query{Community: "gophers", Order: data.OrderNew, Limit: 25, Viewer: viewer})
		require.NoError(t, r.Run(counted))
		require.NotEmpty(t, l.Items())
		return l.Items()[0], meter.RowsRead()
	}
	t.Run("is read once for all, with each one's own votes", func(t *testing.T) {
		got, cold := see(ann.UserID)
		require.Equal(t, []any{int64(1), 1}, []any{got.Ups, got.MyVote})
		got, cached := see(ben.UserID)
		require.Equal(t, []any{int64(1), 0}, []any{got.Ups, got.MyVote})
		require.LessOrEqual(t, cached, cold)
	})
	t.Run("counts an own vote once, before the delta run and after it", func(t *testing.T) {
		s.Vote(ben, p.ID, 1)
		got, _ := see(ben.UserID)
		require.Equal(t, []any{int64(2), 1}, []any{got.Ups, got.MyVote})
		s.ApplyAll()
		got, _ = see(ben.UserID)
		require.Equal(t, []any{int64(2), 1}, []any{got.Ups, got.MyVote})
		got, _ = see(s.Member("cid").UserID)
		require.Equal(t, int64(1), got.Ups, "others see it when the listing is read again")
		*s.Clock = s.Clock.Add(data.ListingLife)
		got, _ = see(ann.UserID)
		require.Equal(t, int64(2), got.Ups)
	})
	t.Run("shows a new post at once", func(t *testing.T) {
		created := s.Post(ben, "gophers", "two")
		got, _ := see(ann.UserID)
		require.Equal(t, created.ID, got.ID)
	})
}
