package worker

import (
	"net/http"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/site"
	"plaza/render"
)

// pageTitles are the headings of the site's pages.
var pageTitles = map[string]string{"about": "About this site", "rules": "Rules of this site", "privacy": "Privacy", "terms": "Terms", "contact": "Contact"}

// pageText is the HTML of a page of the site.
func pageText(p *site.Page) render.HTML {
	if p.HTML != "" {
		return render.HTML(p.HTML)
	}
	html, err := render.RenderMarkdown(p.Body, data.SidebarHTMLMax) // the first text
	if err != nil {
		return render.RenderPlain(p.Body)
	}
	return html
}

// showSitePage is a page that administrators write.
func (a *App) showSitePage(c *call) error {
	name := strings.TrimPrefix(c.r.URL.Path, "/")
	r := c.read()
	text := a.settings.FindPage(r, name)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.SitePage{Frame: c.frame(pageTitles[name], pageTitles[name]+": "+a.siteName(), "/"+name), Text: pageText(text)}
	if name == "rules" {
		for _, rule := range c.site().Rules {
			p.Rules = append(p.Rules, render.Rule(rule))
		}
	}
	if c.viewer != nil && c.viewer.Admin {
		p.EditURL = editPageURL(name)
	}
	return show(c, http.StatusOK, render.Site, p)
}

// showEditPage is the form by which administrators write a page.
func (a *App) showEditPage(c *call) error {
	name := c.r.PathValue("page")
	r := c.read()
	text := a.settings.FindPage(r, name)
	if err := c.run(r); err != nil {
		return err
	}
	if !site.IsPage(name) {
		return errNoPage
	}
	return a.editSitePage(c, http.StatusOK, render.Form{Errors: map[string]string{}, Values: map[string]string{
		"revision": strconv.FormatInt(text.Revision, 10), "body": text.Body}})
}

func (a *App) editSitePage(c *call, status int, f render.Form) error {
	name := c.r.PathValue("page")
	p := render.EditSitePage{Frame: c.frame(pageTitles[name], "", ""), Page: name, Form: f}
	p.NoIndex = true
	return show(c, status, render.EditSite, p)
}

func (a *App) writePage(c *call) error {
	name := c.r.PathValue("page")
	if err := c.run(c.read()); err != nil { // before the text is looked at
		return err
	}
	if !site.IsPage(name) {
		return errNoPage
	}
	body := c.value("body")
	err := site.ValidatePage(body)
	var html string
	if err == nil {
		html, err = markdown("body", body, data.SidebarHTMLMax)
	}
	if err != nil {
		return a.refusePageText(c, err)
	}
	revision, err := a.settings.WritePage(c.r.Context(), *c.actor, site.Page{Name: name, Revision: revisionOf(c), Body: body, HTML: html})
	c.conflict(err, revision)
	if err != nil {
		return a.refusePageText(c, err)
	}
	return c.done("/"+name, map[string]any{"permalink": "/" + name, "revision": revision})
}

func (a *App) refusePageText(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) || data.ErrorCode(err) == data.Forbidden || !site.IsPage(c.r.PathValue("page")) {
		return err
	}
	return a.editSitePage(c, formStatus(err), wrong(c.typed("revision", "body"), err))
}
