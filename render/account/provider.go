package account

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// ProviderLink leads to another site, by an account of which people log in here.
type ProviderLink struct{ Label, URL string }

// providerLinks are the ways to log in elsewhere. Where the page carries another form they open another tab, and a button goes on in
// this one.
func providerLinks(list []ProviderLink, carried []ui.Field) g.Node {
	if len(list) == 0 {
		return nil
	}
	keep := len(carried) > 0
	return g.Group{
		h.P(h.Class("row"), g.Map(list, func(p ProviderLink) g.Node {
			return h.A(h.Class("button quiet"), h.Href(p.URL), g.If(keep, h.Target("_blank")), g.Text("Continue with "+p.Label))
		})),
		g.If(keep, h.P(h.Class("muted"), g.Text("This opens another tab. What you wrote stays in this one. "),
			h.Button(h.Class("plain"), h.Name("show"), h.Value("1"), h.FormAction("/login/continue"), h.FormNoValidate(),
				g.Text("I have logged in there")))),
	}
}

// awaits is the class of a form that goes on by itself once the visitor has logged in in another tab (web/app/login.js), where it carries
// another form and there are ways to log in elsewhere.
func awaits(f ui.Form, list []ProviderLink) string {
	if len(f.Carried) > 0 && len(list) > 0 {
		return "sheet awaits"
	}
	return "sheet"
}

// providersAlone is a login page of a site where there is no other way.
func providersAlone(f ui.Frame, heading string, form ui.Form, list []ProviderLink) g.Node {
	says := g.Group{
		h.H1(g.Text(heading)),
		ui.FormError(form),
		h.P(g.Text("You log in to " + f.SiteName + " with an account at another site.")),
	}
	if len(form.Carried) == 0 {
		return ui.Page(f, "", nil, h.Div(h.Class("sheet"), says, providerLinks(list, nil)))
	}
	return entryPage(f, form, h.Form(resumeFormID(form), h.Class(awaits(form, list)), ui.PostTo("/login/continue"),
		says, ui.KeepNext(form), carried(form.Carried), providerLinks(list, form.Carried)))
}

// NewIdentityPage is /auth/new: somebody came from a provider who is not known here. A visitor gets an account, a member is asked whether
// to log in that way, too. Fields: username, email, invite, answer, next, token.
type NewIdentityPage struct {
	ui.Frame
	Provider string
	Name     string // of the account there
	SSOOnly  bool   // there is no account that was made otherwise
	Mail     bool   // the site sends mails
	Invited  bool   // people sign up by invitation
	Question string // that newcomers answer whom administrators approve; "" for none
	Form     ui.Form
}

// NewIdentity is the page of a NewIdentityPage.
func NewIdentity(p NewIdentityPage) g.Node {
	if p.Viewer != nil {
		return ui.Page(p.Frame, "", nil,
			h.Form(h.Class("sheet"), ui.PostTo("/settings/providers"),
				h.H1(g.Text("Log in with "+p.Provider+", too?")),
				ui.FormError(p.Form),
				h.P(g.Text("You are "), h.Strong(g.Text(p.Viewer.Name)), g.Text(" here, and "), h.Strong(g.Text(p.Name)),
					g.Text(" at "+p.Provider+". From now on you can log in with either.")),
				h.Div(h.Class("row"),
					h.Button(h.Class("button"), g.Text("Add it")),
					h.A(h.Class("cancel"), h.Href("/settings/security"), g.Text("Cancel"))),
			))
	}
	return ui.Page(p.Frame, "", nil,
		h.Form(h.Class("sheet"), ui.PostTo("/auth/new"),
			h.H1(g.Text("Sign up to "+p.SiteName)),
			ui.FormError(p.Form),
			h.P(g.Text("You logged in at "+p.Provider+" as "), h.Strong(g.Text(p.Name)),
				g.Text(". No account here uses it yet.")),
			g.If(!p.SSOOnly, h.P(h.Class("hint"), g.Text("Do you have an account here, perhaps with the same email address? Then "),
				h.A(h.Href("/login?next=%2Fauth%2Fnew"), g.Text("log in to it")), g.Text(" first, and add "+p.Provider+" to it. Accounts are never "+
					"merged by their addresses alone."))),
			inviteField(p.Form, p.Invited),
			ui.FormField(p.Form, ui.Input{Name: "username", Label: "Username", Hint: "How others see you. Letters, digits, _ and -.", Kind: "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("username"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			g.If(p.Mail, ui.FormField(p.Form, ui.Input{Name: "email", Label: "Email (optional)", Hint: "Never shown.", Kind: "email",
				Attrs: g.Group{h.AutoComplete("email")}})),
			answerField(p.Form, p.Question),
			ui.KeepNext(p.Form), ui.FormToken(p.Form),
			ui.Submit("Sign up"),
		))
}

// IdentityItem is an account elsewhere by which a member logs in.
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
			h.P(h.Class("muted"), g.Text("Added "), ui.Since(i.CreatedAt, now), lastUse(i.UsedAt, now)),
		),
		removal("/settings/providers/remove", i.ID, i.Name+" at "+i.Provider),
	)
}
