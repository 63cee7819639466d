package account

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// AccountPage is /settings/account. Fields: username, email, password, token.
type AccountPage struct {
	ui.Frame
	Email       string // "" for none
	Confirmed   bool   // the address is confirmed
	HasPassword bool
	Mail        bool // the site sends mails
	SSOOnly     bool // providers are the only way to log in
	Form        ui.Form
}

// Account is the page of name, address and password.
func Account(p AccountPage) g.Node {
	return ui.SettingsPage(p.Frame, "/settings/account",
		ui.FormError(p.Form),
		nameForm(p.Form),
		g.Iff(!p.Mail, func() g.Node {
			return h.Section(h.Class("sheet"),
				h.H2(ui.T("Email address")),
				g.If(p.Email != "", h.P(ui.T("Your address is {}.", p.Email))),
				h.P(ui.T("This site sends no mail, so an address can't help you to get back in. Keep your password safe, or add a passkey.")),
			)
		}),
		g.Iff(p.Mail, func() g.Node { return addressForm(p) }),
		g.Iff(!p.SSOOnly, func() g.Node { return passwordForm(p) }),
		h.Section(h.Class("sheet"),
			h.H2(ui.T("Your data")),
			h.Ul(h.Class("rows"),
				h.Li(h.A(h.Href("/settings/export"), ui.T("Download your data"))),
				h.Li(h.A(h.Href("/settings/account/delete"), ui.T("Delete your account")))),
		),
	)
}

func addressForm(p AccountPage) g.Node {
	opens, without := locale.Text("You can log in with it, and get back in when the password is lost."),
		locale.Text("With a confirmed address you can log in by mail, and get back in when the password is lost.")
	if p.SSOOnly {
		opens, without = "Mails go there.", "Mails go to a confirmed address."
	}
	return h.Form(h.Class("sheet form-rows"), ui.PostTo("/settings/account/email"),
		h.H2(ui.T("Email address")),
		g.If(p.Email != "" && p.Confirmed, h.P(ui.T("Your address is {}.", p.Email), g.Text(" "), ui.T(opens))),
		g.If(p.Email != "" && !p.Confirmed, h.P(ui.T("Your address is {}. It is not confirmed yet: open the link in the mail "+
			"that went there.", p.Email))),
		g.If(p.Email == "", h.P(ui.T(without))),
		ui.FormField(p.Form, ui.Input{Name: "email", Label: "New address", Hint: "We mail a link to it. Your address changes when you open " +
			"the link.", Kind: "email",
			Attrs: g.Group{h.Required(), h.AutoComplete("email")}}),
		ui.FormToken(p.Form),
		h.Div(h.Class("row"), ui.Submit("Mail me a link"),
			g.If(p.Email != "" && !p.Confirmed, h.Button(h.Class("button quiet"), h.Name("again"), h.Value("1"), h.FormNoValidate(),
				ui.T("Send the mail again")))),
	)
}

func passwordForm(p AccountPage) g.Node {
	return h.Form(h.Class("sheet form-rows"), ui.PostTo("/settings/account/password"),
		h.H2(ui.T("Password")),
		g.If(!p.HasPassword, h.P(ui.T("You have no password, and log in another way."))),
		h.P(ui.T("A new password logs you out on all other devices.")),
		newPassword(p.Form),
		h.Div(h.Class("row"), ui.Submit("Save the password"),
			g.If(p.HasPassword, h.Button(h.Class("button quiet"), h.FormAction("/settings/account/no-password"), h.FormNoValidate(),
				ui.T("Remove the password")))),
	)
}

func nameForm(f ui.Form) g.Node {
	return h.Form(h.Class("sheet form-rows"), ui.PostTo("/settings/account/name"),
		h.H2(ui.T("Name")),
		h.P(ui.T("You can change your name once in 30 days. Your old name still leads to your profile, "+
			"and nobody else can take it for 90 days.")),
		ui.FormField(f, ui.Input{Name: "username", Label: "New name", Kind: "text",
			Hint:  "3 to 20 characters: letters and digits, with _ or - between them.",
			Attrs: g.Group{h.Required(), h.AutoComplete("username"), h.MaxLength("20"), g.Attr("autocapitalize", "none")}}),
		ui.Submit("Change the name"),
	)
}
