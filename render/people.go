package render

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

// people is a list of members.
func people(list []Person, f Frame) g.Node {
	return h.Ul(h.Class("crows"), g.Map(list, func(p Person) g.Node {
		return h.Li(
			icon(p.Name, ""),
			h.Div(
				h.H2(author(p.Name)),
				component(func(m *markup) { m.lit(`<p class="muted">`).counted(p.Followers, "follower", "followers").lit(`</p>`) }),
			),
			g.If(!p.IsSelf, FollowFragment(p.Name, p.Followed, f.Path)),
		)
	}))
}
