package admin

import (
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
	Accents      []ui.Option
	Rules        int // rows of the form
	Form         ui.Form
}

// SiteSettings is the form of the settings of the whole site.
func SiteSettings(p SiteSettingsPage) g.Node {
	f := p.Form
	return ui.Page(p.Frame, "", nil,
		h.Form(h.Class("sheet submit"), ui.PostTo("/admin/settings"),
			h.P(h.Class("crumb"), h.A(h.Href("/admin"), ui.T("Administration"))),
			h.H1(ui.T("Site settings")),
			ui.FormError(f),
			ui.Hidden("revision", f.Values["revision"]),
			ui.FormField(f, ui.Input{Name: "name", Label: "Name", Hint: locale.With("On top of every page and in mails. Empty: {}.", p.DeployedName),
				Kind: "text", Attrs: g.Group{h.AutoComplete("off")}}),
			ui.FormField(f, ui.Input{Name: "tagline", Label: "Tagline", Hint: "One line that tells visitors what this site is.", Kind: "text",
				Attrs: g.Group{h.AutoComplete("off")}}),
			ui.FormField(f, ui.Input{Name: "letter", Label: "Letter", Hint: "It is shown beside the name. Empty: a paving tile.", Kind: "text",
				Attrs: g.Group{h.AutoComplete("off"), h.MaxLength("1")}}),
			ui.FormField(f, ui.Input{Name: "logo", Label: "Logo", Hint: "Address of a square picture, in place of the letter. This site fetches " +
				"it and passes it on to browsers.", Kind: "url", Attrs: g.Group{h.AutoComplete("off")}}),
			ui.Choice(f, "accent", "Colour of links and buttons", "", p.Accents),
			ui.Choice(f, "front", "Front page for visitors", "Members choose for themselves, in the menu Aa.",
				[]ui.Option{{Value: "list", Label: "All posts as a list"}, {Value: "edition", Label: "The latest edition"}}),
			ui.Choice(f, "editions", "New editions", "An edition is a short front page that you can read to the end.",
				[]ui.Option{{Value: "twice", Label: "Twice a day"}, {Value: "daily", Label: "Daily"}, {Value: "weekly", Label: "On Mondays"},
					{Value: "never", Label: "Never"}}),
			ui.FormField(f, ui.Input{Name: "edition_hour", Label: "Hour of new editions", Hint: "In UTC, from 0 to 13. With two a day, the " +
				"second one comes out ten hours later.", Kind: "number", Attrs: g.Group{h.Min("0"), h.Max("13"), h.Required()}}),
			ui.Choice(f, "founders", "Who can create communities", "", []ui.Option{{Value: "members", Label: "All members"},
				{Value: "administrators", Label: "Administrators"}}),
			ui.Choice(f, "sign_up", "Who can sign up", "", []ui.Option{{Value: "open", Label: "Everybody"},
				{Value: "approval", Label: "Everybody, with approval by an administrator"},
				{Value: "invitation", Label: "Only people with an invitation"}}),
			ui.FormField(f, ui.Input{Name: "question", Label: "Sign-up question",
				Hint: "For sign-up with approval: people answer it when they sign up.", Kind: "text",
				Attrs: g.Group{h.AutoComplete("off"), h.MaxLength("300")}}),
			ui.Choice(f, "inviters", "Who can invite people", "If people sign up by invitation.",
				[]ui.Option{{Value: "administrators", Label: "Administrators"}, {Value: "members", Label: "All members"}}),
			ui.FormField(f, ui.Input{Name: "archive", Label: "Archive threads after",
				Hint: "Days. An archived thread takes no votes or comments. 0: never.", Kind: "number",
				Attrs: g.Group{h.Min("0"), h.Max("36500"), h.Required()}}),
			ui.Choice(f, "uploads", "Who can upload pictures", "Trusted members have been here for a week and have 20 karma, or moderate.",
				[]ui.Option{{Value: "trusted", Label: "Trusted members"}, {Value: "everybody", Label: "All members"},
					{Value: "nobody", Label: "Nobody"}}),
			ui.Choice(f, "comment_pictures", "Who can add pictures to comments",
				"Among those who can upload pictures. Communities can be stricter.",
				[]ui.Option{{Value: "trusted", Label: "Trusted members"}, {Value: "everybody", Label: "All members"},
					{Value: "nobody", Label: "Nobody"}}),
			ui.FormField(f, ui.Input{Name: "member_room", Label: "Storage for the pictures of one member", Hint: "Megabytes.", Kind: "number",
				Attrs: g.Group{h.Min("0"), h.Required()}}),
			ui.FormField(f, ui.Input{Name: "site_room", Label: "Storage for all pictures", Hint: "Megabytes.", Kind: "number",
				Attrs: g.Group{h.Min("0"), h.Required()}}),
			ui.FormField(f, ui.Input{Name: "min_age", Label: "Minimum age of members, in years", Hint: "Everybody is asked for their year " +
				"of birth: at sign-up, and members once before they write. 0: nobody is asked.", Kind: "number",
				Attrs: g.Group{h.Min("0"), h.Max("99"), h.Required()}}),
			ui.FormField(f, ui.Input{Name: "terms", Label: "Version of the terms", Hint: "A number. With a greater one, members have to accept " +
				"the terms again before they write. 0: nobody is asked.", Kind: "number", Attrs: g.Group{h.Min("0"), h.Required()}}),
			ui.FormField(f, ui.Input{Name: "changed", Label: "What has changed in this version", Hint: "Members read it where they accept the " +
				"terms. At most 1,000 characters.", Kind: "textarea", Attrs: g.Group{h.Rows("3"), h.MaxLength("1000")}}),
			ui.FormField(f, ui.Input{Name: "closed", Label: "Closed to countries or regions", Hint: "Codes by ISO 3166, such as FR or US-MS, with " +
				"commas. People there read the reason, and reach contact, notices and legal pages only.", Kind: "text",
				Attrs: g.Group{h.AutoComplete("off")}}),
			ui.FormField(f, ui.Input{Name: "reason", Label: "Reason for people there", Hint: "Plain text. At most 1,000 characters.",
				Kind: "textarea", Attrs: g.Group{h.Rows("3"), h.MaxLength("1000")}}),
			ui.Choice(f, "ai_crawlers", "AI training crawlers", "Set in robots.txt. Search engines are not affected.",
				[]ui.Option{{Value: "allowed", Label: "Allow"}, {Value: "refused", Label: "Ask to stay away"}}),
			ui.Choice(f, "visitors", "What visitors can read", "For hours in which scrapers overload the site. With “Few pages”, visitors get "+
				"the first page of each list of the site and of its communities, threads of the last week, and what somebody else has read a "+
				"moment ago. For everything else they are asked to log in, and so are search engines.",
				[]ui.Option{{Value: "all", Label: "All pages"}, {Value: "cached", Label: "Few pages, until the scrapers stop"}}),
			ui.Rules(f, p.Rules),
			ui.Submit("Save the settings"),
		),
	)
}
