package account

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// ClaimPage is /claim: how to claim an imported account. The form goes to /contact.
type ClaimPage struct {
	ui.Frame
	Name            string
	Site, Elsewhere string // the other site, and the account's name there
	Proof           string // text to post there
	LinkURL         string // opens the account once an administrator has approved
	Form            ui.Form
}

// Claim is the page of a ClaimPage.
func Claim(p ClaimPage) g.Node {
	return ui.Page(p.Frame, "", nil, h.Form(h.Class("sheet"), ui.PostTo("/contact"),
		h.H1(ui.T("Is {} yours?", p.Name)),
		h.P(ui.T("What {} wrote here was imported from {}, where it is by {}. If that is you, you can take over this "+
			"account.", p.Name, p.Site, p.Elsewhere)),
		h.Ol(
			h.Li(h.P(ui.T("Keep this link secret. It will let you choose a password.")), h.P(h.Code(g.Text(p.LinkURL)))),
			h.Li(h.P(ui.T("Post this where only {} can write at {}, such as in a post or the profile.", p.Elsewhere, p.Site)),
				h.P(h.Code(g.Text(p.Proof)))),
			h.Li(h.P(ui.T("Tell the administrators where it is. Once they have found it, the link works for 14 days."))),
		),
		ui.FormToken(p.Form),
		g.If(p.Viewer == nil, ui.Hidden("name", p.Elsewhere)),
		ui.FormField(p.Form, ui.Input{Name: "email", Label: "Email (optional)",
			Hint: "For the answer. Only administrators see it.", Kind: "email", Attrs: g.Group{h.AutoComplete("email")}}),
		ui.FormField(p.Form, ui.Input{Name: "body", Label: "Message", Kind: "textarea", Attrs: g.Group{h.Rows("6"), h.Required()}}),
		ui.Submit("Send"),
	))
}

// LetClaimPage is /admin/claim: an administrator grants the claim to an imported account. Fields: user, proof.
type LetClaimPage struct {
	ui.Frame
	Form ui.Form
}

// LetClaim is the page of a LetClaimPage.
func LetClaim(p LetClaimPage) g.Node {
	return ui.AdminPage(p.Frame, "/admin/claim", h.H1(ui.T("Claimed accounts")), h.Form(h.Class("sheet form-rows"), ui.PostTo("/admin/claim"),
		h.P(ui.T("Somebody claims an imported account. Look for their text at the address that they name: only the account of that name must "+
			"be able to write there. Hand over the account only then: whoever has the link chooses its password.")),
		ui.FormError(p.Form),
		ui.FormField(p.Form, ui.Input{Name: "user", Label: "Account here", Kind: "text", Attrs: g.Group{h.Required(), h.AutoComplete("off"),
			g.Attr("autocapitalize", "none")}}),
		ui.FormField(p.Form, ui.Input{Name: "proof", Label: "Text that you found", Kind: "text",
			Attrs: g.Group{h.Required(), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
		ui.Submit("Hand over"),
	))
}
