package listing_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

// TestChecklist has the administrator of a new site do what the front page asks for.
func TestChecklist(t *testing.T) {
	s := workertest.MustOpen(t)
	rita, ben, visitor := s.Admin("rita"), s.Member("ben"), s.Visitor()
	const heading, look, rules, community, people, post = "Set up your site", "Choose a name and a colour", "Write the rules",
		"Create the first community", "Invite three people", "Write the first post"
	step := regexp.MustCompile(`<li( class="done")?><a href="([^"]+)">([^<]+)</a>`)
	// see returns what is done and the addresses of the steps, and how many rows the page of the administrator reads. Others never see them.
	see := func() (done []string, links map[string]string, rows int64) {
		t.Helper()
		s.Now = s.Now.Add(time.Minute) // no instance remembers what it has read
		require.NotContains(t, ben.Page("/"), heading)
		require.NotContains(t, visitor.Page("/"), heading)
		s.Now = s.Now.Add(time.Minute)
		page, meter := metered(t, rita, "/")
		require.LessOrEqual(t, meter.Requests(), s.MaxPageRequests())
		links = map[string]string{}
		for _, m := range step.FindAllStringSubmatch(page, -1) {
			if links[m[3]] = m[2]; m[1] != "" {
				done = append(done, m[3])
			}
		}
		return done, links, meter.RowsRead()
	}
	rowsOf := func(b *workertest.Browser) int64 {
		t.Helper()
		s.Now = s.Now.Add(time.Minute)
		_, meter := metered(t, b, "/")
		return meter.RowsRead()
	}

	rita.Page("/hot") // that they are here is noted once a day
	done, links, _ := see()
	require.Empty(t, done)
	require.Equal(t, map[string]string{look: "/admin/settings#name", rules: "/admin/settings#rule-1-title", community: "/communities/new",
		people: "/admin/settings#sign_up", post: "/submit"}, links)
	require.Contains(t, rita.Page("/"), "https://plaza.example/signup")
	require.NotContains(t, rita.Page("/hot"), heading)
	for _, b := range []*workertest.Browser{rita, ben, visitor} { // the empty list has the same next step for all
		require.Contains(t, b.Page("/"), `href="/communities/new">Create the first one<`)
	}

	rita.MustPost(workertest.SiteSettings, "name", "The square")
	done, _, _ = see()
	require.Equal(t, []string{look}, done)

	rita.MustPost(workertest.SiteSettings, "rule-1-title", "Be kind")
	done, _, _ = see()
	require.Equal(t, []string{look, rules}, done)
	rita.MustPost(workertest.SiteSettings, "rule-1-title", "")
	done, _, _ = see()
	require.Equal(t, []string{look}, done)
	rita.MustPost("/admin/pages/rules", "body", "Be kind.")
	done, _, _ = see()
	require.Equal(t, []string{look, rules}, done, "the page of the rules counts, too")

	rita.MustPost("/communities", "name", "gophers")
	done, _, _ = see()
	require.Equal(t, []string{look, rules, community}, done)

	rita.MustPost(workertest.SiteSettings, "sign_up", "invitation")
	rita.MustPost("/settings/invites", "uses", "2", "days", "7")
	done, links, _ = see()
	require.Equal(t, []string{look, rules, community}, done, "two are not three")
	require.Equal(t, "/settings/invites", links[people])
	rita.MustPost("/settings/invites", "uses", "1", "days", "7")
	done, _, _ = see()
	require.Equal(t, []string{look, rules, community, people}, done)
	s.Exec("DELETE FROM invites")
	rita.MustPost(workertest.SiteSettings, "sign_up", "open")
	s.Member("cleo")
	done, _, _ = see()
	require.Equal(t, []string{look, rules, community}, done)
	s.Member("dora")
	done, _, _ = see()
	require.Equal(t, []string{look, rules, community, people}, done, "whoever is here needs no invitation")

	address := rita.MustPost("/submit", "community", "gophers", "title", "Welcome", "text", "x")
	_, links, _ = see()
	require.Empty(t, links, "all is done")
	rita.MustPost("/delete", "target", workertest.Targets(rita.Page(address))[0])
	_, links, _ = see()
	require.Empty(t, links, "an instance that has seen that all is done looks no more")

	s.Restart(s.Config)
	done, _, _ = see()
	require.Equal(t, []string{look, rules, community, people}, done)
	_, _, listed := see()
	ofBen := rowsOf(ben)
	require.Equal(t, http.StatusForbidden, ben.Post(workertest.SiteSettings, "checklist", "dismissed").Code)
	require.Equal(t, "/", rita.MustPost(workertest.SiteSettings, "checklist", "dismissed"))
	_, links, without := see()
	require.Empty(t, links)
	require.LessOrEqual(t, listed-without, int64(10), "the checklist reads few rows")
	require.Equal(t, ofBen, rowsOf(ben), "and none for others")
	s.Restart(s.Config)
	_, links, _ = see()
	require.Empty(t, links, "for good")
	rita.MustPost(workertest.SiteSettings, "tagline", "For all")
	_, links, _ = see()
	require.Empty(t, links, "whatever else is set")
}

// metered returns a page, and what it cost at the databases.
func metered(t *testing.T, b *workertest.Browser, path string) (page string, meter *hrana.Meter) {
	t.Helper()
	ctx, meter := hrana.WithMeter(t.Context())
	res := b.Send(b.Request(path).WithContext(ctx))
	require.Equal(t, http.StatusOK, res.Code)
	return res.Body.String(), meter
}
