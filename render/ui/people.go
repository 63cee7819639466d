package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Person is a member as a line of a list.
type Person struct {
	Name      string `json:"name"`      // Username.
	Followers int64  `json:"followers"` // How many follow the member.
	Followed  bool   `json:"followed"`  // Whether the viewer follows the member.
	IsSelf    bool   `json:"self"`      // Whether it is the viewer.
}

// People is a list of members.
func People(list []Person, f Frame) g.Node {
	return h.Ul(h.Class("crows"), g.Map(list, func(p Person) g.Node {
		return h.Li(
			Icon(p.Name, "", ""),
			h.Div(
				h.H2(Author(p.Name)),
				h.P(h.Class("muted"), Counted(p.Followers, "{} follower|{} followers")),
			),
			g.If(!p.IsSelf, FollowFragment(p.Name, p.Followed, f.Path)),
		)
	}))
}
