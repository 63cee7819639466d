package listing

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// BlockFragment is the button to block or unblock a member. The script gets it in its new state as the response.
func BlockFragment(name string, on bool, ret string) g.Node {
	return ui.Toggle("/block", "user", name, name, on, "Block¦verb", "Unblock¦verb", ret)
}

// BlockPage asks whether to block a member. Fields: user, on, return.
type BlockPage struct {
	ui.Frame
	Name      string
	ReturnURL string
}

// Block is the page of a BlockPage.
func Block(p BlockPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Form(h.Class("sheet"), ui.PostTo("/block"),
			h.H1(ui.T("Block {}?", p.Name)),
			h.P(ui.T(whatBlockingDoes)),
			ui.Hidden("user", p.Name), ui.Hidden("on", "1"), ui.Hidden("return", p.ReturnURL),
			h.Div(h.Class("row"), h.Button(h.Class("button danger"), ui.T("Block¦verb")), ui.Cancel(p.ReturnURL)),
		),
	)
}

const whatBlockingDoes locale.Text = "Their posts and comments are folded away and leave your inbox, and they can't reply to you. " +
	"They are not told. You can unblock them at any time."

// BlockedPage is /settings/blocked.
type BlockedPage struct {
	ui.Frame
	Members []BlockedMember
	NextURL string
}

// BlockedMember is a member whom the viewer blocks.
type BlockedMember struct {
	Name   string
	Avatar ui.Avatar
}

// BlockedMembers is the page of a BlockedPage.
func BlockedMembers(p BlockedPage) g.Node {
	return ui.SettingsPage(p.Frame, "/settings/blocked",
		h.P(h.Class("muted"), ui.T(whatBlockingDoes), g.Text(" "),
			ui.T("You block members on their profiles or below their comments.")),
		g.If(len(p.Members) == 0, ui.EmptyState(ui.Nothing("You have not blocked anybody.", "Front page", "/"))),
		h.Div(h.Class("sheet"), ui.Rows(p.Members, func(b BlockedMember) g.Node {
			return ui.Row(h.A(h.Href(ui.ProfileURL(b.Name)), ui.AvatarImage(b.Name, b.Avatar), ui.DisplayName(b.Name)), nil,
				BlockFragment(b.Name, true, p.Path))
		})),
		ui.Pager("", p.NextURL),
	)
}
