package admin

import (
	"net/http"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/site"
	"plaza/locale"
	pages "plaza/render/admin"
	"plaza/render/markdown"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// pageTitles are the headings of the site's pages.
var pageTitles = map[string]locale.Text{"about": "About this site", "rules": "Rules of this site", "privacy": "Privacy", "terms": "Terms",
	"contact": "Contact"}

// pageText is the HTML of a page of the site.
func pageText(p *site.Page) markdown.HTML {
	if p.HTML != "" {
		return markdown.HTML(p.HTML)
	}
	html, err := markdown.Render(p.Body, data.SidebarHTMLMax) // the text of a new site, which has no stored HTML
	if err != nil {
		return markdown.Plain(p.Body)
	}
	return html
}

// ShowSitePage is a page that administrators write.
func (h *Handlers) ShowSitePage(c *request.Call) error {
	name := strings.TrimPrefix(c.R.URL.Path, "/")
	r := c.Read()
	text := h.Settings.FindPage(r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.SitePage{Frame: c.PublicFrame(pageTitles[name], locale.With("{}: {}", pageTitles[name], h.SiteName()), "/"+name),
		Text: pageText(text)}
	if name == "rules" {
		for _, rule := range c.Site().Rules {
			p.Rules = append(p.Rules, ui.Rule(rule))
		}
	}
	if c.Viewer != nil && c.Viewer.Admin {
		p.EditURL = ui.EditSitePageURL(name)
	}
	return request.Show(c, http.StatusOK, pages.Site, p)
}

// ShowEditPage is the form by which administrators write a page.
func (h *Handlers) ShowEditPage(c *request.Call) error {
	name := c.R.PathValue("page")
	r := c.Read()
	text := h.Settings.FindPage(r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if !site.IsPage(name) {
		return request.ErrNoPage
	}
	return h.editSitePage(c, http.StatusOK, ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{
		"revision": strconv.FormatInt(text.Revision, 10), "body": text.Body}})
}

func (h *Handlers) editSitePage(c *request.Call, status int, f ui.Form) error {
	name := c.R.PathValue("page")
	p := pages.EditSitePage{Frame: c.Frame(pageTitles[name]), Page: name, Form: f}
	return request.Show(c, status, pages.EditSite, p)
}

func (h *Handlers) WritePage(c *request.Call) error {
	name := c.R.PathValue("page")
	if err := c.Run(c.Read()); err != nil { // refuses the caller before the text is checked
		return err
	}
	if !site.IsPage(name) {
		return request.ErrNoPage
	}
	body := c.Value("body")
	err := site.ValidatePage(body)
	var html string
	if err == nil {
		html, err = view.Markdown("body", body, data.SidebarHTMLMax)
	}
	if err != nil {
		return h.RefusePageText(c, err)
	}
	revision, err := h.Settings.WritePage(c.R.Context(), *c.Actor, site.Page{Name: name, Revision: request.RevisionOf(c), Body: body,
		HTML: html})
	c.Conflict(err, revision)
	if err != nil {
		return h.RefusePageText(c, err)
	}
	return c.Done("/"+name, map[string]any{"permalink": "/" + name, "revision": revision})
}

func (h *Handlers) RefusePageText(c *request.Call, err error) error {
	if !site.IsPage(c.R.PathValue("page")) {
		return err
	}
	return request.Refuse(c, err, h.editSitePage, []string{"revision", "body"}, data.Forbidden)
}
