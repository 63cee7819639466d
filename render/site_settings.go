package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// SiteSettingsPage is /admin/settings. Fields: revision, name, tagline, letter, logo, accent, founders, sign_up,
// question, inviters, archive, rule-N-title and rule-N-text for N from 1 to Rules.
type SiteSettingsPage struct {
	Frame
	DeployedName string // the site's name as long as nobody has set one
	Accents      []Option
	Rules        int // rows
	Form         Form
}

// SiteSettings is the form by which administrators change what holds for the whole site.
func SiteSettings(p SiteSettingsPage) g.Node {
	f := p.Form
	return page(p.Frame, "", nil,
		h.Form(h.Class("sheet submit"), sentTo("/admin/settings"),
			h.P(h.Class("crumb"), h.A(h.Href("/admin"), g.Text("Administration"))),
			h.H1(g.Text("Site settings")),
			formError(f),
			hidden("revision", f.Values["revision"]),
			field(f, input{name: "name", label: "Name", hint: "On top of every page and in mails. Empty: " + p.DeployedName + ".", kind: "text", attrs: g.Group{h.AutoComplete("off")}}),
			field(f, input{name: "tagline", label: "Tagline", hint: "One line that tells visitors what this site is.", kind: "text", attrs: g.Group{h.AutoComplete("off")}}),
			field(f, input{name: "letter", label: "Letter", hint: "It is shown beside the name. Empty: a paving tile.", kind: "text", attrs: g.Group{h.AutoComplete("off"), h.MaxLength("1")}}),
			field(f, input{name: "logo", label: "Logo", hint: "Address of a square picture, in place of the letter. This site fetches it and passes it on to browsers.", kind: "url", attrs: g.Group{h.AutoComplete("off")}}),
			choice(f, "accent", "Colour of links and buttons", "", p.Accents),
			choice(f, "founders", "Who may found communities", "", []Option{{Value: "members", Label: "All members"}, {Value: "administrators", Label: "Administrators"}}),
			choice(f, "sign_up", "Who may sign up", "", []Option{{Value: "open", Label: "Everybody"}, {Value: "approval", Label: "Everybody, after an administrator has approved them"}, {Value: "invitation", Label: "Only people with an invitation"}}),
			field(f, input{name: "question", label: "Question to newcomers", hint: "They answer it when they sign up, if administrators approve them.", kind: "text", attrs: g.Group{h.AutoComplete("off"), h.MaxLength("300")}}),
			choice(f, "inviters", "Who may invite people", "If people sign up by invitation.", []Option{{Value: "administrators", Label: "Administrators"}, {Value: "members", Label: "All members"}}),
			field(f, input{name: "archive", label: "Archive threads after", hint: "Days. From then on a thread takes neither votes nor comments. 0: never.", kind: "number", attrs: g.Group{h.Min("0"), h.Max("36500"), h.Required()}}),
			rules(f, p.Rules),
			submit("Save the settings"),
		),
	)
}
