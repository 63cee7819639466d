package post_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestResolver(t *testing.T) {
	s := workertest.MustOpen(t)
	s.Config.Resolver = "https://dns.example.net/dns-query"
	s.Restart(s.Config)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	s.Web.Page("go.dev", "<title>Go</title>")
	s.Web.Redirect("far.org", http.StatusFound, "https://inside.org/")

	// Name and type, and what the resolver says of them.
	records := map[string]string{
		"go.dev A": `{"Status":0,"Answer":[{"name":"go.dev","type":5,"data":"x.go.dev."},{"name":"x.go.dev","type":1,` +
			`"data":"216.239.32.21"}]}`,
		"go.dev AAAA":  `{"Status":0}`,
		"far.org A":    `{"Status":0,"Answer":[{"type":1,"data":"8.8.8.8"}]}`,
		"far.org AAAA": `{"Status":0,"Answer":[{"type":28,"data":"2001:4860:4860::8888"}]}`,
		"inside.org A": `{"Status":0,"Answer":[{"type":1,"data":"8.8.8.8"},{"type":1,"data":"10.0.0.7"}]}`,
		"six.org A":    `{"Status":0,"Answer":[{"type":1,"data":"8.8.8.8"}]}`,
		"six.org AAAA": `{"Status":0,"Answer":[{"type":28,"data":"::ffff:127.0.0.1"}]}`,
		"gone.org A":   `{"Status":3}`, "odd.org A": `{"Status":0,"Answer":[{"type":1,"data":"x"}]}`, "broken.org A": `{"Status":2}`,
		"cut.org A":   `{"Status":0,"Ans`,
		"empty.org A": `{"Status":0,"Answer":[]}`, "empty.org AAAA": `{"Status":0}`, "none.org A": `{}`,
	}
	s.Web.On("dns.example.net", func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "application/dns-json", r.Header.Get("Accept"))
		if r.URL.Query().Get("name") == "away.org" {
			w.WriteHeader(http.StatusBadGateway)
		}
		fmt.Fprint(w, records[r.URL.Query().Get("name")+" "+r.URL.Query().Get("type")])
	})

	tests := map[string]struct {
		link   string
		asked  []string // besides the resolver
		reason string   // "": there is a preview; "later": it is tried again
	}{
		"a public name":                         {"https://go.dev/", []string{"https://go.dev/"}, ""},
		"a redirect to a name inside":           {"https://far.org/", []string{"https://far.org/"}, "not a public address"},
		"one private address of two":            {"https://inside.org/x", nil, "not a public address"},
		"a private IPv6 address":                {"https://six.org/", nil, "not a public address"},
		"no such name":                          {"https://gone.org/", nil, "no such name"},
		"a name without an address":             {"https://empty.org/", nil, "later"},
		"an answer that can't be read":          {"https://odd.org/", nil, "later"},
		"an answer that is cut":                 {"https://cut.org/", nil, "later"},
		"an answer without a code":              {"https://none.org/", nil, "later"},
		"a resolver that fails":                 {"https://broken.org/", nil, "later"},
		"a resolver that is unavailable":        {"https://away.org/", nil, "later"},
		"an IP address, which needs no look-up": {"https://8.8.4.4/", []string{"https://8.8.4.4/"}, "status 404"},
	}
	t.Run("a name that changes is looked up again each time", func(t *testing.T) {
		s.Web.Page("turns.org", "<title>Turns</title>")
		records["turns.org A"], records["turns.org AAAA"] = `{"Status":0,"Answer":[{"type":1,"data":"8.8.8.8"}]}`, `{"Status":0}`
		ann.MustPost("/submit", "community", "gophers", "title", "First", "link", "https://turns.org/1")
		s.Deliver()
		require.Equal(t, "Turns", s.One("SELECT title FROM link_previews WHERE url = 'https://turns.org/1'"))
		records["turns.org A"] = `{"Status":0,"Answer":[{"type":1,"data":"127.0.0.1"}]}`
		ann.MustPost("/submit", "community", "gophers", "title", "Second", "link", "https://turns.org/2")
		image := ann.MustPost("/submit", "community", "gophers", "title", "Third", "image", "https://turns.org/3.png")
		s.Web.Forget()
		s.Deliver()
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/img/"+workertest.Targets(ann.Page(image))[0]).Code)
		require.Equal(t, "not a public address", failureOf(s, "https://turns.org/2"))
		require.NotContains(t, s.Web.Hosts(), "turns.org")
	})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ann.MustPost("/submit", "community", "gophers", "title", name, "link", test.link)
			s.Web.Forget()
			s.Deliver()
			var asked []string
			for _, address := range s.Web.Addresses() {
				if !strings.HasPrefix(address, s.Config.Resolver) {
					asked = append(asked, address)
				}
			}
			assert.Equal(t, test.asked, asked)
			if test.reason == "later" {
				require.Equal(t, int64(0), s.One("SELECT count(*) FROM link_previews WHERE url = ?1", test.link))
				require.Equal(t, int64(1), waiting(s))
				s.Exec("DELETE FROM outbox")
				return
			}
			require.Equal(t, test.reason, failureOf(s, test.link))
		})
	}
}
