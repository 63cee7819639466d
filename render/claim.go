package render

import (
	"net/url"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// ClaimPage is /claim: how somebody claims an account that came by an import. The form goes to /contact.
type ClaimPage struct {
	Frame
	Name            string
	Site, Elsewhere string // where the account is known as Elsewhere
	Proof           string // to be shown there
	LinkURL         string // opens the account once an administrator has let it
	Form            Form
}

// Claim is the page of a ClaimPage.
func Claim(p ClaimPage) g.Node {
	return page(p.Frame, "", nil, h.Form(h.Class("sheet"), sentTo("/contact"),
		h.H1(g.Text("Is "+p.Name+" yours?")),
		h.P(g.Text("What "+p.Name+" wrote here was brought from "+p.Site+", where it is by "+p.Elsewhere+". If that is you, the account can be yours here as well.")),
		h.Ol(
			h.Li(h.P(g.Text("Keep this link, and tell nobody. It will let you choose a password.")), h.P(h.Code(g.Text(p.LinkURL)))),
			h.Li(h.P(g.Text("Write this where only "+p.Elsewhere+" can write at "+p.Site+", such as a post or the profile.")), h.P(h.Code(g.Text(p.Proof)))),
			h.Li(h.P(g.Text("Tell the administrators where it is. When they have found it there, the link works for 14 days."))),
		),
		formToken(p.Form),
		g.If(p.Viewer == nil, hidden("name", p.Elsewhere)),
		field(p.Form, input{name: "email", label: "Email (optional)", hint: "Where you want to be answered. Only administrators see it.", kind: "email", attrs: g.Group{h.AutoComplete("email")}}),
		field(p.Form, input{name: "body", label: "Message", kind: "textarea", attrs: g.Group{h.Rows("6"), h.Required()}}),
		submit("Send"),
	))
}

// claimNote tells visitors of a profile that nobody here has written what it lists.
func claimNote(name, site, elsewhere string) g.Node {
	if site == "" {
		return nil
	}
	return h.P(h.Class("hint"), g.Text("Brought from "+site+", where it is by "+elsewhere+". "), h.A(h.Href("/claim?user="+url.QueryEscape(name)), h.Rel("nofollow"), g.Text("Is it yours?")))
}

// LetClaimPage is /admin/claim: an administrator lets somebody have an account that came by an import. Fields: user, proof.
type LetClaimPage struct {
	Frame
	Form Form
}

// LetClaim is the page of a LetClaimPage.
func LetClaim(p LetClaimPage) g.Node {
	return page(p.Frame, "", nil, h.Form(h.Class("sheet"), sentTo("/admin/claim"),
		h.P(h.Class("crumb"), h.A(h.Href("/admin"), g.Text("Administration"))),
		h.H1(g.Text("Claimed accounts")),
		h.P(g.Text("Somebody says that an account that came by an import is theirs. Look for their text at the address that they name: it has to be where only the account of that name can write. Then whoever has its link chooses a password, and the account is theirs.")),
		formError(p.Form),
		field(p.Form, input{name: "user", label: "Account here", kind: "text", attrs: g.Group{h.Required(), h.AutoComplete("off"), g.Attr("autocapitalize", "none")}}),
		field(p.Form, input{name: "proof", label: "Text that you found", kind: "text", attrs: g.Group{h.Required(), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
		submit("Let them have it"),
	))
}
