package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// Invitation is an invitation of the viewer to moderate a community.
type Invitation struct {
	Community string `json:"community"` // Name of the community.
	Role      string `json:"role"`      // `owner`, `moderator` or `approver`.
	By        string `json:"by"`        // Username of who has invited; empty where that isn't known.
}

// invitations are the texts of an invitation to each role: without the name of who invites, and with it.
var invitations = map[string][2]locale.Text{
	"owner":     {"You are invited to be an owner of {}.", "{} invites you to be an owner of {}."},
	"moderator": {"You are invited to be a moderator of {}.", "{} invites you to be a moderator of {}."},
	"approver":  {"You are invited to be an approver of {}.", "{} invites you to be an approver of {}."},
}

// InvitationRow asks the viewer whether they accept an invitation.
func InvitationRow(i Invitation) g.Node {
	place := h.A(h.Href(CommunityURL(i.Community)), g.Text("c/"+i.Community))
	says := T(invitations[i.Role][0], place)
	if i.By != "" {
		says = T(invitations[i.Role][1], Author(i.By), place)
	}
	return h.Div(h.Class("case"),
		h.P(says),
		h.Form(h.Class("decide"), PostTo(CommunityURL(i.Community)+"/moderators/own"), Hidden("role", i.Role),
			Decision("do", "accept", "button", "Accept", CommunityLabel(i.Community)),
			Decision("do", "decline", "button quiet", "Decline", CommunityLabel(i.Community))))
}
