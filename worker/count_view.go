package worker

import (
	"crypto/hmac"
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/views"
)

// countView is what the script of a page sends when somebody looks at it.
func (a *App) countView(c *call) error {
	text, _, _ := strings.Cut(c.value("of"), ".")
	subject, ok := views.ParseSubject(text)
	if !ok || !hmac.Equal([]byte(c.value("of")), []byte(a.signedView(text))) {
		return data.Mistake("of", "That is not the mark of a page.")
	}
	if !isBot(c.r.UserAgent()) && !c.isViewer(subject.Member) {
		a.tellViews(c.r.Context(), c.id, subject, a.viewerOf(c))
		if c.actor != nil && subject.Post != 0 {
			a.noteVisit(c, subject.Post, c.at)
		}
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// botNames are parts of the names by which programs call themselves, in lower case.
var botNames = []string{"bot", "crawl", "spider", "slurp", "scrape", "preview", "facebookexternalhit", "headless", "lighthouse", "pagespeed", "monitor", "curl/", "wget/", "python", "go-http", "java/", "okhttp", "axios"}

// isBot tells whether a User-Agent is that of a program and not of a person's browser. Programs that hide it, and run scripts, are counted.
func isBot(agent string) bool {
	agent = strings.ToLower(agent)
	for _, name := range botNames {
		if strings.Contains(agent, name) {
			return true
		}
	}
	return agent == ""
}
