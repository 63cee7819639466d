package post

import (
	"crypto/hmac"
	"net/http"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/lists/views"
	"plaza/worker/request"
)

// CountView counts a view. The script of a page sends it when a reader looks at the page.
func (h *Handlers) CountView(c *request.Call) error {
	text, _, _ := strings.Cut(c.Value("of"), ".")
	subject, ok := views.ParseSubject(text)
	if !ok || !hmac.Equal([]byte(c.Value("of")), []byte(h.SignedView(text))) {
		return data.Mistake("of", "That is not the mark of a page.")
	}
	if !isBot(c.R.UserAgent()) && !c.IsViewer(subject.Member) {
		h.AddView(c.R.Context(), c.ID, subject, h.ViewerOf(c))
		if c.Actor != nil && subject.Post != 0 {
			h.NoteVisit(c, subject.Post, c.At)
		}
	}
	c.W.WriteHeader(http.StatusNoContent)
	return nil
}

// botNames are parts of the User-Agents of programs, in lower case.
var botNames = []string{"bot", "crawl", "spider", "slurp", "scrape", "preview", "facebookexternalhit", "headless", "lighthouse",
	"pagespeed", "monitor", "curl/", "wget/", "python", "go-http", "java/", "okhttp", "axios"}

// isBot reports whether a User-Agent belongs to a program and not to a person's browser. Programs that hide it, and run scripts, are
// counted.
func isBot(agent string) bool {
	agent = strings.ToLower(agent)
	return agent == "" || slices.ContainsFunc(botNames, func(name string) bool { return strings.Contains(agent, name) })
}
