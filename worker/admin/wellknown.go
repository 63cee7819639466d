package admin

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/site"
	"plaza/worker/request"
)

var errNoContact = &data.Error{Code: data.NotFound, Message: "This site has not named a contact for security reports."}

// securityLife is how long security.txt is valid (Expires).
const securityLife = 180 * 24 * time.Hour

// ShowSecurity says where to report a vulnerability (RFC 9116). NotFound when the settings have no contact.
func (h *Handlers) ShowSecurity(c *request.Call) error {
	contact := strings.Join(strings.Fields(h.SecurityContact), "")
	if contact == "" {
		return errNoContact
	}
	if !strings.Contains(contact, ":") {
		contact = "mailto:" + contact
	}
	expires := h.Source.Now().UTC().Add(securityLife).Truncate(24 * time.Hour)
	return c.Send(http.StatusOK, "text/plain; charset=utf-8", fmt.Appendf(nil, "Contact: %s\nExpires: %s\nPreferred-Languages: "+
		"en\nCanonical: %s%s\n",
		contact, expires.Format(time.RFC3339), h.SiteURL, request.SecurityURL))
}

// notForRobots are pages without content for crawlers.
var notForRobots = []string{"/login", "/signup", "/submit", "/post", "/reply", "/report", "/edit", "/delete", "/draft", "/discussions",
	"/p/", "/messages", "/settings", "/inbox", "/c/*/submit", "/oembed"}

// aiCrawlers are the crawlers that gather texts to train language models, by the names that their operators give. Crawlers for a search
// engine, or for the question of a person about a page, are not among them.
var aiCrawlers = []string{"AI2Bot", "Amazonbot", "Applebot-Extended", "Bytespider", "CCBot", "ClaudeBot", "cohere-training-data-crawler",
	"Diffbot", "Google-Extended", "GPTBot", "meta-externalagent"}

// Robots is /robots.txt (RFC 9309). It keeps crawlers from pages that show them nothing, and names the sitemap. If administrators have
// chosen so, it disallows all pages for aiCrawlers. It fails while the settings are not known.
func (h *Handlers) Robots(c *request.Call) error {
	r := c.Read()
	h.Settings.Find(r)
	if err := c.Run(r); err != nil && !h.Settings.Known() {
		return err // crawlers stay away until they get the file (RFC 9309, 2.3.1.4)
	}
	text := "User-agent: *\nDisallow: " + strings.Join(notForRobots, "\nDisallow: ") + "\n\n"
	if h.Settings.Now().AICrawlers == site.CrawlersRefused {
		text += "User-agent: " + strings.Join(aiCrawlers, "\nUser-agent: ") + "\nDisallow: /\n\n"
	}
	return c.Send(http.StatusOK, "text/plain; charset=utf-8", []byte(text+"Sitemap: "+h.SiteURL+request.SitemapURL+"\n"))
}
