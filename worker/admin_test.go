package worker_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

func TestSiteSettings(t *testing.T) {
	s := mustOpen(t)
	root, ann := s.admin("rita"), s.member("ann")
	later := func() { s.now = s.now.Add(data.OwnLife + time.Second) }

	t.Run("the page counts what waits", func(t *testing.T) {
		ann.mustPost("/communities", "name", "gophers")
		id := targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
		s.member("ben").mustPost("/report", "target", id, "reason", "Spam")
		page := root.page("/admin")
		require.Contains(t, page, "3 new in the last day")
		require.Regexp(t, `Moderators(&#39;|')s? queue</a><span class="muted">1 waiting|queue</a><span class="muted">1 waiting`, page)
		require.Contains(t, page, `Communities</a><span class="muted">1 new this week`)
		for _, address := range []string{"/admin", siteSettings} {
			require.Equal(t, http.StatusForbidden, ann.get(address).Code)
			require.Equal(t, "/login?next="+"%2Fadmin", s.visitor().get("/admin").Header().Get("Location"))
		}
		require.Contains(t, root.page("/"), `href="/admin"`)
		require.NotContains(t, ann.page("/"), `href="/admin"`)
	})
	t.Run("a change is on every page", func(t *testing.T) {
		revision := revisionIn(t, root.page(siteSettings))
		require.Equal(t, siteSettings+"?saved", root.mustPost(siteSettings, "revision", revision, "name", " Town  Square ", "tagline", "News of <our> town",
			"letter", "t", "logo", "", "accent", "blue", "founders", "members", "archive", "180", "rule-1-title", "Be kind", "rule-2-title", "", "rule-3-title", "Stay honest"))
		require.Contains(t, root.page(siteSettings+"?saved"), "Saved.")
		for _, b := range []*browser{root, s.visitor()} {
			page := b.page("/")
			require.Contains(t, page, "<title>Town Square</title>")
			require.Contains(t, page, `data-accent="blue"`)
			require.Contains(t, page, "<text>T</text></svg>Town Square")
		}
		require.Contains(t, s.visitor().page("/"), "News of &lt;our&gt; town")
		require.Contains(t, s.visitor().page("/login"), "Town Square")
		require.Equal(t, int64(1), s.one("SELECT count(*) FROM moderation_log WHERE action = 'settings' AND community_id = 0"))
		form := root.page(siteSettings)
		require.Contains(t, form, `value="Stay honest"`)
		require.NotContains(t, form, `id="rule-6-title"`, "two rules and three empty rows")
		s.restart(s.config)
		require.Contains(t, s.visitor().page("/login"), "Town Square", "an instance that has just begun")
		require.Contains(t, ann.page("/new"), "Town Square")
	})
	t.Run("somebody else's change is not lost", func(t *testing.T) {
		revision := revisionIn(t, root.page(siteSettings))
		root.mustPost(siteSettings, "revision", revision, "tagline", "Theirs")
		res := root.post(siteSettings, "revision", revision, "tagline", "Mine")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `value="Mine"`)
		require.Contains(t, res.Body.String(), "Somebody else changed these settings")
		root.mustPost(siteSettings, "revision", revisionIn(t, res.Body.String()), "tagline", "Mine")
		page := root.page(siteSettings)
		require.Contains(t, page, `value="Mine"`)
		require.Contains(t, page, `value="Town Square"`, "what a form leaves out stays")
	})
	t.Run("mistakes", func(t *testing.T) {
		before := s.everything()
		for field, value := range map[string]string{"letter": "ab", "logo": "http://pics.org/a.gif", "accent": "pink", "founders": "nobody", "archive": "-1", "rule-1-title": ""} {
			res := root.post(siteSettings, field, value, "rule-1-text", "without a title")
			require.Equal(t, http.StatusUnprocessableEntity, res.Code, field)
			require.Contains(t, res.Body.String(), fmt.Sprintf(`id="%s-error"`, field))
		}
		require.Equal(t, http.StatusForbidden, ann.post(siteSettings, "name", "Ann's").Code)
		require.Equal(t, before, s.everything())
	})
	t.Run("who founds communities", func(t *testing.T) {
		root.mustPost(siteSettings, "founders", "administrators")
		later()
		require.Equal(t, http.StatusForbidden, ann.get("/communities/new").Code)
		require.Equal(t, http.StatusForbidden, ann.post("/communities", "name", "anns").Code)
		require.NotContains(t, ann.page("/communities"), "/communities/new")
		require.Zero(t, s.one("SELECT count(*) FROM communities WHERE name = 'anns'"))
		for i := range 4 { // on every shard
			root.mustPost("/communities", "name", fmt.Sprint("ritas", i))
			root.mustPost("/submit", "community", fmt.Sprint("ritas", i), "title", "A post", "text", "text")
		}
		require.Contains(t, root.page("/communities"), "/communities/new")
		root.mustPost(siteSettings, "founders", "members")
		ann.mustPost("/communities", "name", "anns")
	})
	t.Run("the picture comes from this site", func(t *testing.T) {
		s.web.file("pics.org", "image/gif", tinyGIF)
		s.web.file("typo.org", "text/html", "There is no such picture.")
		root.mustPost(siteSettings, "logo", "https://typo.org/logo.gif")
		wrong := regexp.MustCompile(`<img class="tile" src="([^"]*)"`).FindStringSubmatch(root.page("/"))[1]
		require.Equal(t, http.StatusNotFound, s.visitor().get(wrong).Code)
		root.mustPost(siteSettings, "logo", "https://pics.org/logo.gif") // and nobody has to wait
		m := regexp.MustCompile(`<img class="tile" src="([^"]*)"`).FindStringSubmatch(root.page("/"))[1]
		res := s.visitor().get(m)
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, tinyGIF, res.Body.String())
		require.Contains(t, res.Header().Get("Cache-Control"), "s-maxage=3600")
		require.Equal(t, http.StatusNotFound, s.visitor().get("/img/logo/0000000000000000").Code)
		require.Equal(t, http.StatusNotFound, s.visitor().get(m+"?x=1").Code)
	})
}
