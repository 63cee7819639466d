package account

import (
	"net/url"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// SecondStepPage asks for the code of an authenticator app, after a password. Fields: code, next.
type SecondStepPage struct {
	ui.Frame
	Reauth bool // for reauthentication, not for a login
	Form   ui.Form
}

// SecondStep is the page of a SecondStepPage.
func SecondStep(p SecondStepPage) g.Node {
	action, label := "/login/code", locale.Text("Log in")
	if p.Reauth {
		action, label = "/prove/code", "Confirm"
	}
	return entryPage(p.Frame, p.Form,
		h.Form(h.Class("sheet"), ui.PostTo(action),
			h.H1(ui.T("The second step")),
			ui.FormError(p.Form),
			ui.FormField(p.Form, ui.Input{Name: "code", Label: "Code", Hint: "The six digits that your authenticator app shows, or one of your " +
				"recovery codes.", Kind: "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("one-time-code"), ui.AutoFocus(), g.Attr("autocapitalize", "none"),
					g.Attr("spellcheck", "false")}}),
			ui.NextField(p.Form),
			carried(p.Form.Carried),
			ui.Submit(label),
			otherWay(p.Form),
			g.Iff(p.Reauth, func() g.Node {
				return h.P(h.A(h.Href("/prove?next="+url.QueryEscape(p.Form.Values["next"])), ui.T("Confirm in another way")))
			}),
		))
}

// FactorItem is what the settings show of a member's second step.
type FactorItem struct {
	On    bool
	Since time.Time
	Codes int // recovery codes that are left
}

// factorSection is the part of the settings about the second step. Field of the form: code.
func factorSection(f FactorItem, form ui.Form) g.Node {
	return h.Section(h.Class("ways"), h.Aria("labelledby", "second"),
		h.H2(h.ID("second"), ui.T("Second step")),
		g.Iff(!f.On, func() g.Node {
			return g.Group{
				h.P(h.Class("hint"), ui.T("An authenticator app on your phone shows a code that you type after your password, so that nobody gets "+
					"in with your password alone. A passkey needs no second step.")),
				h.P(h.A(h.Class("button quiet"), h.Href("/settings/totp"), ui.T("Set up an authenticator app"))),
			}
		}),
		g.Iff(f.On, func() g.Node {
			return g.Group{
				h.P(ui.T("You have an authenticator app since {}.", date(f.Since)), g.Text(" "),
					ui.T("{} recovery code is left.|{} recovery codes are left.", f.Codes)),
				h.Form(ui.PostTo("/settings/totp/codes"),
					ui.FormField(form, ui.Input{Name: "code", Label: "Code", Hint: "From your app, or one of your recovery codes.", Kind: "text",
						Attrs: g.Group{h.Required(), h.AutoComplete("one-time-code"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
					h.Div(h.Class("row"),
						h.Button(h.Class("button quiet"), ui.T("Make new recovery codes")),
						h.Button(h.Class("button quiet"), h.FormAction("/settings/totp/off"), ui.T("Turn the second step off")))),
			}
		}),
	)
}

// NewAppPage is /settings/totp. Fields: code, secret.
type NewAppPage struct {
	ui.Frame
	Form ui.Form
	URL  string // content of the QR code
}

// NewApp is the page of a NewAppPage.
func NewApp(p NewAppPage) g.Node {
	return ui.SettingsPage(p.Frame, "/settings/security",
		h.Form(h.Class("sheet"), ui.PostTo("/settings/totp"),
			h.H2(ui.T("Set up an authenticator app")),
			ui.FormError(p.Form),
			h.P(ui.T("Scan this with the app, or type the key into it. Then type the code that it shows.")),
			qrCode(p.URL),
			h.P(h.Class("hint"), ui.T("Key: {}", h.Code(g.Text(spaced(p.Form.Values["secret"]))))),
			ui.Hidden("secret", p.Form.Values["secret"]),
			ui.FormField(p.Form, ui.Input{Name: "code", Label: "Code", Hint: "Six digits.", Kind: "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("one-time-code"), g.Attr("inputmode", "numeric"), h.MaxLength("10")}}),
			ui.Submit("Turn it on"),
		))
}

// spaced puts a space after each four characters.
func spaced(s string) string {
	var b []byte
	for i := range len(s) {
		if i > 0 && i%4 == 0 {
			b = append(b, ' ')
		}
		b = append(b, s[i])
	}
	return string(b)
}

// CodesPage shows recovery codes, once.
type CodesPage struct {
	ui.Frame
	Codes []string
}

// Codes is the page of a CodesPage.
func Codes(p CodesPage) g.Node {
	return ui.SettingsPage(p.Frame, "/settings/security",
		h.Div(h.Class("sheet"),
			h.H2(ui.T("Your recovery codes")),
			h.P(ui.T("When you don't have your app, type one of these codes instead. Each works once. Keep them where you can find them without "+
				"your phone. They are shown only now, and earlier ones don't work any more.")),
			h.Ul(h.Class("codes"), g.Map(p.Codes, func(code string) g.Node { return h.Li(h.Code(g.Text(code))) })),
			h.P(h.A(h.Class("button"), h.Href("/settings/security"), ui.T("I have kept them"))),
		))
}
