package admin

import (
	"encoding/json"
	"net/http"

	"plaza/worker/request"
)

// manifest is what a device needs to install the site as an app (W3C, Web Application Manifest).
type manifest struct {
	ID              string     `json:"id"`
	Name            string     `json:"name"`
	Description     string     `json:"description,omitempty"`
	Lang            string     `json:"lang"`
	StartURL        string     `json:"start_url"`
	Display         string     `json:"display"`
	DisplayOverride []string   `json:"display_override"`
	ThemeColor      string     `json:"theme_color"`
	BackgroundColor string     `json:"background_color"`
	Icons           []icon     `json:"icons"`
	Shortcuts       []shortcut `json:"shortcuts"`
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

// ShowManifest is the web app manifest. Name and description come from the settings.
func (h *Handlers) ShowManifest(c *request.Call) error {
	r := h.DB.Read()
	h.Settings.Find(r)
	if err := r.Run(c.R.Context()); err != nil {
		return err
	}
	const background = "#f5f3ee" // --bg in web/css/1-base.css
	b, err := json.Marshal(manifest{
		ID: "/", Name: h.SiteName(), Description: h.Settings.Now().Tagline, Lang: "en", StartURL: "/",
		// iOS sends notifications to standalone apps only. Elsewhere minimal-ui has a button for going back.
		Display: "standalone", DisplayOverride: []string{"minimal-ui"},
		ThemeColor: background, BackgroundColor: background,
		Icons: []icon{
			{Src: "/favicon.svg", Sizes: "any", Type: "image/svg+xml"},
			{Src: "/icon-192.png", Sizes: "192x192", Type: "image/png"},
			{Src: "/icon-512.png", Sizes: "512x512", Type: "image/png"},
			{Src: "/icon-maskable-512.png", Sizes: "512x512", Type: "image/png", Purpose: "maskable"},
		},
		Shortcuts: []shortcut{{"Post", "/submit"}, {"Inbox", "/inbox"}, {"Search", "/search"}},
	})
	if err != nil {
		return err
	}
	return c.Send(http.StatusOK, "application/manifest+json", b)
}
