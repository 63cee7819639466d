package account

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// AskLinkPage asks for the account to which a link is mailed. Fields: login, next, token.
type AskLinkPage struct {
	ui.Frame
	Action        string // where the form goes
	Heading, Says locale.Text
	Form          ui.Form
}

// AskLink is the form that asks for a mailed link.
func AskLink(p AskLinkPage) g.Node {
	return entryPage(p.Frame, p.Form,
		h.Form(h.Class("sheet"), ui.PostTo(p.Action),
			h.H1(ui.T(p.Heading)),
			h.P(ui.T(p.Says)),
			ui.FormError(p.Form),
			ui.FormField(p.Form, ui.Input{Name: "login", Label: "Username or email", Kind: "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("username"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			ui.NextField(p.Form), ui.FormToken(p.Form),
			carried(p.Form.Carried),
			ui.Submit("Mail me a link"),
			h.P(h.Class("muted"), otherSignIn(p.Form, "plain", "/login", "Log in with a password")),
		),
	)
}

// MailedPage says that a link was mailed. Fields: next.
type MailedPage struct {
	ui.Frame
	Login string // what was typed; "" where the link is for the member who is logged in
	Form  ui.Form
}

// Mailed says where the link was sent. A visitor who has opened it in another tab continues here.
func Mailed(p MailedPage) g.Node {
	says := locale.Text("A mail with a link is on its way to your address. Open the link in this browser.")
	if p.Login != "" {
		says = locale.With("If {} is the name of an account with a confirmed address, or is that address, a mail with a link is on its "+
			"way. Open the link in this browser.", p.Login)
	}
	if p.Viewer != nil {
		return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T("Check your mail")), h.P(ui.T(says))))
	}
	return entryPage(p.Frame, p.Form,
		h.Form(h.Class("sheet awaits"), ui.PostTo("/login/continue"),
			h.H1(ui.T("Check your mail")),
			ui.FormError(p.Form),
			h.P(ui.T(says)),
			h.P(h.Class("hint"), ui.T("Mail can take a minute. If nothing comes, look in your spam folder, and check that you typed the name or "+
				"address correctly.")),
			ui.NextField(p.Form),
			carried(p.Form.Carried),
			ui.Submit("I have opened the link"),
			otherWay(p.Form),
		),
	)
}

// LinkPage is the page of a mailed link, or of its result. Fields: password.
type LinkPage struct {
	ui.Frame
	Heading, Says locale.Text
	Button        locale.Text // what the link does; "" when it is done
	Token         string      // of the link
	Password      bool        // it asks for a new password
	Form          ui.Form
}

// Link is the page of a mailed link. Only its button uses the link.
func Link(p LinkPage) g.Node {
	if p.Button == "" {
		return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T(p.Heading)), h.P(ui.T(p.Says)),
			h.P(h.A(h.Href("/"), ui.T("Front page")))))
	}
	return ui.Page(p.Frame, "", nil,
		h.Form(h.Class("sheet"), ui.PostTo("/link"),
			h.H1(ui.T(p.Heading)),
			ui.FormError(p.Form),
			g.If(p.Says != "", h.P(ui.T(p.Says))),
			ui.Hidden("token", p.Token),
			g.Iff(p.Password, func() g.Node { return newPassword(p.Form) }),
			ui.Submit(p.Button),
		),
	)
}

// newPassword is the field for a new password.
func newPassword(f ui.Form) g.Node {
	return ui.FormField(f, ui.Input{Name: "password", Label: "New password",
		Hint: "At least 10 characters. Several words make a good password.", Kind: "password",
		Attrs: g.Group{h.Required(), h.AutoComplete("new-password")}})
}
