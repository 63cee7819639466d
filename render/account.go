package render

import (
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// SignUpPage is /signup. Fields: username, email, password, invite, answer, next, token.
type SignUpPage struct {
	Frame
	Form      Form
	Mail      bool   // the site sends mails
	Invited   bool   // people sign up by invitation
	Question  string // that newcomers answer whom administrators approve; "" for none
	Providers []ProviderLink
	SSOOnly   bool // people log in by providers alone
}

// LogInPage is /login. Fields: login, password, next, and the token of a mail that is asked for.
type LogInPage struct {
	Frame
	Form      Form
	Mail      bool // a link can be mailed
	Offers    bool // the browser offers its passkeys unasked
	Providers []ProviderLink
	SSOOnly   bool // people log in by providers alone
}

// SignUp is the form for a new account.
func SignUp(p SignUpPage) g.Node {
	if p.SSOOnly {
		return providersAlone(p.Frame, "Sign up to "+p.SiteName, p.Form, p.Providers)
	}
	return entryPage(p.Frame, p.Form,
		h.Form(carryingID(p.Form), h.Class(awaits(p.Form, p.Providers)), sentTo("/signup"),
			h.H1(g.Text("Sign up to "+p.SiteName)),
			formError(p.Form),
			inviteField(p.Form, p.Invited),
			field(p.Form, input{name: "username", label: "Username", hint: "How others see you. Letters, digits, _ and -.", kind: "text",
				attrs: g.Group{h.Required(), h.AutoComplete("username"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			g.If(p.Mail || p.Form.Values["email"] != "", field(p.Form, input{name: "email", label: "Email (optional)", hint: "To get back in when the password is lost. Never shown.", kind: "email",
				attrs: g.Group{h.AutoComplete("email")}})),
			field(p.Form, input{name: "password", label: "Password", hint: "At least 10 characters. Several words make a good password.", kind: "password",
				attrs: g.Group{h.Required(), h.AutoComplete("new-password")}}),
			answerField(p.Form, p.Question),
			keepNext(p.Form), formToken(p.Form),
			carried(p.Form.Carried),
			submit("Sign up"),
			passkeyButton("sign-up", "Sign up with a passkey"),
			providerLinks(p.Providers, p.Form.Carried),
			h.P(h.Class("muted"), g.Text("Already here? "), otherSignIn(p.Form, "/login", "Log in")),
		),
	)
}

// LogIn is the form that opens a session.
func LogIn(p LogInPage) g.Node {
	if p.SSOOnly {
		return providersAlone(p.Frame, "Log in", p.Form, p.Providers)
	}
	return entryPage(p.Frame, p.Form,
		h.Form(carryingID(p.Form), h.Class(awaits(p.Form, p.Providers)), sentTo("/login"),
			h.H1(g.Text("Log in")),
			formError(p.Form),
			field(p.Form, input{name: "login", label: "Username or email", kind: "text",
				attrs: g.Group{h.Required(), h.AutoComplete("username webauthn"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			field(p.Form, input{name: "password", label: "Password", kind: "password",
				attrs: g.Group{h.Required(), h.AutoComplete("current-password")}}),
			keepNext(p.Form), formToken(p.Form),
			carried(p.Form.Carried),
			submit("Log in"),
			passkeyOffer("Log in with a passkey", p.Offers),
			providerLinks(p.Providers, p.Form.Carried),
			g.If(p.Mail, h.P(h.Class("muted"),
				h.Button(h.Class("plain"), h.FormAction("/login/link"), h.FormNoValidate(), g.Text("Mail me a link instead")), g.Text(" · "),
				h.Button(h.Class("plain"), h.Name("show"), h.Value("1"), h.FormAction("/reset"), h.FormNoValidate(), g.Text("Forgot your password?")))),
			h.P(h.Class("muted"), g.Text("New here? "), otherSignIn(p.Form, "/signup", "Sign up")),
		),
	)
}

// CompareFields compares fields by name, for sorting.
func CompareFields(a, b Field) int { return strings.Compare(a.Name, b.Name) }

// carried keeps the fields of another form, which is shown again after logging in. Texts are visible, so that people see that they are
// not lost; the other fields are hidden.
func carried(fields []Field) g.Node {
	if len(fields) == 0 {
		return nil
	}
	return h.Div(h.Class("field"),
		h.P(h.Class("hint"), g.Text("What you have written is kept. It is here again once you are logged in.")),
		g.Map(fields, func(f Field) g.Node {
			if label := carriedTexts[f.Name]; label != "" && f.Value != "" {
				return g.Group{h.Label(h.For("carried-"+f.Name), g.Text(label)),
					h.Textarea(h.ID("carried-"+f.Name), h.Name(f.Name), h.Rows("4"), h.ReadOnly(), g.Text(newlineSafe(f.Value)))}
			}
			return h.Input(h.Type("hidden"), h.Name(f.Name), h.Value(f.Value))
		}))
}

var carriedTexts = map[string]string{"body": "Your comment", "text": "Your text"}

// entryPage is a page on the way to logging in. The header's buttons take along what its form carries.
func entryPage(f Frame, form Form, main g.Node) g.Node {
	return shell(f, len(form.Carried) > 0, "", nil, main)
}

// carryingID is the id of a form that carries another one.
func carryingID(form Form) g.Node { return g.If(len(form.Carried) > 0, h.ID("carrying")) }

// otherSignIn leads from one of the two login pages to the other. Where the page carries another form it is a button, which sends that
// along.
func otherSignIn(f Form, address, label string) g.Node {
	if len(f.Carried) == 0 {
		return h.A(h.Href(withReturn(address, f.Values["next"])), g.Text(label))
	}
	return h.Button(h.Class("plain"), h.Name("show"), h.Value("1"), h.FormAction(address), h.FormNoValidate(), g.Text(label))
}
