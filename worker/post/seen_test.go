package post_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

// listed are the titles of a list of posts, those that are marked as seen with a star.
func listed(page string) (titles []string) {
	for _, m := range regexp.MustCompile(`<article class="post( seen)?" id="[^"]*" [^>]*><div><h2 [^>]*><a [^>]*>([^<]*)</a>`).FindAllStringSubmatch(page, -1) {
		if m[1] != "" {
			m[2] += "*"
		}
		titles = append(titles, m[2])
	}
	return titles
}

func TestSeen(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ben.Jar = map[string]string{}
	ann.MustPost("/communities", "name", "gophers")
	ben.MustPost("/subscribe", "community", "gophers", "on", "1")
	ben.MustPost("/follow", "user", "ann", "on", "1")
	addresses := map[string]string{}
	for i := range 5 {
		title := fmt.Sprint("post ", i)
		addresses[title] = ann.MustPost("/submit", "community", "gophers", "title", title, "text", "text", "link",
			fmt.Sprint("https://example.com/", i))
	}
	ben.MustPost("/submit", "community", "gophers", "title", "my own", "text", "text")
	for range 3 {
		s.Deliver()
	}
	lists := []string{"/", "/yours/new", "/new", "/hot", "/top", "/c/gophers", "/c/gophers/new", "/c/gophers/rising", "/home"}
	all := []string{"my own", "post 0", "post 1", "post 2", "post 3", "post 4"}
	shows := func(b *workertest.Browser, titles ...string) {
		t.Helper()
		for _, list := range lists {
			require.ElementsMatch(t, titles, listed(b.Page(list)), list)
		}
	}

	t.Run("what a member has opened is marked at once, in every list", func(t *testing.T) {
		shows(ben, all...)
		ben.Page(addresses["post 1"])
		shows(ben, "my own", "post 0", "post 1*", "post 2", "post 3", "post 4")
		require.Contains(t, ben.Page("/new"), `class="post seen"`)
	})
	t.Run("also when they have followed its link alone", func(t *testing.T) {
		id := workertest.Targets(ann.Page(addresses["post 3"]))[0]
		require.Equal(t, http.StatusNoContent, ben.Post("/seen", "target", id).Code)
		shows(ben, "my own", "post 0", "post 1*", "post 2", "post 3*", "post 4")
		s.Now = s.Now.Add(time.Hour)
		ann.MustPost("/comment", "post", id, "body", "Later")
		s.Now = s.Now.Add(time.Hour)
		require.NotContains(t, ben.Page(addresses["post 3"]), "since your last visit", "they had not opened the thread")
		ann.MustPost("/comment", "post", id, "body", "Later still")
		s.Now = s.Now.Add(time.Hour)
		require.Contains(t, ben.Page(addresses["post 3"]), `>1 new</a>`)
	})
	t.Run("nobody else sees it, nor are others' things marked", func(t *testing.T) {
		require.NotContains(t, s.Visitor().Page("/new"), `class="post seen"`)
		require.NotContains(t, strings.Join(listed(ann.Page("/new")), " "), "*", "ann has opened posts of her own alone")
		require.Equal(t, http.StatusNoContent, ben.Post("/seen", "target", "0000000000004").Code)
		require.Equal(t, http.StatusUnprocessableEntity, ben.Post("/seen", "target", "x").Code)
	})
	t.Run("the choice to leave them out holds over all lists, and on other devices", func(t *testing.T) {
		require.Equal(t, "/new", ben.MustPost("/seen", "hide", "1", "return", "/new"))
		shows(ben, "my own", "post 0", "post 2", "post 4")
		other := s.Visitor()
		other.Jar = map[string]string{}
		other.MustPost("/login", "login", "ben", "password", "correct horse")
		shows(other, "my own", "post 0", "post 2", "post 4")
		ben.Page(addresses["post 0"])
		shows(ben, "my own", "post 2", "post 4")
		require.Contains(t, ben.Page("/new"), "Show what you have seen")
		require.Equal(t, []string{"post 4", "post 3*", "post 2", "post 1*", "post 0*"}, listed(ben.Page("/u/ann")),
			"who asks for all that somebody posts gets it")
		require.Contains(t, ben.Page("/settings"), `<option value="hide" selected>Hide in lists</option>`)
	})
	t.Run("in one request, pages full and each post once", func(t *testing.T) {
		s.Exec(`INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, hot, created_at)
SELECT p.id + (value << 22), p.community_id, p.community_name, p.author_id, p.author_name, 'n' || value, 'text', 'n' || value,
  p.hot + value, p.created_at + value
FROM posts p CROSS JOIN generate_series(1, 100) WHERE p.title = 'post 4'`)
		s.Exec(`INSERT INTO visits (user_id, post_id, seen_at) SELECT ?1, p.id, p.created_at FROM posts p WHERE p.slug LIKE 'n%'
  AND substr(p.slug, 2) % 10 > 4`,
			s.One("SELECT id FROM users WHERE username = 'ben'"))
		s.Now = s.Now.Add(time.Minute)
		for _, list := range []string{"/c/gophers/new", "/yours/hot", "/yours/new", "/hot"} {
			var walked []string
			for address := list; address != ""; {
				ctx, meter := hrana.WithMeter(context.Background())
				page := ben.Send(ben.Request(address).WithContext(ctx)).Body.String()
				require.LessOrEqual(t, meter.Requests(), s.MaxPageRequests(), address)
				walked = append(walked, listed(page)...)
				require.NotContains(t, page, `class="post seen"`)
				m := regexp.MustCompile(`rel="next" href="([^"]*)"`).FindStringSubmatch(page)
				if address = ""; m != nil {
					require.Len(t, listed(page), 25)
					address = strings.ReplaceAll(m[1], "&amp;", "&")
				}
			}
			require.Len(t, walked, 53, list)
		}
	})
	t.Run("what they have seen ends a page early, with a link to the next one", func(t *testing.T) {
		s.Exec(`INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, hot, created_at)
SELECT p.id + (value << 22), p.community_id, p.community_name, p.author_id, p.author_name, 'm' || value, 'text', 'm' || value,
  p.hot + value, p.created_at + value
FROM posts p CROSS JOIN generate_series(1, 300) WHERE p.title = 'n100'`)
		s.Exec(`INSERT INTO visits (user_id, post_id, seen_at) SELECT ?1, p.id, p.created_at FROM posts p WHERE p.slug LIKE 'm%'`,
			s.One("SELECT id FROM users WHERE username = 'ben'"))
		s.Now = s.Now.Add(time.Minute)
		for _, list := range []string{"/", "/c/gophers/new", "/yours/new", "/hot"} {
			page := ben.Page(list)
			require.Contains(t, page, "Nothing left on this page. There is more on the next one.", list)
			require.Empty(t, listed(page))
			var walked []string
			for m := regexp.MustCompile(`rel="next" href="([^"]*)"`); m.MatchString(page); walked = append(walked, listed(page)...) {
				page = ben.Page(strings.ReplaceAll(m.FindStringSubmatch(page)[1], "&amp;", "&"))
			}
			require.Len(t, walked, 53, list)
		}
	})
	t.Run("and ends as it began", func(t *testing.T) {
		require.Equal(t, http.StatusUnprocessableEntity, ben.Post("/seen", "hide", "x").Code)
		ben.MustPost("/seen", "hide", "0")
		require.Contains(t, listed(ben.Page("/c/gophers/new?after=")), "m299*")
		require.Equal(t, "", s.One("SELECT choices FROM users WHERE username = 'ben'"))
	})
}
