package worker_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/people"
)

func TestChoices(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/submit", "community", "gophers", "title", "Older", "text", "x")
	address := ann.mustPost("/submit", "community", "gophers", "title", "Newer", "text", "secret words", "nsfw", "1")
	older := targets(ann.page("/c/gophers/p/older"))[0]
	for _, body := range []string{"first answer", "second answer"} {
		ann.mustPost("/comment", "post", older, "body", body)
	}
	s.exec("UPDATE posts SET hot = 90000, score = 50, ups = 50 WHERE slug = 'older'")
	s.exec("UPDATE comments SET best = 0.9 WHERE body = 'first answer'")
	require.Equal(t, "/c/gophers/p/newer", address)
	first := func(page, one, other string) bool { return strings.Index(page, one) < strings.Index(page, other) }

	t.Run("begin with the usual", func(t *testing.T) {
		page := ben.page("/c/gophers")
		require.True(t, first(page, "Older", "Newer"))
		require.Contains(t, page, `<html lang="en" data-theme="auto">`)
		require.Contains(t, page, "Show the text")
		require.NotContains(t, page, `id="theme"`, "who is logged in chooses in the settings")
		page = s.visitor().page("/c/gophers")
		require.Contains(t, page, `<html lang="en">`)
		require.Contains(t, page, `id="theme"`)
	})
	t.Run("are shown again in the form", func(t *testing.T) {
		ben.readsWith("theme", "dark", "posts", "new", "comments", "new", "zone", "Asia/Kolkata", "nsfw", "show")
		page := ben.page("/settings")
		for _, chosen := range []string{"dark", "new", "Asia/Kolkata", "show"} {
			require.Contains(t, page, `<option value="`+chosen+`" selected>`)
		}
	})
	t.Run("of orders hold where the address names none", func(t *testing.T) {
		page := ben.page("/c/gophers")
		require.True(t, first(page, "Newer", "Older"))
		require.Contains(t, page, `<a href="/c/gophers/hot">Hot</a>`)
		require.Contains(t, page, `<a href="/c/gophers" aria-current="page">New</a>`)
		require.True(t, first(ben.page("/c/gophers/hot"), "Older", "Newer"))
		page = ben.page("/c/gophers/p/older")
		require.True(t, first(page, "second answer", "first answer"))
		require.Contains(t, page, `href="/c/gophers/p/older?sort=best"`)
		require.True(t, first(ben.page("/c/gophers/p/older?sort=best"), "first answer", "second answer"))
		require.True(t, first(s.visitor().page("/c/gophers/p/older"), "first answer", "second answer"))
	})
	t.Run("of orders hold for the front page, which has two", func(t *testing.T) {
		fay := s.member("fay")
		fay.readsWith("posts", "new")
		page := fay.page("/")
		require.Contains(t, page, "This will be yours", "so far she reads what all read, in her order")
		require.True(t, first(page, "Newer", "Older"))
		fay.mustPost("/subscribe", "community", "gophers", "on", "1")
		for path, newFirst := range map[string]bool{"/": true, "/yours/new": true, "/yours/hot": false} {
			page := fay.page(path)
			require.Equal(t, newFirst, first(page, "Newer", "Older"), path)
			require.Equal(t, newFirst, strings.Contains(page, `<a href="/yours/new" aria-current="page">New</a>`), path)
		}
		require.Contains(t, fay.page("/"), "What was posted last in")
		require.Contains(t, fay.page("/yours/hot"), "What is hot in")
		fay.readsWith("posts", "top")
		require.True(t, first(fay.page("/"), "Older", "Newer"))
		for range 26 {
			ann.mustPost("/submit", "community", "gophers", "title", "More", "text", "x")
		}
		fay.readsWith("posts", "new")
		m := regexp.MustCompile(`rel="next" href="(/yours/new[^"]*)"`).FindStringSubmatch(fay.page("/"))
		require.NotNil(t, m)
		require.Contains(t, fay.page(m[1]), "Older")
		require.Equal(t, http.StatusBadRequest, fay.get("/yours/hot?"+strings.SplitN(m[1], "?", 2)[1]).Code, "a cursor of the other order")
		s.exec("DELETE FROM posts WHERE title = 'More'")
	})
	t.Run("of orders cost a second request only once on a device", func(t *testing.T) {
		cost := func(cookie string) int64 {
			r := ben.request("/c/gophers")
			if cookie != "" {
				r.AddCookie(&http.Cookie{Name: "__Host-orders", Value: cookie})
				r.Header.Set("Cookie", r.Header.Get("Cookie")+"; __Host-session="+ben.cookie)
			}
			ctx, meter := hrana.WithMeter(r.Context())
			s.restart(s.config) // nothing is remembered
			who := *ben
			if cookie != "" {
				who.cookie = ""
			}
			res := who.send(r.WithContext(ctx))
			require.Equal(t, http.StatusOK, res.Code)
			require.True(t, first(res.Body.String(), "Newer", "Older"))
			told := regexp.MustCompile(`__Host-orders=([^;]*)`).FindStringSubmatch(strings.Join(res.Header().Values("Set-Cookie"), "\n"))
			if cookie == "new.new" {
				require.Nil(t, told)
			} else {
				require.Equal(t, "new.new", told[1])
			}
			return meter.Requests()
		}
		require.LessOrEqual(t, cost("new.new"), s.oneEach())
		require.Greater(t, cost("top.new"), cost("new.new"))
		require.Greater(t, cost(""), cost("new.new"))
		token := program(s, ben.newToken("read", "write")) // which remembers nothing, so its orders are the site's
		token.page("/tags.json")                           // of the token's first use a note is made
		ctx, meter := hrana.WithMeter(context.Background())
		res := token.send(token.request("/c/gophers.json").WithContext(ctx))
		require.True(t, first(res.Body.String(), "Older", "Newer"), res.Body.String())
		require.LessOrEqual(t, meter.Requests(), s.oneEach())
		require.Empty(t, res.Header().Values("Set-Cookie"))
		for _, hide := range []string{"1", "0"} {
			require.NotContains(t, strings.Join(token.post("/seen", "hide", hide).Header().Values("Set-Cookie"), "\n"), "orders")
		}
	})
	t.Run("of the theme and the time zone hold on every page", func(t *testing.T) {
		zone := people.LoadZone("Asia/Kolkata")
		for _, path := range []string{"/", "/c/gophers", "/c/gophers/p/older", "/u/ann", "/drafts"} {
			require.Contains(t, ben.page(path), `<html lang="en" data-theme="dark">`)
		}
		require.Contains(t, ben.page("/c/gophers"), s.now.In(zone).Format("2 Jan 2006, 15:"))
		require.Contains(t, ben.page("/c/gophers"), " IST\"")
	})
	t.Run("of the time zone hold for scheduled posts", func(t *testing.T) {
		at := s.now.Add(3 * time.Hour).Truncate(time.Minute)
		local := at.In(people.LoadZone("Asia/Kolkata")).Format("2006-01-02T15:04")
		page := ben.page("/submit")
		require.Contains(t, page, "Day and time, in Asia/Kolkata")
		require.Contains(t, page, `name="zone" value="Asia/Kolkata"`)
		ben.mustPost("/submit", "community", "gophers", "title", "Soon", "text", "x", "status", "scheduled", "publish_at", local, "zone", "Asia/Kolkata")
		require.Equal(t, at.UnixMilli(), s.one("SELECT publish_at FROM posts WHERE slug = 'soon'"))
		page = ben.page("/draft?target=" + data.ID(s.one("SELECT id FROM posts WHERE slug = 'soon'").(int64)).Text())
		require.Contains(t, page, `value="`+local+`"`)
		gap := ben.post("/submit", "community", "gophers", "title", "Soon", "text", "x", "status", "scheduled", "publish_at", "2027-03-28T02:30", "zone", "Europe/Berlin")
		require.Contains(t, gap.Body.String(), "There is no such time on that day")
		res := ben.post("/submit", "community", "gophers", "title", "", "text", "x", "status", "scheduled", "publish_at", local, "zone", "Asia/Kolkata")
		require.Contains(t, res.Body.String(), `value="`+local+`"`, "what was typed stays")
		require.Contains(t, res.Body.String(), "Day and time, in Asia/Kolkata")
		ben.mustPost("/submit", "community", "gophers", "title", "In UTC", "text", "x", "status", "scheduled", "publish_at", at.UTC().Format("2006-01-02T15:04"))
		require.Equal(t, at.UnixMilli(), s.one("SELECT publish_at FROM posts WHERE slug = 'in-utc'"))
	})
	t.Run("of what is not safe for work show or hide it", func(t *testing.T) {
		require.NotContains(t, ben.page("/c/gophers"), "Show the text")
		require.Contains(t, ben.page("/c/gophers"), "secret words")
		ben.mustPost("/subscribe", "community", "gophers", "on", "1")
		ben.readsWith("nsfw", "hide")
		for _, path := range []string{"/", "/c/gophers", "/c/gophers/new", "/c/gophers/rising", "/hot", "/new", "/top?t=day"} {
			require.NotContains(t, ben.page(path), "Newer", path)
		}
		require.Contains(t, ben.page("/c/gophers"), "Older")
		require.Contains(t, ben.page("/c/gophers/p/newer"), "Show what is not safe for work")
	})
	t.Run("of hiding show what follows where a whole page is hidden", func(t *testing.T) {
		s.exec("UPDATE posts SET nsfw = 0")
		for range 26 {
			ann.mustPost("/submit", "community", "gophers", "title", "Rude", "text", "x", "nsfw", "1")
		}
		page := ben.page("/c/gophers/new")
		require.NotContains(t, page, "Rude")
		require.Contains(t, page, "Newer")
	})
	t.Run("that the form does not offer are refused", func(t *testing.T) {
		for _, field := range []string{"theme", "posts", "comments", "zone", "nsfw", "seen"} {
			res := ben.post("/settings", field, "pink", "bio", "typed bio")
			require.Equal(t, http.StatusUnprocessableEntity, res.Code, field)
			require.Contains(t, res.Body.String(), `id="`+field+`-error"`)
			require.Contains(t, res.Body.String(), "typed bio")
		}
	})
}
