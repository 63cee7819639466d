package admin

import (
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// SiteSettingsPage is /admin/settings. Fields: revision, name, tagline, letter, logo, accent, founders, sign_up, question, inviters,
// archive, uploads, comment_pictures, member_room, site_room, min_age, terms, changed, closed, reason, ai_crawlers, visitors, front,
// editions, edition_hour, rule-N-title and rule-N-text for N from 1 to Rules.
type SiteSettingsPage struct {
	ui.Frame
	DeployedName string // the site's name until an administrator sets one
	Accents      []ui.Swatch
	Rules        int // rows of the form
	Form         ui.Form
}

// SiteSettings is the form of the settings of the whole site, in groups. The form is checked by the server alone, because browsers don't
// show what is wrong in a closed group.
func SiteSettings(p SiteSettingsPage) g.Node {
	f := p.Form
	return ui.AdminPage(p.Frame, "/admin/settings", sheet(), h.H1(ui.T("Site settings")),
		h.Form(h.Class("sheet"), ui.PostTo("/admin/settings"), g.Attr("novalidate"),
			ui.FormError(f),
			ui.Hidden("revision", f.Values["revision"]),
			h.Div(
				lookSettings(p),
				settingsGroup(f, "joining", "Joining",
					choice(f, "sign_up", "Who can sign up", "", []ui.Option{{Value: "open", Label: "Everybody"},
						{Value: "approval", Label: "Everybody, with approval by an administrator"},
						{Value: "invitation", Label: "Only people with an invitation"}}),
					text(f, "question", "Sign-up question", "For sign-up with approval: people answer it when they sign up.", h.MaxLength("300")),
					choice(f, "inviters", "Who can invite people", "If people sign up by invitation.",
						[]ui.Option{{Value: "administrators", Label: "Administrators"}, {Value: "members", Label: "All members"}}),
					choice(f, "founders", "Who can create communities", "", []ui.Option{{Value: "members", Label: "All members"},
						{Value: "administrators", Label: "Administrators"}})),
				readingSettings(f),
				pictureSettings(f),
				lawSettings(p)),
			ui.Submit("Save the settings"),
		),
	)
}

func lookSettings(p SiteSettingsPage) g.Node {
	f := p.Form
	return settingsGroup(f, firstGroup, "Look",
		text(f, "name", "Name", locale.With("On top of every page and in mails. Empty: {}.", p.DeployedName)),
		text(f, "tagline", "Tagline", "One line that tells visitors what this site is."),
		text(f, "letter", "Letter", "It is shown beside the name. Empty: a paving tile.", h.MaxLength("1")),
		text(f, "logo", "Logo", "Address of a square picture, in place of the letter. This site fetches it and passes it on to browsers."),
		setting{"accent", ui.SwatchField(f, "accent", "Colour of links and buttons", p.Accents, func(name string) g.Node {
			return h.Span(h.Class("ci"), h.Data("accent", name))
		})})
}

func readingSettings(f ui.Form) g.Node {
	return settingsGroup(f, "reading", "Reading",
		choice(f, "front", "Front page for visitors", "Members choose for themselves, in the menu Aa.",
			[]ui.Option{{Value: "list", Label: "All posts as a list"}, {Value: "edition", Label: "The latest edition"}}),
		choice(f, "editions", "New editions", "An edition is a short front page that you can read to the end.",
			[]ui.Option{{Value: "twice", Label: "Twice a day"}, {Value: "daily", Label: "Daily"}, {Value: "weekly", Label: "On Mondays"},
				{Value: "never", Label: "Never"}}),
		number(f, "edition_hour", "Hour of new editions", "In UTC, from 0 to 13. With two a day, the second one comes out ten hours later.",
			h.Max("13")),
		number(f, "archive", "Archive threads after", "Days. An archived thread takes no votes or comments. 0: never.", h.Max("36500")),
		choice(f, "visitors", "What visitors can read", "For hours in which scrapers overload the site. With “Few pages”, visitors get "+
			"the first page of each list of the site and of its communities, threads of the last week, and what somebody else has read a "+
			"moment ago. For everything else they are asked to log in, and so are search engines.",
			[]ui.Option{{Value: "all", Label: "All pages"}, {Value: "cached", Label: "Few pages, until the scrapers stop"}}),
		choice(f, "ai_crawlers", "AI training crawlers", "Set in robots.txt. Search engines are not affected.",
			[]ui.Option{{Value: "allowed", Label: "Allow"}, {Value: "refused", Label: "Ask to stay away"}}))
}

func pictureSettings(f ui.Form) g.Node {
	who := []ui.Option{{Value: "trusted", Label: "Trusted members"}, {Value: "everybody", Label: "All members"},
		{Value: "nobody", Label: "Nobody"}}
	return settingsGroup(f, "pictures", "Pictures",
		choice(f, "uploads", "Who can upload pictures", "Trusted members have been here for a week and have 20 karma, or moderate.", who),
		choice(f, "comment_pictures", "Who can add pictures to comments",
			"Among those who can upload pictures. Communities can be stricter.", who),
		number(f, "member_room", "Storage for the pictures of one member", "Megabytes."),
		number(f, "site_room", "Storage for all pictures", "Megabytes."))
}

func lawSettings(p SiteSettingsPage) g.Node {
	f := p.Form
	return settingsGroup(f, "law", "Rules and law",
		number(f, "min_age", "Minimum age of members, in years", "Everybody is asked for their year of birth: at sign-up, and members once "+
			"before they write. 0: nobody is asked.", h.Max("99")),
		number(f, "terms", "Version of the terms", "A number. With a greater one, members have to accept the terms again before they write. "+
			"0: nobody is asked."),
		paragraph(f, "changed", "What has changed in this version", "Members read it where they accept the terms. At most 1,000 characters."),
		text(f, "closed", "Closed to countries or regions", "Codes by ISO 3166, such as FR or US-MS, with commas. People there read the "+
			"reason, and reach contact, notices and legal pages only."),
		paragraph(f, "reason", "Reason for people there", "Plain text. At most 1,000 characters."),
		setting{"rule-", ui.Rules(f, p.Rules)})
}

// setting is a field of the form, or several whose names begin with its name.
type setting struct {
	name  string
	field g.Node
}

func text(f ui.Form, name string, label, hint locale.Text, attrs ...g.Node) setting {
	return setting{name, ui.FormField(f, ui.Input{Name: name, Label: label, Hint: hint, Kind: "text",
		Attrs: append(g.Group{h.AutoComplete("off")}, attrs...)})}
}

func number(f ui.Form, name string, label, hint locale.Text, attrs ...g.Node) setting {
	return setting{name, ui.FormField(f, ui.Input{Name: name, Label: label, Hint: hint, Kind: "number",
		Attrs: append(g.Group{h.Min("0")}, attrs...)})}
}

func paragraph(f ui.Form, name string, label, hint locale.Text) setting {
	return setting{name, ui.FormField(f, ui.Input{Name: name, Label: label, Hint: hint, Kind: "textarea",
		Attrs: g.Group{h.Rows("3"), h.MaxLength("1000")}})}
}

func choice(f ui.Form, name string, label, hint locale.Text, options []ui.Option) setting {
	return setting{name, ui.Choice(f, name, label, hint, options)}
}

// firstGroup is the group that is always open.
const firstGroup = "look"

// settingsGroup is a group of settings that opens and closes. It is open if something in it is wrong. Browsers open it if the address names
// the id of a field, or its own.
func settingsGroup(f ui.Form, id string, label locale.Text, list ...setting) g.Node {
	open := id == firstGroup
	for name := range f.Errors {
		open = open || slices.ContainsFunc(list, func(s setting) bool { return strings.HasPrefix(name, s.name) })
	}
	return h.Details(h.Class("group"), g.If(open, g.Attr("open")), h.Summary(h.H2(ui.T(label))),
		h.Div(h.Class("form-rows"), h.ID(id), g.Map(list, func(s setting) g.Node { return s.field })))
}
