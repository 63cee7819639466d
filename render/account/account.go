package account

import (
	"cmp"
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
	Reason    []locale.Text // sentences on why the visitor is here; empty if it is not known
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
	Reason    []locale.Text // as in SignUpPage
	Form      ui.Form
	Mail      bool // a link can be mailed
	Offers    bool // the field login has autofill of passkeys
	Providers []ProviderLink
	SSOOnly   bool // providers are the only way to log in
}

// SignUp is the form for a new account.
func SignUp(p SignUpPage) g.Node {
	if p.SSOOnly {
		return providersAlone(p.Frame, locale.With("Sign up to {}", p.SiteName), p.Reason, p.Form, p.Providers)
	}
	if p.TooYoung != "" {
		return tooYoung(p.Frame, p.TooYoung)
	}
	return entryPage(p.Frame, p.Form,
		h.Form(h.Class(loginFormClass(p.Form, p.Providers)), ui.PostTo("/signup"),
			h.H1(ui.T("Sign up to {}", p.SiteName)),
			reason(p.Reason, p.Form),
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
			h.Div(h.Class("pair"), ui.Submit("Sign up"), otherSignIn(p.Form, "button quiet", "/login", "Log in")),
			passkeyButton("sign-up", "Sign up with a passkey"),
			providerLinks(p.Providers, p.Form.Carried),
		),
	)
}

// LogIn is the form that opens a session.
func LogIn(p LogInPage) g.Node {
	if p.SSOOnly {
		return providersAlone(p.Frame, "Log in", p.Reason, p.Form, p.Providers)
	}
	return entryPage(p.Frame, p.Form,
		h.Form(h.Class(loginFormClass(p.Form, p.Providers)), ui.PostTo("/login"),
			h.H1(ui.T("Log in")),
			reason(p.Reason, p.Form),
			ui.FormError(p.Form),
			ui.FormField(p.Form, ui.Input{Name: "login", Label: "Username or email", Kind: "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("username webauthn"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			ui.FormField(p.Form, ui.Input{Name: "password", Label: "Password", Kind: "password",
				Attrs: g.Group{h.Required(), h.AutoComplete("current-password")}}),
			ui.NextField(p.Form), ui.FormToken(p.Form),
			carried(p.Form.Carried),
			h.Div(h.Class("pair"), ui.Submit("Log in"), otherSignIn(p.Form, "button quiet", "/signup", "Sign up")),
			passkeyButton("login", "Log in with a passkey", g.If(p.Offers, h.Data("offer", ""))), // conditional mediation: autofill
			providerLinks(p.Providers, p.Form.Carried),
			g.If(p.Mail, h.P(h.Class("muted"),
				h.Button(h.Class("plain"), h.FormAction("/login/link"), h.FormNoValidate(), ui.T("Mail me a link instead")), ui.Dot,
				h.Button(h.Class("plain"), h.Name("show"), h.Value("1"), h.FormAction("/reset"), h.FormNoValidate(), ui.T("Forgot your password?")))),
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

// reason says why a visitor is to log in. What a form carries says so itself.
func reason(says []locale.Text, f ui.Form) g.Node {
	if len(says) == 0 || len(f.Carried) > 0 {
		return nil
	}
	return h.P(g.Map(says, func(s locale.Text) g.Node { return g.Group{ui.T(s), g.Text(" ")} }))
}

// entryPage is a page of logging in or signing up: a card, and beside it what the site is, for those who don't know it yet.
func entryPage(f ui.Frame, form ui.Form, card g.Node) g.Node {
	var side g.Node
	if f.Viewer == nil {
		side = h.Section(h.Class("card"), h.H2(g.Text(f.SiteName)),
			h.P(ui.T(cmp.Or(locale.Verbatim(f.Tagline), "Read what people found, say what you think, vote for what deserves to be seen."))),
			h.P(h.Class("row"), h.A(h.Href("/about"), ui.T("About")), h.A(h.Href("/rules"), ui.T("Rules"))))
	}
	return ui.Shell(f, len(form.Carried) > 0, locale.With("About {}", f.SiteName), side, h.Div(h.Class("door"), card))
}

// otherSignIn links from one of the two login pages to the other. If the page carries another form it is a button, which sends that form,
// too.
func otherSignIn(f ui.Form, class, address string, label locale.Text) g.Node {
	if len(f.Carried) == 0 {
		return h.A(h.Class(class), h.Href(ui.WithReturn(address, f.Values["next"])), ui.T(label))
	}
	return h.Button(h.Class(class), h.Name("show"), h.Value("1"), h.FormAction(address), h.FormNoValidate(), ui.T(label))
}

// otherWay leads from a later step back to the login page, with what the form carries. It is nil if the form carries nothing: then the
// header links there.
func otherWay(f ui.Form) g.Node {
	if len(f.Carried) == 0 {
		return nil
	}
	return h.P(h.Class("muted"), otherSignIn(f, "plain", "/login", "Log in with a password"))
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
