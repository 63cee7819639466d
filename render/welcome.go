package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// WelcomePage is /welcome, the page after sign-up.
type WelcomePage struct {
	Frame
	Communities []CommunityItem
}

// Welcome offers communities to a new member.
func Welcome(p WelcomePage) g.Node {
	return page(p.Frame, "", nil,
		h.H1(g.Text("Welcome to "+p.SiteName)),
		h.P(g.Text("Your front page shows the posts of the communities that you subscribe to. These are lively at the moment:")),
		h.Ul(h.Class("clist"), g.Map(p.Communities, func(c CommunityItem) g.Node {
			return h.Li(h.A(h.Href(communityURL(c.Name)), icon(c.Name, c.Colour), g.Text(named(c.Name))), SubscribeFragment(c.Name, c.Subscribed, p.Path))
		})),
		h.Form(h.Class("row"), sentTo("/welcome"),
			g.Map(p.Communities, func(c CommunityItem) g.Node { return hidden("community", c.Name) }),
			g.If(len(p.Communities) > 0, submit("Subscribe to all")),
			h.A(h.Class("cancel"), h.Href("/"), g.Text("To the front page")),
			h.A(h.Class("cancel"), h.Href("/communities"), g.Text("All communities")),
		),
	)
}
