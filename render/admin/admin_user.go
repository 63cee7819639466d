package admin

import (
	"net/url"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// UsersPage is /admin/users: members by their status, and with a name the form to suspend that member. Fields: user, rule, days, text,
// decision.
type UsersPage struct {
	ui.Frame
	Status   string // of the listed members: active, suspended or banned
	Tabs     []ui.Tab
	Orders   []ui.Tab
	Users    []ListedUser
	Rules    []string // of which one is cited
	Days     []int    // how long a suspension can last
	Form     ui.Form
	FirstURL string // "" on page one
	NextURL  string
}

// ListedUser is a member in that list.
type ListedUser struct {
	Name     string
	Avatar   ui.Avatar
	JoinedAt time.Time
	Karma    int64
	Until    time.Time // when a suspension ends; the zero time: by a restore alone
	Rule     string
	Note     string
	By       string // who has decided so; "" if unknown
}

// Users is the page of a UsersPage.
func Users(p UsersPage) g.Node {
	f := p.Form
	return ui.AdminPage(p.Frame, "/admin/users",
		h.Div(h.Class("modhead"), h.H1(ui.T("Members")), ui.ChoiceMenu("Order", p.Orders)),
		memberSearch("/admin/users", f.Values["user"]),
		g.Iff(f.Values["user"] != "" || len(f.Errors) > 0, func() g.Node { return suspendForm(p) }),
		ui.Tabs("Which members", p.Tabs),
		g.If(len(p.Users) == 0, ui.EmptyState(ui.Nothing(nobodyIs[p.Status], "Members", "/admin/users"))),
		ui.Rows(p.Users, func(u ListedUser) g.Node { return listedUser(u, p) }),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

// nobodyIs are the texts of an empty list by its status, and untilWords the texts for when the status ends.
var (
	nobodyIs = map[string]locale.Text{"active": "Nobody is active.", "suspended": "Nobody is suspended.",
		"banned": "Nobody is banned."}
	untilWords = map[string]locale.Text{"active": "active until {}", "suspended": "suspended until {}", "banned": "banned until {}"}
)

// date is the day of a time.
func date(t time.Time) g.Node { return ui.Component(func(m *ui.Markup) { m.Date(t) }) }

// suspendForm decides about a member.
func suspendForm(p UsersPage) g.Node {
	f := p.Form
	return h.Details(h.Class("sheet-of"), g.Attr("open"),
		h.Summary(h.Class("button quiet"), ui.T("Suspend or ban")),
		h.Form(h.Class("sheet form-rows"), ui.PostTo("/admin/users"),
			h.P(h.Class("hint"), ui.T("Suspended and banned members can't log in or write. They are told why when they log in. A suspension can "+
				"end by itself.")),
			ui.FormError(f),
			ui.FormField(f, ui.Input{Name: "user", Label: "Member", Kind: "text", Attrs: g.Group{h.Required(), h.AutoComplete("off"),
				g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			ui.CitedField(f, "Why?", p.Rules),
			ui.DaysField(f, ui.Input{Name: "days", Label: "How long, for a suspension"}, p.Days, "{} day|{} days", "Until you restore them"),
			ui.FormField(f, ui.Input{Name: "text", Label: "Message to the member", Hint: "Optional. Only they and administrators see it.",
				Kind: "textarea", Attrs: g.Group{h.Rows("3"), h.MaxLength("1000")}}),
			h.Div(h.Class("row"),
				h.Button(h.Class("button danger"), h.Name("decision"), h.Value("suspend"), ui.T("Suspend")),
				h.Button(h.Class("button quiet"), h.Name("decision"), h.Value("ban-site"), ui.T("Ban permanently"))),
		))
}

func listedUser(u ListedUser, p UsersPage) g.Node {
	do := h.A(h.Class("plain"), h.Href("/admin/users?user="+url.QueryEscape(u.Name)), ui.T("Suspend…"))
	if p.Status != "active" {
		do = h.Form(h.Class("decide"), ui.PostTo("/admin/users"), ui.Hidden("user", u.Name), ui.Decision("decision", "restore", "plain",
			"Restore¦member", locale.Verbatim(u.Name), ui.WithUndo("Restored")))
	}
	return ui.Row(h.A(h.Href(ui.ProfileURL(u.Name)), ui.AvatarImage(u.Name, u.Avatar), ui.DisplayName(u.Name)),
		g.Group{ui.T("joined {}", date(u.JoinedAt)), ui.Dot, ui.T("{} karma", u.Karma),
			g.If(!u.Until.IsZero(), g.Group{ui.Dot, ui.T(untilWords[p.Status], date(u.Until))}),
			g.If(u.Rule != "", g.Group{ui.Dot, ui.T("Rule: {}", kept.Text(u.Rule))}),
			g.If(u.Note != "", g.Group{ui.Dot, ui.T("“{}”", u.Note)}),
			g.If(u.By != "", g.Group{ui.Dot, ui.T("by {}", u.By)})}, do)
}
