package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Person is a member as a line of a list.
type Person struct {
	Name      string
	Followers int64
	Followed  bool // by the viewer
	IsSelf    bool
}

// People is a list of members.
func People(list []Person, f Frame) g.Node {
	return h.Ul(h.Class("crows"), g.Map(list, func(p Person) g.Node {
		return h.Li(
			Icon(p.Name, ""),
			h.Div(
				h.H2(Author(p.Name)),
				Component(func(m *Markup) { m.Lit(`<p class="muted">`).Counted(p.Followers, "follower", "followers").Lit(`</p>`) }),
			),
			g.If(!p.IsSelf, FollowFragment(p.Name, p.Followed, f.Path)),
		)
	}))
}
