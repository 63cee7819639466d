package admin

import (
	"encoding/json"
	"fmt"
	"net/http"

	"plaza/data/site"
	"plaza/locale"
	"plaza/render/card"
	"plaza/worker/request"
)

// manifest is what a device needs to install the site as an app (W3C, Web Application Manifest).
type manifest struct {
	ID              string       `json:"id"`
	Name            string       `json:"name"`
	Description     string       `json:"description"`
	Lang            string       `json:"lang"`
	StartURL        string       `json:"start_url"`
	Display         string       `json:"display"`
	DisplayOverride []string     `json:"display_override"`
	ThemeColor      string       `json:"theme_color"`
	BackgroundColor string       `json:"background_color"`
	Icons           []icon       `json:"icons"`
	Screenshots     []screenshot `json:"screenshots"`
	Shortcuts       []shortcut   `json:"shortcuts"`
	ShareTarget     shareTarget  `json:"share_target"`
}

type screenshot struct {
	Src        string `json:"src"`
	Sizes      string `json:"sizes"`
	Type       string `json:"type"`
	FormFactor string `json:"form_factor,omitempty"`
	Label      string `json:"label"`
}

// shareTarget is the form to which other apps can share (W3C, Web Share Target). Params are the form's names for what they share.
type shareTarget struct {
	Action string            `json:"action"`
	Method string            `json:"method"`
	Params map[string]string `json:"params"`
}

type icon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

type shortcut struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// ShowManifest is the web app manifest. Name and description come from the settings. The screenshot is the site's card, which says what the
// site is. Before they install an app, browsers on desktops show only one with the form factor wide, and those on phones only one without.
func (h *Handlers) ShowManifest(c *request.Call) error {
	r := h.DB.Read()
	h.Settings.Find(r)
	if err := r.Run(c.R.Context()); err != nil {
		return err
	}
	const background = "#f5f3ee" // --bg in web/css/1-base.css
	about, size := locale.English.Say(h.About()), fmt.Sprintf("%dx%d", card.Width, card.Height)
	shot := screenshot{Src: "/img/card/" + request.SiteCard, Sizes: size, Type: "image/png", Label: about}
	wide := shot
	wide.FormFactor = "wide"
	shortcuts := []shortcut{{"Post", "/submit"}, {"Inbox", "/inbox"}, {"Search", "/search"}}
	if h.Settings.Now().Editions != site.EditionsNever {
		shortcuts = append(shortcuts, shortcut{"Edition", "/edition"})
	}
	b, err := json.Marshal(manifest{
		ID: "/", Name: h.SiteName(), Description: about, Lang: "en", StartURL: "/",
		// iOS sends notifications to standalone apps only. Elsewhere minimal-ui has a button for going back.
		Display: "standalone", DisplayOverride: []string{"minimal-ui"},
		ThemeColor: background, BackgroundColor: background,
		Icons: []icon{
			{Src: "/favicon.svg", Sizes: "any", Type: "image/svg+xml"},
			{Src: "/icon-192.png", Sizes: "192x192", Type: "image/png"},
			{Src: "/icon-512.png", Sizes: "512x512", Type: "image/png"},
			{Src: "/icon-maskable-512.png", Sizes: "512x512", Type: "image/png", Purpose: "maskable"},
		},
		Screenshots: []screenshot{wide, shot},
		Shortcuts:   shortcuts,
		ShareTarget: shareTarget{"/submit", http.MethodGet, map[string]string{"title": "title", "url": "link", "text": "shared"}},
	})
	if err != nil {
		return err
	}
	return c.Send(http.StatusOK, "application/manifest+json", b)
}
