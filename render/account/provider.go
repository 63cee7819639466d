package account

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// ProviderLink links to a provider: a site whose accounts can log in here.
type ProviderLink struct{ Label, URL string }

// providerLinks link to the providers. If the page carries another form they open another tab, and a button continues in this one.
func providerLinks(list []ProviderLink, carried []ui.Field) g.Node {
	if len(list) == 0 {
		return nil
	}
	keep := len(carried) > 0
	return g.Group{
		h.P(h.Class("row"), g.Map(list, func(p ProviderLink) g.Node {
			return h.A(h.Class("button quiet"), h.Href(p.URL), g.If(keep, h.Target("_blank")), ui.T("Continue with {}", p.Label))
		})),
		g.If(keep, h.P(h.Class("muted"), ui.T("This opens another tab. What you wrote stays in this one."), g.Text(" "),
			h.Button(h.Class("plain"), h.Name("show"), h.Value("1"), h.FormAction("/login/continue"), h.FormNoValidate(),
				ui.T("I have logged in there")))),
	}
}

// loginFormClass is the class of a form to log in. If it carries another form and there are providers, the script submits it as soon as the
// visitor has logged in in another tab (web/app/login.js).
func loginFormClass(f ui.Form, list []ProviderLink) string {
	if len(f.Carried) > 0 && len(list) > 0 {
		return "sheet awaits"
	}
	return "sheet"
}

// providersAlone is a login page of a site with no other way to log in.
func providersAlone(f ui.Frame, heading locale.Text, why []locale.Text, form ui.Form, list []ProviderLink) g.Node {
	says := g.Group{
		h.H1(ui.T(heading)),
		reason(why, form),
		ui.FormError(form),
		h.P(ui.T("You log in to {} with an account at another site.", f.SiteName)),
	}
	if len(form.Carried) == 0 {
		return entryPage(f, form, h.Div(h.Class("sheet"), says, providerLinks(list, nil)))
	}
	return entryPage(f, form, h.Form(h.Class(loginFormClass(form, list)), ui.PostTo("/login/continue"),
		says, ui.NextField(form), carried(form.Carried), providerLinks(list, form.Carried)))
}

// NewIdentityPage is /auth/new, for a user of a provider without an account here. A visitor gets an account, a member is asked whether
// to log in that way, too. Fields: username, email, invite, answer, born, terms, next, token.
type NewIdentityPage struct {
	ui.Frame
	Provider string
	Name     string // of the account there
	SSOOnly  bool   // all accounts come from providers
	Mail     bool   // the site sends mails
	Entry
	Form ui.Form
}

// NewIdentity is the page of a NewIdentityPage.
func NewIdentity(p NewIdentityPage) g.Node {
	if p.Viewer != nil {
		return ui.Page(p.Frame, "", nil,
			h.Form(h.Class("sheet"), ui.PostTo("/settings/providers"),
				h.H1(ui.T("Log in with {}, too?", p.Provider)),
				ui.FormError(p.Form),
				h.P(ui.T("You are {} here, and {} at {}. From now on you can log in with either.", h.Strong(g.Text(p.Viewer.Name)),
					h.Strong(g.Text(p.Name)), p.Provider)),
				h.Div(h.Class("row"),
					h.Button(h.Class("button"), ui.T("Add it")),
					h.A(h.Class("cancel"), h.Href("/settings/security"), ui.T("Cancel"))),
			))
	}
	if p.TooYoung != "" {
		return tooYoung(p.Frame, p.TooYoung)
	}
	return entryPage(p.Frame, p.Form,
		h.Form(h.Class("sheet"), ui.PostTo("/auth/new"),
			h.H1(ui.T("Sign up to {}", p.SiteName)),
			ui.FormError(p.Form),
			h.P(ui.T("You logged in at {} as {}. No account here uses it yet.", p.Provider, h.Strong(g.Text(p.Name)))),
			g.If(!p.SSOOnly, h.P(h.Class("hint"), ui.T("Do you have an account here, perhaps with the same email address? Then {} first, and "+
				"add {} to it. Accounts are never merged by their addresses alone.",
				h.A(h.Href("/login?next=%2Fauth%2Fnew"), ui.T("log in to it")), p.Provider))),
			inviteField(p.Form, p.Invited),
			ui.FormField(p.Form, ui.Input{Name: "username", Label: "Username", Hint: "How others see you. Letters, digits, _ and -.", Kind: "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("username"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			g.If(p.Mail, ui.FormField(p.Form, ui.Input{Name: "email", Label: "Email (optional)", Hint: "Never shown.", Kind: "email",
				Attrs: g.Group{h.AutoComplete("email")}})),
			answerField(p.Form, p.Question),
			agreeFields(p.Form, p.MinAge > 0, p.Terms),
			ui.NextField(p.Form), ui.FormToken(p.Form),
			ui.Submit("Sign up"),
		))
}

// IdentityItem is an account at a provider with which a member logs in.
type IdentityItem struct {
	ID, Provider, Name string
	CreatedAt          time.Time
	UsedAt             time.Time // zero for never
}

func identityRow(i IdentityItem, now time.Time) g.Node {
	return h.Li(
		h.Div(
			h.H3(g.Text(i.Provider)),
			h.P(g.Text(i.Name)),
			h.P(h.Class("muted"), addedAndUsed(i.CreatedAt, i.UsedAt, now)),
		),
		removal("/settings/providers/remove", i.ID, locale.With("{} at {}", i.Name, i.Provider)),
	)
}
