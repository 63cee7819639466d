package account_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

func TestChoices(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/submit", "community", "gophers", "title", "Older", "text", "x")
	address := ann.MustPost("/submit", "community", "gophers", "title", "Newer", "text", "secret words", "image", "https://pics.org/a.gif",
		"nsfw", "1")
	older := workertest.Targets(ann.Page("/c/gophers/p/older"))[0]
	for _, body := range []string{"first answer", "second answer"} {
		ann.MustPost("/comment", "post", older, "body", body)
	}
	s.Exec("UPDATE posts SET hot = 90000, score = 50, ups = 50 WHERE slug = 'older'")
	s.Exec("UPDATE comments SET best = 0.9 WHERE body = 'first answer'")
	require.Equal(t, "/c/gophers/p/newer", address)
	first := func(page, one, other string) bool { return strings.Index(page, one) < strings.Index(page, other) }

	t.Run("begin with the usual", func(t *testing.T) {
		page := ben.Page("/c/gophers")
		require.True(t, first(page, "Older", "Newer"))
		require.Contains(t, page, `<html lang="en">`)
		require.Contains(t, page, `<a class="th nsfw"`)
		page = s.Visitor().Page("/c/gophers")
		require.Contains(t, page, `<html lang="en">`)
		require.Contains(t, page, `action="/display"`)
	})
	t.Run("are shown again in the form", func(t *testing.T) {
		ben.ReadsWith("theme", "dark", "posts", "new", "comments", "new", "zone", "Asia/Kolkata", "nsfw", "show")
		page := ben.Page("/settings")
		for _, chosen := range []string{"dark", "new", "Asia/Kolkata", "show"} {
			require.Contains(t, page, `<option value="`+chosen+`" selected>`)
		}
	})
	t.Run("of orders hold where the address names none", func(t *testing.T) {
		page := ben.Page("/c/gophers")
		require.True(t, first(page, "Newer", "Older"))
		require.Contains(t, page, `<a href="/c/gophers/hot">Hot</a>`)
		require.Contains(t, page, `<a href="/c/gophers" aria-current="page">New</a>`)
		require.True(t, first(ben.Page("/c/gophers/hot"), "Older", "Newer"))
		page = ben.Page("/c/gophers/p/older")
		require.True(t, first(page, "second answer", "first answer"))
		require.Contains(t, page, `href="/c/gophers/p/older?sort=best"`)
		require.True(t, first(ben.Page("/c/gophers/p/older?sort=best"), "first answer", "second answer"))
		require.True(t, first(s.Visitor().Page("/c/gophers/p/older"), "first answer", "second answer"))
	})
	t.Run("of orders hold for the front page, which has two", func(t *testing.T) {
		fay := s.Member("fay")
		fay.ReadsWith("posts", "new")
		page := fay.Page("/")
		require.Contains(t, page, "Posts of the communities that you join appear here.", "so far she reads what all read, in her order")
		require.True(t, first(page, "Newer", "Older"))
		fay.MustPost("/subscribe", "community", "gophers", "on", "1")
		for path, newFirst := range map[string]bool{"/": true, "/yours/new": true, "/yours/hot": false} {
			page := fay.Page(path)
			require.Equal(t, newFirst, first(page, "Newer", "Older"), path)
			require.Equal(t, newFirst, strings.Contains(page, `<a href="/yours/new" aria-current="page">New</a>`), path)
		}
		fay.ReadsWith("posts", "top")
		require.True(t, first(fay.Page("/"), "Older", "Newer"))
		for range 26 {
			ann.MustPost("/submit", "community", "gophers", "title", "More", "text", "x")
		}
		fay.ReadsWith("posts", "new")
		m := regexp.MustCompile(`rel="next" href="(/yours/new[^"]*)"`).FindStringSubmatch(fay.Page("/"))
		require.NotNil(t, m)
		require.Contains(t, fay.Page(m[1]), "Older")
		require.Equal(t, http.StatusBadRequest, fay.Get("/yours/hot?"+strings.SplitN(m[1], "?", 2)[1]).Code, "a cursor of the other order")
		s.Exec("DELETE FROM posts WHERE title = 'More'")
	})
	t.Run("of orders cost a second request only once on a device", func(t *testing.T) {
		cost := func(cookie string) int64 {
			r := ben.Request("/c/gophers")
			if cookie != "" {
				r.AddCookie(&http.Cookie{Name: "__Host-orders", Value: cookie})
				r.Header.Set("Cookie", r.Header.Get("Cookie")+"; __Host-session="+ben.Cookie)
			}
			ctx, meter := hrana.WithMeter(r.Context())
			s.Restart(s.Config) // nothing is remembered
			who := *ben
			if cookie != "" {
				who.Cookie = ""
			}
			res := who.Send(r.WithContext(ctx))
			require.Equal(t, http.StatusOK, res.Code)
			require.True(t, first(res.Body.String(), "Newer", "Older"))
			setCookie := regexp.MustCompile(`__Host-orders=([^;]*)`).FindStringSubmatch(strings.Join(res.Header().Values("Set-Cookie"), "\n"))
			if cookie == "new.new" {
				require.Nil(t, setCookie)
			} else {
				require.Equal(t, "new.new", setCookie[1])
			}
			return meter.Requests()
		}
		require.LessOrEqual(t, cost("new.new"), s.MaxPageRequests())
		require.Greater(t, cost("top.new"), cost("new.new"))
		require.Greater(t, cost(""), cost("new.new"))
		token := workertest.Program(s, ben.NewToken("read", "write")) // which remembers nothing, so its orders are the site's
		token.Page("/tags.json")                                      // of the token's first use a note is made
		ctx, meter := hrana.WithMeter(context.Background())
		res := token.Send(token.Request("/c/gophers.json").WithContext(ctx))
		require.True(t, first(res.Body.String(), "Older", "Newer"), res.Body.String())
		require.LessOrEqual(t, meter.Requests(), s.MaxPageRequests())
		require.Empty(t, res.Header().Values("Set-Cookie"))
		for _, hide := range []string{"1", "0"} {
			require.NotContains(t, strings.Join(token.Post("/seen", "hide", hide).Header().Values("Set-Cookie"), "\n"), "orders")
		}
	})
	t.Run("of the theme and the time zone hold on every page", func(t *testing.T) {
		zone := accounts.LoadZone("Asia/Kolkata")
		for _, path := range []string{"/", "/c/gophers", "/c/gophers/p/older", "/u/ann", "/drafts"} {
			require.Contains(t, ben.Page(path), `<html lang="en" data-theme="dark" data-zone="Asia/Kolkata">`)
		}
		require.Contains(t, ben.Page("/c/gophers"), s.Now.In(zone).Format("2 Jan 2006, 15:"))
		require.Contains(t, ben.Page("/c/gophers"), " IST\"")
	})
	t.Run("of the time zone hold for scheduled posts", func(t *testing.T) {
		at := s.Now.Add(3 * time.Hour).Truncate(time.Minute)
		local := at.In(accounts.LoadZone("Asia/Kolkata")).Format("2006-01-02T15:04")
		page := ben.Page("/submit")
		require.Contains(t, page, "Day and time, in Asia/Kolkata")
		require.Contains(t, page, `name="zone" value="Asia/Kolkata"`)
		ben.MustPost("/submit", "community", "gophers", "title", "Soon", "text", "x", "status", "scheduled", "publish_at", local, "zone",
			"Asia/Kolkata")
		require.Equal(t, at.UnixMilli(), s.One("SELECT publish_at FROM posts WHERE slug = 'soon'"))
		page = ben.Page("/draft?target=" + data.ID(s.One("SELECT id FROM posts WHERE slug = 'soon'").(int64)).Text())
		require.Contains(t, page, `value="`+local+`"`)
		gap := ben.Post("/submit", "community", "gophers", "title", "Soon", "text", "x", "status", "scheduled", "publish_at", "2027-03-28T02:30",
			"zone", "Europe/Berlin")
		require.Contains(t, gap.Body.String(), "There is no such time on that day")
		mars := ben.Post("/submit", "community", "gophers", "title", "Soon", "text", "x", "status", "scheduled", "publish_at", local, "zone",
			"Mars/Base")
		require.Equal(t, http.StatusUnprocessableEntity, mars.Code)
		require.Contains(t, mars.Body.String(), "This site doesn&#39;t know that time zone.")
		require.Contains(t, mars.Body.String(), `id="zone-error"`)
		require.Contains(t, mars.Body.String(), `value="Mars/Base"`)
		require.NotContains(t, mars.Body.String(), `type="hidden" name="zone"`, "it can be changed")
		program := workertest.Program(s, ben.NewToken("read", "write"))
		require.Contains(t, program.Post("/submit", "community", "gophers", "title", "Soon", "text", "x", "status", "scheduled", "publish_at",
			local, "zone", "Mars/Base").Body.String(), `"field":"zone"`)
		program.Post("/submit", "community", "gophers", "title", "In Calcutta", "text", "x", "status", "scheduled", "publish_at", local,
			"zone", "Asia/Calcutta")
		require.Equal(t, at.UnixMilli(), s.One("SELECT publish_at FROM posts WHERE slug = 'in-calcutta'"))
		res := ben.Post("/submit", "community", "gophers", "title", "", "text", "x", "status", "scheduled", "publish_at", local, "zone",
			"Asia/Kolkata")
		require.Contains(t, res.Body.String(), `value="`+local+`"`, "what was typed stays")
		require.Contains(t, res.Body.String(), "Day and time, in Asia/Kolkata")
		ben.MustPost("/submit", "community", "gophers", "title", "In UTC", "text", "x", "status", "scheduled", "publish_at", at.UTC().
			Format("2006-01-02T15:04"))
		require.Equal(t, at.UnixMilli(), s.One("SELECT publish_at FROM posts WHERE slug = 'in-utc'"))
	})
	t.Run("of a time zone come from the device, until the member chooses", func(t *testing.T) {
		sue := s.Member("sue")
		zone := func() string { return regexp.MustCompile(` data-zone="([^"]*)"`).FindString(sue.Page("/")) }
		require.Empty(t, zone())
		require.Equal(t, http.StatusUnprocessableEntity, sue.Post("/settings/zone", "zone", "Mars/Base").Code)
		require.Empty(t, zone())
		sue.ReadsWith("theme", "dark")
		form := sue.Page("/settings")
		sue.MustPost("/settings/zone", "zone", "Asia/Calcutta")
		require.Contains(t, sue.Page("/"), `data-theme="dark" data-zone="Asia/Kolkata"`)
		revision := regexp.MustCompile(`name="revision" value="(\d+)"`).FindStringSubmatch(form)[1]
		sue.MustPost("/settings", "revision", revision, "zone", "UTC") // the form was open before
		sue.MustPost("/settings/zone", "zone", "Asia/Calcutta")
		require.Equal(t, ` data-zone="UTC"`, zone())
		require.Contains(t, sue.Page("/submit"), "Day and time, in UTC")
		require.Contains(t, sue.Page("/submit"), `name="zone" value="UTC"`)
	})
	t.Run("of what is not safe for work show or hide it", func(t *testing.T) {
		require.Contains(t, ben.Page("/c/gophers"), `<a class="th"`)
		ben.MustPost("/subscribe", "community", "gophers", "on", "1")
		ben.ReadsWith("nsfw", "hide")
		for _, path := range []string{"/", "/c/gophers", "/c/gophers/new", "/c/gophers/rising", "/hot", "/new", "/top?t=day"} {
			require.NotContains(t, ben.Page(path), "Newer", path)
		}
		require.Contains(t, ben.Page("/c/gophers"), "Older")
		require.Contains(t, ben.Page("/c/gophers/p/newer"), "Show NSFW")
	})
	t.Run("of hiding show what follows where a whole page is hidden", func(t *testing.T) {
		s.Exec("UPDATE posts SET nsfw = 0")
		for range 26 {
			ann.MustPost("/submit", "community", "gophers", "title", "Rude", "text", "x", "nsfw", "1")
		}
		page := ben.Page("/c/gophers/new")
		require.NotContains(t, page, "Rude")
		require.Contains(t, page, "Newer")
	})
	t.Run("comments far below zero are folded, and a click away", func(t *testing.T) {
		s.T = t
		address := ann.MustPost("/submit", "community", "gophers", "title", "Disputed", "text", "x")
		ann.MustPost("/comment", "post", workertest.Targets(ann.Page(address))[0], "body", "Unpopular")
		s.Deliver()
		folded := func(b *workertest.Browser) bool { return strings.Contains(b.Page(address), "<details><summary>") }
		ben.ReadsWith()
		for _, score := range []int{-4, -30} { // the next choices are about the last
			want := score == -30
			s.Exec("UPDATE comments SET downs = ?1, score = ?2 WHERE body = 'Unpopular'", 1-score, score)
			require.Equal(t, want, folded(ben), score)
			require.Equal(t, want, folded(s.Visitor()), score)
			require.Contains(t, s.Visitor().Page(address), "Unpopular", "it is in the page, and a click shows it")
		}
		require.False(t, folded(ann), "one's own are not")
		for choice, want := range map[string]bool{"never": false, "-1": true, "-20": true} {
			ben.ReadsWith("fold", choice)
			require.Equal(t, want, folded(ben), choice)
		}
		s.Exec("UPDATE comments SET downs = 11, score = -10 WHERE body = 'Unpopular'")
		ben.ReadsWith("fold", "-20")
		require.False(t, folded(ben))
	})
	t.Run("that the form does not offer are refused", func(t *testing.T) {
		for _, field := range []string{"theme", "posts", "comments", "zone", "nsfw", "seen", "fold"} {
			res := ben.Post("/settings", "group", "reading", field, "pink")
			require.Equal(t, http.StatusUnprocessableEntity, res.Code, field)
			require.Contains(t, res.Body.String(), `id="`+field+`-error"`)
		}
	})
}
