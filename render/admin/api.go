package admin

import (
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// APIPage is /api: what programs can read and do. In its texts, backquotes mark code. What it says of pages, actions and fields is English
// in all languages.
type APIPage struct {
	ui.Frame
	Reads   []APILine // pages in JSON
	Actions []APILine
	Objects []APIObject // what the pages are made of
}

// APILine is a page or an action.
type APILine struct {
	Address string
	Says    string
	More    string // about the fields; "" for none
	Object  string // name of the object that a page is
}

// APIObject is a type of object with its fields.
type APIObject struct {
	Name   string
	Fields []APIField
}

// APIField is a field of an object.
type APIField struct {
	Name   string
	Type   string
	Says   string
	Object string // name of the object that it is, or has several of; "" for none
}

// API is the page of an APIPage.
func API(p APIPage) g.Node {
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("head"), h.Div(h.H1(ui.T("API")))), ui.Component(func(m *ui.Markup) {
		m.Lit(`<div class="md"><p>`).Say("Every page in this list is there as JSON: put {} behind its path. Reading needs no account. What is "+
			"for members, and every action, takes an API token, which you make in {}: {}", code(".json"),
			h.A(h.Href("/settings/tokens"), ui.T("your settings")), code("Authorization: Bearer plaza_…")).Lit(`</p>`)
		m.Lit(`<p>`).Say("The same for machines: {}.", h.A(h.Href("/api.json"), ui.T("the OpenAPI document"))).Lit(`</p>`)
		m.Lit(`<h2>`).Say("Reading").Lit(`</h2><p>`).Say("Fields are below, at the kind of answer. {} is the address of the next page.",
			code("next")).Lit(`</p><ul>`)
		for _, l := range p.Reads {
			coded(m.Lit(`<li><code>GET `).Text(l.Address).Lit(`</code><br>`), l.Says).Lit(` <a href="#`).Text(l.Object).Lit(`">`).Text(l.Object).
				Lit(`</a></li>`)
		}
		m.Lit(`</ul><h2>`).Say("Actions").Lit(`</h2><p>`).Say("Send fields as a JSON object or as a form. Errors have a {}, a {} and, if it is "+
			"about one, the {}. After too many calls the answer is 429, with the seconds to wait in {}.", code("code"), code("message"),
			code("field"), code("Retry-After")).Lit(`</p><ul>`)
		for _, l := range p.Actions {
			coded(m.Lit(`<li><code>POST `).Text(l.Address).Lit(`</code><br>`), l.Says)
			if l.More != "" {
				coded(m.Lit(`<br><span class="muted">`), l.More).Lit(`</span>`)
			}
			m.Lit(`</li>`)
		}
		m.Lit(`</ul><h2>`).Say("Answers").Lit(`</h2>`)
		for _, o := range p.Objects {
			m.Lit(`<h3 id="`).Text(o.Name).Lit(`">`).Text(o.Name).Lit(`</h3><ul>`)
			for _, f := range o.Fields {
				m.Lit(`<li><code>`).Text(f.Name).Lit(`</code> <span class="muted">`).Text(f.Type).Lit(`</span>`)
				if f.Object != "" {
					m.Lit(` <a href="#`).Text(f.Object).Lit(`">`).Text(f.Object).Lit(`</a>`)
				}
				coded(m.Lit(` `), f.Says).Lit(`</li>`)
			}
			m.Lit(`</ul>`)
		}
		m.Lit(`</div>`)
	}))
}

// code marks a text as code.
func code(s string) g.Node { return h.Code(g.Text(s)) }

// coded writes a text of this site in which backquotes mark code.
func coded(m *ui.Markup, s string) *ui.Markup {
	for i, part := range strings.Split(s, "`") {
		if i%2 == 0 {
			m.Text(part)
		} else {
			m.Lit(`<code>`).Text(part).Lit(`</code>`)
		}
	}
	return m
}
