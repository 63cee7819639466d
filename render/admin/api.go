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
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("head"), h.Div(h.H1(ui.T("API")))), h.Div(h.Class("md"),
		h.P(ui.T("Every page in this list is there as JSON: put {} behind its path. Reading needs no account. What is "+
			"for members, and every action, takes an API token, which you make in {}: {}", code(".json"),
			h.A(h.Href("/settings/tokens"), ui.T("your settings")), code("Authorization: Bearer plaza_…"))),
		h.P(ui.T("The same for machines: {}.", h.A(h.Href("/api.json"), ui.T("the OpenAPI document")))),
		h.H2(ui.T("Reading")),
		h.P(ui.T("Fields are below, at the kind of answer. {} is the address of the next page.", code("next"))),
		h.Ul(g.Map(p.Reads, func(l APILine) g.Node {
			return h.Li(code("GET "+l.Address), h.Br(), coded(l.Says), g.Text(" "), objectLink(l.Object))
		})),
		h.H2(ui.T("Actions")),
		h.P(ui.T("Send fields as a JSON object or as a form. Errors have a {}, a {} and, if it is "+
			"about one, the {}. After too many calls the answer is 429, with the seconds to wait in {}.", code("code"), code("message"),
			code("field"), code("Retry-After"))),
		h.Ul(g.Map(p.Actions, func(l APILine) g.Node {
			return h.Li(code("POST "+l.Address), h.Br(), coded(l.Says),
				g.If(l.More != "", g.Group{h.Br(), h.Span(h.Class("muted"), coded(l.More))}))
		})),
		h.H2(ui.T("Answers")),
		g.Map(p.Objects, apiObject),
	))
}

// apiObject is the list of an object's fields.
func apiObject(o APIObject) g.Node {
	return g.Group{h.H3(h.ID(o.Name), g.Text(o.Name)), h.Ul(g.Map(o.Fields, func(f APIField) g.Node {
		return h.Li(code(f.Name), g.Text(" "), h.Span(h.Class("muted"), g.Text(f.Type)),
			g.If(f.Object != "", g.Group{g.Text(" "), objectLink(f.Object)}), g.Text(" "), coded(f.Says))
	}))}
}

func objectLink(name string) g.Node { return h.A(h.Href("#"+name), g.Text(name)) }

// code marks a text as code.
func code(s string) g.Node { return h.Code(g.Text(s)) }

// coded is a text of this site in which backquotes mark code.
func coded(s string) g.Node {
	var parts g.Group
	for i, part := range strings.Split(s, "`") {
		if i%2 == 0 {
			parts = append(parts, g.Text(part))
		} else {
			parts = append(parts, code(part))
		}
	}
	return parts
}
