package worker_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestResolver(t *testing.T) {
	s := mustOpen(t)
	s.config.Resolver = "https://dns.example.net/dns-query"
	s.restart(s.config)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	s.web.page("go.dev", "<title>Go</title>")
	s.web.redirect("far.org", http.StatusFound, "https://inside.org/")

	// Name and type, and what the resolver says of them.
	records := map[string]string{
		"go.dev A":    `{"Status":0,"Answer":[{"name":"go.dev","type":5,"data":"x.go.dev."},{"name":"x.go.dev","type":1,"data":"216.239.32.21"}]}`,
		"go.dev AAAA": `{"Status":0}`,
		"far.org A":   `{"Status":0,"Answer":[{"type":1,"data":"8.8.8.8"}]}`, "far.org AAAA": `{"Status":0,"Answer":[{"type":28,"data":"2001:4860:4860::8888"}]}`,
		"inside.org A": `{"Status":0,"Answer":[{"type":1,"data":"8.8.8.8"},{"type":1,"data":"10.0.0.7"}]}`,
		"six.org A":    `{"Status":0,"Answer":[{"type":1,"data":"8.8.8.8"}]}`, "six.org AAAA": `{"Status":0,"Answer":[{"type":28,"data":"::ffff:127.0.0.1"}]}`,
		"gone.org A": `{"Status":3}`, "odd.org A": `{"Status":0,"Answer":[{"type":1,"data":"x"}]}`, "broken.org A": `{"Status":2}`, "cut.org A": `{"Status":0,"Ans`,
		"empty.org A": `{"Status":0,"Answer":[]}`, "empty.org AAAA": `{"Status":0}`, "none.org A": `{}`,
	}
	s.web.on("dns.example.net", func(w http.ResponseWriter, r *http.Request) {
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
		"a resolver that is away":               {"https://away.org/", nil, "later"},
		"an IP address, which needs no look-up": {"https://8.8.4.4/", []string{"https://8.8.4.4/"}, "status 404"},
	}
	t.Run("a name that changes is looked up again each time", func(t *testing.T) {
		s.web.page("turns.org", "<title>Turns</title>")
		records["turns.org A"], records["turns.org AAAA"] = `{"Status":0,"Answer":[{"type":1,"data":"8.8.8.8"}]}`, `{"Status":0}`
		ann.mustPost("/submit", "community", "gophers", "title", "First", "link", "https://turns.org/1")
		s.deliver()
		require.Equal(t, "Turns", s.one("SELECT title FROM link_previews WHERE url = 'https://turns.org/1'"))
		records["turns.org A"] = `{"Status":0,"Answer":[{"type":1,"data":"127.0.0.1"}]}`
		ann.mustPost("/submit", "community", "gophers", "title", "Second", "link", "https://turns.org/2")
		image := ann.mustPost("/submit", "community", "gophers", "title", "Third", "image", "https://turns.org/3.png")
		s.web.forget()
		s.deliver()
		require.Equal(t, http.StatusNotFound, s.visitor().get("/img/"+targets(ann.page(image))[0]).Code)
		require.Equal(t, "not a public address", s.reason("https://turns.org/2"))
		require.NotContains(t, s.web.hosts(), "turns.org")
	})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ann.mustPost("/submit", "community", "gophers", "title", name, "link", test.link)
			s.web.forget()
			s.deliver()
			var asked []string
			for _, address := range s.web.addresses() {
				if !strings.HasPrefix(address, s.config.Resolver) {
					asked = append(asked, address)
				}
			}
			assert.Equal(t, test.asked, asked)
			if test.reason == "later" {
				require.Equal(t, int64(0), s.one("SELECT count(*) FROM link_previews WHERE url = ?1", test.link))
				require.Equal(t, int64(1), s.waiting())
				s.exec("DELETE FROM outbox")
				return
			}
			require.Equal(t, test.reason, s.reason(test.link))
		})
	}
}
