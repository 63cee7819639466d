package account

import (
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// SignUpPage is /signup. Fields: username, email, password, invite, answer, born, terms, next, token.
type SignUpPage struct {
	ui.Frame
	Entry
	Form      ui.Form
	Mail      bool // the site sends mails
	Providers []ProviderLink
	SSOOnly   bool // providers are the only way to log in
}

// Entry is what the site asks of newcomers.
type Entry struct {
	Invited  bool        // signing up needs an invitation
	Question string      // that they answer for the administrators who approve them; "" for none
	MinAge   int         // the minimum age of members, in years; 0: the form does not ask
	Terms    bool        // they have to accept the terms
	TooYoung locale.Text // shown in place of the form to those who have just stated too late a year of birth; "" for others
}

// LogInPage is /login. Fields: login, password, next, and the token of a requested mail.
type LogInPage struct {
	ui.Frame
	Form      ui.Form
	Mail      bool // a link can be mailed
	Offers    bool // the field login has autofill of passkeys
	Providers []ProviderLink
	SSOOnly   bool // providers are the only way to log in
}

// SignUp is the form for a new account.
func SignUp(p SignUpPage) g.Node {
	if p.SSOOnly {
		return providersAlone(p.Frame, locale.With("Sign up to {}", p.SiteName), p.Form, p.Providers)
	}
	if p.TooYoung != "" {
		return tooYoung(p.Frame, p.TooYoung)
	}
	return entryPage(p.Frame, p.Form,
		h.Form(resumeFormID(p.Form), h.Class(loginFormClass(p.Form, p.Providers)), ui.PostTo("/signup"),
			h.H1(ui.T("Sign up to {}", p.SiteName)),
			ui.FormError(p.Form),
			inviteField(p.Form, p.Invited),
			ui.FormField(p.Form, ui.Input{Name: "username", Label: "Username", Hint: "How others see you. Letters, digits, _ and -.", Kind: "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("username"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			g.If(p.Mail || p.Form.Values["email"] != "",
				ui.FormField(p.Form, ui.Input{Name: "email", Label: "Email (optional)", Hint: "Lets you back in without a password. Never shown.",
					Kind:  "email",
					Attrs: g.Group{h.AutoComplete("email")}})),
			ui.FormField(p.Form, ui.Input{Name: "password", Label: "Password", Hint: "At least 10 characters. Several words make a good password.",
				Kind:  "password",
				Attrs: g.Group{h.Required(), h.AutoComplete("new-password")}}),
			answerField(p.Form, p.Question),
			agreeFields(p.Form, p.MinAge > 0, p.Terms),
			ui.NextField(p.Form), ui.FormToken(p.Form),
			carried(p.Form.Carried),
			ui.Submit("Sign up"),
			passkeyButton("sign-up", "Sign up with a passkey"),
			providerLinks(p.Providers, p.Form.Carried),
			h.P(h.Class("muted"), ui.T("Already here?"), g.Text(" "), otherSignIn(p.Form, "/login", "Log in")),
		),
	)
}

// LogIn is the form that opens a session.
func LogIn(p LogInPage) g.Node {
	if p.SSOOnly {
		return providersAlone(p.Frame, "Log in", p.Form, p.Providers)
	}
	return entryPage(p.Frame, p.Form,
		h.Form(resumeFormID(p.Form), h.Class(loginFormClass(p.Form, p.Providers)), ui.PostTo("/login"),
			h.H1(ui.T("Log in")),
			ui.FormError(p.Form),
			ui.FormField(p.Form, ui.Input{Name: "login", Label: "Username or email", Kind: "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("username webauthn"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			ui.FormField(p.Form, ui.Input{Name: "password", Label: "Password", Kind: "password",
				Attrs: g.Group{h.Required(), h.AutoComplete("current-password")}}),
			ui.NextField(p.Form), ui.FormToken(p.Form),
			carried(p.Form.Carried),
			ui.Submit("Log in"),
			passkeyButton("login", "Log in with a passkey", g.If(p.Offers, h.Data("offer", ""))), // conditional mediation: autofill
			providerLinks(p.Providers, p.Form.Carried),
			g.If(p.Mail, h.P(h.Class("muted"),
				h.Button(h.Class("plain"), h.FormAction("/login/link"), h.FormNoValidate(), ui.T("Mail me a link instead")), ui.Dot,
				h.Button(h.Class("plain"), h.Name("show"), h.Value("1"), h.FormAction("/reset"), h.FormNoValidate(), ui.T("Forgot your password?")))),
			h.P(h.Class("muted"), ui.T("New here?"), g.Text(" "), otherSignIn(p.Form, "/signup", "Sign up")),
		),
	)
}

// CompareFields compares fields by name, for sorting.
func CompareFields(a, b ui.Field) int { return strings.Compare(a.Name, b.Name) }

// carried keeps the fields of another form, which is shown again after logging in. Texts are visible, so that people see that they are
// not lost; the other fields are hidden.
func carried(fields []ui.Field) g.Node {
	if len(fields) == 0 {
		return nil
	}
	return h.Div(h.Class("field"),
		h.P(h.Class("hint"), ui.T("What you wrote is kept. It comes back once you are logged in.")),
		g.Map(fields, func(f ui.Field) g.Node {
			if label := carriedTexts[f.Name]; label != "" && f.Value != "" {
				return g.Group{h.Label(h.For("carried-"+f.Name), ui.T(label)),
					h.Textarea(h.ID("carried-"+f.Name), h.Name(f.Name), h.Rows("4"), h.ReadOnly(), g.Text(ui.NewlineSafe(f.Value)))}
			}
			return h.Input(h.Type("hidden"), h.Name(f.Name), h.Value(f.Value))
		}))
}

var carriedTexts = map[string]locale.Text{"body": "Comment¦noun", "text": "Text"}

// entryPage is a page of logging in or signing up. The header's buttons also send what its form carries.
func entryPage(f ui.Frame, form ui.Form, main g.Node) g.Node {
	return ui.Shell(f, len(form.Carried) > 0, "", nil, main)
}

// resumeFormID is the id of a form that carries another one.
func resumeFormID(form ui.Form) g.Node { return g.If(len(form.Carried) > 0, h.ID("carrying")) }

// otherSignIn links from one of the two login pages to the other. If the page carries another form it is a button, which sends that form,
// too.
func otherSignIn(f ui.Form, address string, label locale.Text) g.Node {
	if len(f.Carried) == 0 {
		return h.A(h.Href(ui.WithReturn(address, f.Values["next"])), ui.T(label))
	}
	return h.Button(h.Class("plain"), h.Name("show"), h.Value("1"), h.FormAction(address), h.FormNoValidate(), ui.T(label))
}

// answerField asks a newcomer the administrators' question; nil for none.
func answerField(f ui.Form, question string) g.Node {
	if question == "" {
		return nil
	}
	return ui.FormField(f, ui.Input{Name: "answer", Label: locale.Verbatim(question),
		Hint: "Administrators read your answer. Until they approve you, you can read but not write.", Kind: "textarea",
		Attrs: g.Group{h.Required(), h.Rows("3"), h.MaxLength("1000")}})
}
