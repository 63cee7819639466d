package admin_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/render/ui"
	"plaza/test/workertest"
)

func TestSiteSettings(t *testing.T) {
	s := workertest.MustOpen(t)
	root, ann := s.Admin("rita"), s.Member("ann")
	later := func() { s.Now = s.Now.Add(data.MemberCacheTTL + time.Second) }

	t.Run("the page counts what waits", func(t *testing.T) {
		ann.MustPost("/communities", "name", "gophers")
		id := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
		s.Member("ben").MustPost("/report", "target", id, "reason", "Spam")
		page := root.Page("/admin")
		require.Contains(t, page, "3 new in the last day")
		require.Contains(t, page, `Queue</a><strong>1 waiting`)
		require.Contains(t, page, `Communities</a><strong>1 new this week`)
		require.Contains(t, page, `Dead letters</a><span class="muted">0 failed`)
		for _, address := range []string{"/admin", workertest.SiteSettings} {
			require.Equal(t, http.StatusForbidden, ann.Get(address).Code)
			require.Equal(t, "/login?next="+"%2Fadmin", s.Visitor().Get("/admin").Header().Get("Location"))
		}
		require.Contains(t, root.Page("/"), `href="/admin"`)
		require.NotContains(t, ann.Page("/"), `href="/admin"`)
	})
	t.Run("all pages have one navigation, with themselves in it", func(t *testing.T) {
		all := []ui.Tab{{URL: "/admin"}}
		for _, group := range ui.AdminGroups {
			all = append(all, group.Pages...)
		}
		require.Len(t, all, 18)
		for _, p := range all {
			if page := root.Page(p.URL); p.URL != "/communities?sort=new" { // which is everybody's
				require.Contains(t, page, `<nav class="tabs modnav" aria-label="Administration"`, p.URL)
				require.Contains(t, page, `<a href="`+p.URL+`" aria-current="page"`)
			}
		}
		require.Contains(t, root.Page(ui.EditSitePageURL("privacy")), `<a href="/admin/pages/about" aria-current="page"`)
		require.Contains(t, root.Page("/mod/queue"), `<span>Site</span>`)
		require.NotContains(t, ann.Page("/mod/queue"), `<span>Site</span>`)
		require.NotContains(t, ann.Page("/log"), "modnav")
	})
	t.Run("a change is on every page", func(t *testing.T) {
		revision := workertest.RevisionIn(t, root.Page(workertest.SiteSettings))
		require.Equal(t, workertest.SiteSettings+"?saved", root.MustPost(workertest.SiteSettings, "revision", revision, "name", " Town  Square ",
			"tagline", "News of <our> town",
			"letter", "t", "logo", "", "accent", "blue", "founders", "members", "archive", "180", "rule-1-title", "Be kind", "rule-2-title", "",
			"rule-3-title", "Stay honest"))
		require.Contains(t, root.Page(workertest.SiteSettings+"?saved"), "Saved.")
		for _, b := range []*workertest.Browser{root, s.Visitor()} {
			page := b.Page("/")
			require.Contains(t, page, "<title>Town Square</title>")
			require.Contains(t, page, `data-accent="blue"`)
			require.Contains(t, page, "<text>T</text></svg><span>Town Square")
		}
		require.Contains(t, s.Visitor().Page("/"), "News of &lt;our&gt; town")
		require.Contains(t, s.Visitor().Page("/login"), "Town Square")
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM moderation_log WHERE action = 'settings' AND community_id = 0"))
		form := root.Page(workertest.SiteSettings)
		require.Contains(t, form, `value="Stay honest"`)
		require.NotContains(t, form, `id="rule-6-title"`, "two rules and three empty rows")
		s.Restart(s.Config)
		require.Contains(t, s.Visitor().Page("/login"), "Town Square", "an instance that has just begun")
		require.Contains(t, ann.Page("/new"), "Town Square")
	})
	t.Run("somebody else's change is not lost", func(t *testing.T) {
		revision := workertest.RevisionIn(t, root.Page(workertest.SiteSettings))
		root.MustPost(workertest.SiteSettings, "revision", revision, "tagline", "Theirs")
		res := root.Post(workertest.SiteSettings, "revision", revision, "tagline", "Mine")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `value="Mine"`)
		require.Contains(t, res.Body.String(), "Somebody else changed these settings")
		root.MustPost(workertest.SiteSettings, "revision", workertest.RevisionIn(t, res.Body.String()), "tagline", "Mine")
		page := root.Page(workertest.SiteSettings)
		require.Contains(t, page, `value="Mine"`)
		require.Contains(t, page, `value="Town Square"`, "what a form leaves out stays")
	})
	t.Run("mistakes", func(t *testing.T) {
		before := s.Everything()
		for field, value := range map[string]string{"letter": "ab", "logo": "http://pics.org/a.gif", "accent": "pink", "founders": "nobody",
			"archive": "-1", "rule-1-title": ""} {
			res := root.Post(workertest.SiteSettings, field, value, "rule-1-text", "without a title")
			require.Equal(t, http.StatusUnprocessableEntity, res.Code, field)
			require.Contains(t, res.Body.String(), fmt.Sprintf(`id="%s-error"`, field))
		}
		require.Equal(t, http.StatusForbidden, ann.Post(workertest.SiteSettings, "name", "Ann's").Code)
		require.Equal(t, before, s.Everything())
	})
	t.Run("a mistake opens its group", func(t *testing.T) {
		const reading, law = `<details class="group" open><summary><h2>Reading`, `<details class="group" open><summary><h2>Rules and law`
		page := root.Page(workertest.SiteSettings)
		require.NotContains(t, page, reading)
		require.NotContains(t, page, law)
		page = root.Post(workertest.SiteSettings, "archive", "-1").Body.String()
		require.Contains(t, page, reading)
		require.NotContains(t, page, law)
		require.Contains(t, root.Post(workertest.SiteSettings, "rule-1-title", "", "rule-1-text", "without a title").Body.String(), law)
	})
	t.Run("who founds communities", func(t *testing.T) {
		root.MustPost(workertest.SiteSettings, "founders", "administrators")
		later()
		require.Equal(t, http.StatusForbidden, ann.Get("/communities/new").Code)
		require.Equal(t, http.StatusForbidden, ann.Post("/communities", "name", "anns").Code)
		require.NotContains(t, ann.Page("/communities"), "/communities/new")
		require.Zero(t, s.One("SELECT count(*) FROM communities WHERE name = 'anns'"))
		for i := range 4 { // on every shard
			root.MustPost("/communities", "name", fmt.Sprint("ritas", i))
			root.MustPost("/submit", "community", fmt.Sprint("ritas", i), "title", "A post", "text", "text")
		}
		require.Contains(t, root.Page("/communities"), "/communities/new")
		root.MustPost(workertest.SiteSettings, "founders", "members")
		ann.MustPost("/communities", "name", "anns")
	})
	t.Run("the picture comes from this site", func(t *testing.T) {
		s.Web.File("pics.org", "image/gif", workertest.TinyGIF)
		s.Web.File("typo.org", "text/html", "There is no such picture.")
		root.MustPost(workertest.SiteSettings, "logo", "https://typo.org/logo.gif")
		wrong := regexp.MustCompile(`<img class="tile" src="([^"]*)"`).FindStringSubmatch(root.Page("/"))[1]
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(wrong).Code)
		root.MustPost(workertest.SiteSettings, "logo", "https://pics.org/logo.gif") // and nobody has to wait
		m := regexp.MustCompile(`<img class="tile" src="([^"]*)"`).FindStringSubmatch(root.Page("/"))[1]
		res := s.Visitor().Get(m)
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, workertest.TinyGIF, res.Body.String())
		require.Contains(t, res.Header().Get("Cache-Control"), "s-maxage=3600")
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/img/logo/0000000000000000").Code)
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(m+"?x=1").Code)
	})
}
