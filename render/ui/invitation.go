package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Invitation is one to moderate a community, for who is invited.
type Invitation struct {
	Community string `json:"community"` // Name of the community.
	Role      string `json:"role"`      // `owner`, `moderator` or `approver`.
	By        string `json:"by"`        // Username of who has invited; empty where that isn't known.
}

// Invitation asks the viewer whether they want to moderate a community.
func InvitationRow(i Invitation) g.Node {
	article := "a"
	if i.Role != "moderator" {
		article = "an"
	}
	return h.Div(h.Class("case"),
		h.P(g.If(i.By != "", g.Group{Author(i.By), g.Text(" invites you")}), g.If(i.By == "", g.Text("You are invited")),
			g.Text(" to be "+article+" "+i.Role+" of "),
			h.A(h.Href(CommunityURL(i.Community)), g.Text("c/"+i.Community)), g.Text(".")),
		h.Form(h.Class("decide"), PostTo(CommunityURL(i.Community)+"/moderators/own"), Hidden("role", i.Role),
			Decision("do", "accept", "button", "Accept", "c/"+i.Community), Decision("do", "decline", "button quiet", "Decline", "c/"+i.Community)))
}
