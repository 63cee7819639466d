package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// htmxConfig keeps htmx within the Content-Security-Policy: no eval, no injected
// style, no request to another origin.
const htmxConfig = `{"allowEval":false,"includeIndicatorStyles":false,"selfRequestsOnly":true}`

// page is the shell around every page. Side may be nil; sideLabel names its fold
// on phones.
func page(f Frame, sideLabel string, side g.Node, main ...g.Node) g.Node {
	layout := "wrap"
	if side == nil {
		layout = "wrap solo"
	}
	return h.Doctype(h.HTML(h.Lang("en"),
		head(f),
		h.Body(
			h.A(h.Class("skip"), h.Href("#main"), g.Text("Skip to content")),
			top(f),
			h.Div(h.Class(layout),
				h.Main(h.ID("main"), h.TabIndex("-1"), g.Attr("hx-target", "closest .votes"), g.Attr("hx-swap", "outerHTML"),
					notice(f.Notice),
					g.Group(main),
				),
				aside(sideLabel, side),
			),
			footer(f),
			h.Div(h.ID("toast"), h.Role("status"), h.Aria("live", "polite")),
		),
	))
}

func head(f Frame) g.Node {
	site := f.site()
	title := site
	if f.Title != "" {
		title = f.Title + " · " + site
	}
	return h.Head(
		h.Meta(h.Charset("utf-8")),
		h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
		h.TitleEl(g.Text(title)),
		meta("description", f.Description),
		g.If(f.NoIndex, h.Meta(h.Name("robots"), h.Content("noindex"))),
		g.If(f.Canonical != "", h.Link(h.Rel("canonical"), h.Href(f.Canonical))),
		g.If(f.FeedURL != "", h.Link(h.Rel("alternate"), h.Type("application/atom+xml"), h.Title(title), h.Href(f.FeedURL))),
		property("og:site_name", site),
		property("og:title", f.Title),
		property("og:description", f.Description),
		property("og:url", f.Canonical),
		property("og:type", "website"),
		h.Meta(h.Name("color-scheme"), h.Content("light dark")),
		h.Meta(h.Name("theme-color"), h.Content("#f3f5f1"), g.Attr("media", "(prefers-color-scheme: light)")),
		h.Meta(h.Name("theme-color"), h.Content("#111614"), g.Attr("media", "(prefers-color-scheme: dark)")),
		h.Meta(h.Name("htmx-config"), h.Content(htmxConfig)),
		h.Link(h.Rel("icon"), h.Href("/favicon.svg"), h.Type("image/svg+xml")),
		h.Link(h.Rel("stylesheet"), h.Href(AppCSS)),
		// app.js is small and not deferred: it sets the remembered theme before the
		// first paint, so that the page never flashes.
		h.Script(h.Src(AppJS)),
		h.Script(h.Src(HTMXJS), h.Defer()),
	)
}

func meta(name, content string) g.Node {
	if content == "" {
		return nil
	}
	return h.Meta(h.Name(name), h.Content(content))
}

func property(name, content string) g.Node {
	if content == "" {
		return nil
	}
	return h.Meta(g.Attr("property", name), h.Content(content))
}

func (f Frame) site() string {
	if f.SiteName == "" {
		return "Plaza"
	}
	return f.SiteName
}

func top(f Frame) g.Node {
	return h.Header(h.Class("top"), h.Div(h.Class("bar"),
		h.A(h.Class("logo"), h.Href("/"), logo(), g.Text(f.site())),
		h.Nav(h.Aria("label", "Site"),
			h.A(h.Href("/communities"), g.Text("Communities")),
		),
		account(f),
	))
}

// logo is a paving tile; its colours come from the style sheet.
func logo() g.Node {
	return h.SVG(h.Class("tile"), g.Attr("viewBox", "0 0 24 24"), h.Aria("hidden", "true"),
		path("t1", "M2 0h10v12H0V2a2 2 0 0 1 2-2z"),
		path("t2", "M12 0h10a2 2 0 0 1 2 2v10A12 12 0 0 1 12 0z"),
		path("t2", "M0 12a12 12 0 0 1 12 12H2a2 2 0 0 1-2-2z"),
		path("t3", "M12 12h12v10a2 2 0 0 1-2 2H12z"),
	)
}

func path(class, d string) g.Node { return g.El("path", h.Class(class), g.Attr("d", d)) }

func account(f Frame) g.Node {
	v := f.Viewer
	if v == nil {
		return h.Div(h.Class("account"),
			h.A(h.Href(withReturn("/login", f.Path)), g.Text("Log in")),
			h.A(h.Class("button"), h.Href(withReturn("/signup", f.Path)), g.Text("Sign up")),
		)
	}
	return h.Div(h.Class("account"),
		h.A(h.Class("button"), h.Href("/submit"), g.Text("Post")),
		h.Details(h.Class("menu"),
			h.Summary(icon(v.Name, ""), h.Span(g.Text(v.Name)),
				g.If(v.Unread > 0, h.B(g.Text(compact(int64(v.Unread))), h.Span(h.Class("vh"), g.Text(" unread"))))),
			h.Div(
				h.A(h.Href(userURL(v.Name)), g.Text("Your profile")),
				g.If(v.Unread > 0, h.A(h.Href("/inbox"), g.Text(plural(int64(v.Unread), "unread message", "unread messages")))),
				h.Span(h.Class("muted"), g.Text(exact(v.Karma)+" karma")),
				h.Form(h.Method("post"), h.Action("/logout"), h.Button(g.Text("Log out"))),
			),
		),
	)
}

func notice(s string) g.Node {
	if s == "" {
		return nil
	}
	return h.P(h.Class("notice"), h.Role("status"), g.Text(s))
}

func aside(label string, side g.Node) g.Node {
	if side == nil {
		return nil
	}
	return h.Aside(h.Aria("label", label), h.Details(h.Class("side"), h.Summary(g.Text(label)), h.Div(h.Class("cards"), side)))
}

func footer(f Frame) g.Node {
	return h.Footer(h.Class("foot"),
		h.P(g.Text(f.site()+" works without JavaScript, sets no tracker and asks no other site for anything.")),
		h.P(
			g.If(f.FeedURL != "", h.A(h.Href(f.FeedURL), g.Text("Atom feed"))),
			h.Button(h.ID("theme"), h.Type("button"), g.Text("Theme: as the device")),
		),
	)
}
