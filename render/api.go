package render

import (
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// APIPage is /api: what programs can read and do. In its texts, what stands in backquotes is written by programs.
type APIPage struct {
	Frame
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

// APIObject is a kind of thing with its fields.
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
	return page(p.Frame, "", nil, h.Div(h.Class("head"), h.Div(h.H1(g.Text("For programs")))), component(func(m *markup) {
		m.lit(`<div class="md"><p>Every page in this list is there as JSON: put <code>.json</code> behind its path. Reading needs no account. What is for members, `)
		m.lit(`and every action, takes an API token, which you make in <a href="/settings/tokens">your settings</a>: <code>Authorization: Bearer plaza_…</code></p>`)
		m.lit(`<p>The same for machines: <a href="/api.json">the OpenAPI document</a>.</p>`)
		m.lit(`<h2>Reading</h2><p>Fields are below, at the kind of answer. <code>next</code> is the address of the next page.</p><ul>`)
		for _, l := range p.Reads {
			m.lit(`<li><code>GET `).text(l.Address).lit(`</code><br>`).coded(l.Says).lit(` <a href="#`).text(l.Object).lit(`">`).text(l.Object).lit(`</a></li>`)
		}
		m.lit(`</ul><h2>Actions</h2><p>Send fields as a JSON object or as a form. Errors have a <code>code</code>, a <code>message</code> and, if it is about one, the <code>field</code>. `)
		m.lit(`After too many calls the answer is 429, with the seconds to wait in <code>Retry-After</code>.</p><ul>`)
		for _, l := range p.Actions {
			m.lit(`<li><code>POST `).text(l.Address).lit(`</code><br>`).coded(l.Says)
			if l.More != "" {
				m.lit(`<br><span class="muted">`).coded(l.More).lit(`</span>`)
			}
			m.lit(`</li>`)
		}
		m.lit(`</ul><h2>Answers</h2>`)
		for _, o := range p.Objects {
			m.lit(`<h3 id="`).text(o.Name).lit(`">`).text(o.Name).lit(`</h3><ul>`)
			for _, f := range o.Fields {
				m.lit(`<li><code>`).text(f.Name).lit(`</code> <span class="muted">`).text(f.Type).lit(`</span>`)
				if f.Object != "" {
					m.lit(` <a href="#`).text(f.Object).lit(`">`).text(f.Object).lit(`</a>`)
				}
				m.lit(` `).coded(f.Says).lit(`</li>`)
			}
			m.lit(`</ul>`)
		}
		m.lit(`</div>`)
	}))
}

// coded writes a text of this site in which backquotes stand around what programs write.
func (m *markup) coded(s string) *markup {
	for i, part := range strings.Split(s, "`") {
		if i%2 == 0 {
			m.text(part)
		} else {
			m.lit(`<code>`).text(part).lit(`</code>`)
		}
	}
	return m
}
