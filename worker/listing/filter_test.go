package listing_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestFilters leaves posts out of one member's lists, feeds and JSON.
func TestFilters(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	for _, name := range []string{"gophers", "gardens"} {
		ann.MustPost("/communities", "name", name)
		ben.MustPost("/subscribe", "community", name, "on", "1")
	}
	ann.MustPost("/submit", "community", "gophers", "title", "About Rust", "text", "x", "tags", "metal")
	ann.MustPost("/submit", "community", "gophers", "title", "Trustworthy", "text", "x")
	ann.MustPost("/submit", "community", "gophers", "title", "A link", "link", "https://blog.noisy.example/x")
	ann.MustPost("/submit", "community", "gardens", "title", "Tulips", "text", "Spring")
	ben.MustPost("/submit", "community", "gardens", "title", "My own rust", "text", "x")
	s.DeliverAll()
	later := func() { ben.Now = ben.Now.Add(time.Minute) } // what was kept in memory is over
	type page struct {
		Items   []struct{ Title string }
		LeftOut []struct {
			Kind, Filter string
			Count        int
		} `json:"left_out"`
	}
	read := func(b *workertest.Browser, path string) (titles []string, out map[string]int) {
		t.Helper()
		later()
		var p page
		require.NoError(t, json.Unmarshal([]byte(b.Page(path)), &p), path)
		out = map[string]int{}
		for _, o := range p.LeftOut {
			out[o.Kind+" "+o.Filter] = o.Count
		}
		for _, i := range p.Items {
			titles = append(titles, i.Title)
		}
		return titles, out
	}
	all := []string{"My own rust", "Tulips", "A link", "Trustworthy", "About Rust"}
	titles, out := read(ben, "/new.json")
	require.Equal(t, all, titles)
	require.Empty(t, out)

	require.Contains(t, ben.Page("/settings/filters"), "You have no filters.")
	res := ben.Post("/settings/filters", "kind", "words", "value", " ", "days", "7")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "Please write what to leave out.")
	require.Contains(t, res.Body.String(), `<option value="7" selected>`, "what was chosen is still there")
	for _, typed := range []struct{ kind, value, says string }{
		{"domain", "not a domain!", "A domain looks like example.com."},
		{"domain", "not.a.domain!", "A domain looks like example.com."},
		{"domain", "news,example.com", "A domain looks like example.com."},
		{"domain", "(example).com", "A domain looks like example.com."},
		{"domain", "example..com", "A domain looks like example.com."},
		{"domain", ".com", "A domain looks like example.com."},
		{"domain", "...", "A domain looks like example.com."},
		{"domain", "-.-", "A domain looks like example.com."},
		{"domain", "localhost", "A domain looks like example.com."},
		{"community", "no such name!", "A community&#39;s name has 3 to 21 characters"},
		{"community", "c/", "Please write what to leave out."},
		{"community", "gophers/new", "A community&#39;s name has 3 to 21 characters"},
		{"tag", "two tags", "A tag has letters, digits and hyphens between them"},
		{"tag", "c++", "A tag has letters, digits and hyphens between them"},
		{"tag", "#", "Please write what to leave out."},
	} {
		res := ben.Post("/settings/filters", "kind", typed.kind, "value", typed.value)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, typed.value)
		require.Regexp(t, `id="value-error"[^>]*>`+typed.says, res.Body.String(), typed.value)
	}
	for _, typed := range []string{"https://www.Example.org/page?x=1", "bücher.example", "example.net.", "192.0.2.1", "under_score.example"} {
		ben.MustPost("/settings/filters", "kind", "domain", "value", typed)
	}
	ben.MustPost("/settings/filters", "kind", "words", "value", "RUST")
	ben.MustPost("/settings/filters", "kind", "domain", "value", "noisy.example")
	for _, path := range []string{"/new.json", "/active.json", "/yours/new.json", "/yours/active.json", "/yours/hot.json", "/hot.json"} {
		titles, out = read(ben, path)
		require.ElementsMatch(t, []string{"My own rust", "Tulips", "Trustworthy"}, titles, "%s: whole words; and what one has written stays", path)
		require.Equal(t, map[string]int{"words RUST": 1, "domain noisy.example": 1}, out, path)
	}
	later()
	html := ben.Page("/new")
	require.Contains(t, html, "2 posts left out: noisy.example, “RUST”")
	require.Contains(t, html, "About Rust", "one click away")
	require.NotContains(t, s.Visitor().Page("/new"), "left out")
	titles, _ = read(ann, "/new.json")
	require.Equal(t, all, titles, "nobody else's lists change")

	ben.MustPost("/settings/filters", "kind", "community", "value", "c/Gophers", "days", "1")
	titles, _ = read(ben, "/new.json")
	require.Equal(t, []string{"My own rust", "Tulips"}, titles)
	titles, out = read(ben, "/c/gophers/new.json")
	require.Equal(t, []string{"Trustworthy"}, titles, "who goes there wants to see it, but for other filters")
	require.Len(t, out, 2)
	ben.MustPost("/settings/filters", "kind", "tag", "value", "metal")
	ben.MustPost("/settings/filters", "kind", "words", "value", "rust", "on", "0")
	titles, _ = read(ben, "/tag/metal/new.json")
	require.Empty(t, titles, "the community is still left out")
	later()
	require.Contains(t, ben.Page("/settings/filters"), "c/Gophers")
	ben.Now = ben.Now.Add(25 * time.Hour)
	require.NotContains(t, ben.Page("/settings/filters"), "c/Gophers", "it has ended by itself")
	titles, _ = read(ben, "/tag/metal/new.json")
	require.Equal(t, []string{"About Rust"}, titles, "nor does a tag hide its own list")
	titles, out = read(ben, "/new.json")
	require.Equal(t, map[string]int{"tag metal": 1, "domain noisy.example": 1}, out)
	require.Len(t, titles, 3)

	// The menu of a community leaves it out, and says so on the page, which still shows it.
	later()
	require.Contains(t, ben.Page("/c/gophers"), "Leave out of my lists")
	require.NotContains(t, s.Visitor().Page("/c/gophers"), "Leave out of my lists")
	require.Equal(t, "/c/gophers", ben.MustPost("/settings/filters", "kind", "community", "value", "gophers", "on", "1", "return", "/c/gophers"))
	html = ben.Page("/c/gophers")
	require.Contains(t, html, "Your lists leave out c/gophers.")
	require.Contains(t, html, "Show in my lists again")
	ben.MustPost("/settings/filters", "kind", "community", "value", "gophers", "on", "0", "return", "/c/gophers")
	require.NotContains(t, ben.Page("/c/gophers"), "Your lists leave out")
	require.Contains(t, ben.Page("/tag/metal"), "Your lists leave out #metal.")

	s.Exec("UPDATE users SET filters = (SELECT json_group_array(json_object('kind', 'words', 'value', 'w' || value)) " +
		"FROM generate_series(1, 100)) WHERE username = 'ben'")
	res = ben.Post("/settings/filters", "kind", "words", "value", "one more")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "You have 100 filters")
	ben.MustPost("/settings/filters", "kind", "words", "value", "w7", "days", "1")
}
