package admin

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// InvitedPage is /admin/invites: who signed up with the newest invitations or, with a name, who is above and below that member. Fields:
// user, rule, days, text, decision.
type InvitedPage struct {
	ui.Frame
	Name       string // whose invite tree it is; "" for all
	Above      []InvitedMember
	Members    []InvitedMember
	More       bool       // there are more below than the page shows
	InviteTree InviteTree // with a name
	UnderWay   []UnderWay
	Rules      []string // of which one is cited
	Days       []int    // how long a suspension can last
	Form       ui.Form
	FirstURL   string // "" on page one
	NextURL    string
}

// InvitedMember is a member of an InvitedPage.
type InvitedMember struct {
	Name   string // "" for an account that is deleted
	URL    string // of their invite tree; "" without a name
	Status string
	Depth  int    // 0 for those whom the page's member has invited, 1 for those whom these have invited
	By     string // who has invited them; "" where the page shows it otherwise
}

// InviteTree counts the members below one.
type InviteTree struct {
	Active, Suspended, Banned int64
	Administrators            int64 // among them
}

// UnderWay is a decision about all below a member that is not finished.
type UnderWay struct {
	Name      string // "" for an account that is deleted
	Action    string // suspend, ban-site or restore
	By        string // "" for an account that is deleted
	Remaining int    // members that are left
	At        time.Time
}

// Invited is the page of an InvitedPage.
func Invited(p InvitedPage) g.Node {
	return ui.AdminPage(p.Frame, "/admin/invites",
		h.H1(ui.T("Who invited whom")),
		memberSearch("/admin/invites", p.Name),
		g.Map(p.UnderWay, func(u UnderWay) g.Node { return underWay(u, p.Now) }),
		g.If(p.Name == "", h.H2(ui.T("By the newest invitations"))),
		g.Iff(p.Name != "", func() g.Node {
			return g.Group{
				h.H2(ui.T("Below {}", h.A(h.Href(ui.ProfileURL(p.Name)), g.Text(p.Name)))),
				g.If(len(p.Above) > 0, h.P(h.Class("muted"),
					g.Map(p.Above, func(m InvitedMember) g.Node { return g.Group{g.Text("← "), invitedName(m, ""), g.Text(" ")} }))),
			}
		}),
		g.Iff(p.Name != "" && len(p.Members) > 0, func() g.Node { return inviteTreeForm(p) }),
		g.If(len(p.Members) == 0, ui.EmptyState(nobodyInvited(p))),
		ui.Rows(p.Members, invitedRow),
		g.If(p.More, h.P(h.Class("muted"), ui.T("There are more. Open one of these to see who is below."))),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

func nobodyInvited(p InvitedPage) ui.Empty {
	if p.Inviting {
		return ui.Nothing("Nobody came by an invitation.", "Your invitations", ui.InvitesURL)
	}
	return ui.Nothing("Nobody came by an invitation.", "Site settings", "/admin/settings#sign_up")
}

// inviteTreeVerbs say what is being done about an invite tree.
var inviteTreeVerbs = map[string]locale.Text{
	"suspend":  "Suspending all below {}: {} left. By {}, {}",
	"ban-site": "Banning all below {}: {} left. By {}, {}",
	"restore":  "Restoring all below {}: {} left. By {}, {}",
}

func underWay(u UnderWay, now time.Time) g.Node {
	return h.P(h.Class("notice"), ui.T(inviteTreeVerbs[u.Action], nameOf(u.Name), u.Remaining, nameOf(u.By), ui.Ago(u.At, now)))
}

// inviteTreeForm decides about all below a member.
func inviteTreeForm(p InvitedPage) g.Node {
	f, b := p.Form, p.InviteTree
	says := ui.T("{} is below: {} active, {} suspended, {} banned.|{} are below: {} active, {} suspended, {} banned.",
		b.Active+b.Suspended+b.Banned, b.Active, b.Suspended, b.Banned)
	if b.Administrators > 0 {
		says = g.Group{says, g.Text(" "), ui.T("Administrators among them are skipped ({}).", b.Administrators)}
	}
	return h.Details(h.Class("sheet-of"), g.If(len(f.Errors) > 0, g.Attr("open")),
		h.Summary(h.Class("button quiet"), ui.T("Decide about all below…")),
		h.Form(h.Class("sheet form-rows"), ui.PostTo("/admin/invites"), ui.Hidden("user", p.Name),
			ui.FormError(f),
			h.P(says), h.P(h.Class("hint"), ui.T("{} is not included. Suspending skips members who are suspended or banned "+
				"already. At most 5,000 members at a time.", p.Name)),
			ui.CitedField(f, "Why? (not for restoring)", p.Rules),
			ui.DaysField(f, ui.Input{Name: "days", Label: "How long, for a suspension"}, p.Days, "{} day|{} days", "Until you restore them"),
			ui.FormField(f, ui.Input{Name: "text", Label: "Message to the members", Hint: "Optional. Only they and administrators see it.",
				Kind: "textarea", Attrs: g.Group{h.Rows("3"), h.MaxLength("1000")}}),
			h.Div(h.Class("row"),
				h.Button(h.Class("button danger"), h.Name("decision"), h.Value("suspend"), ui.T("Suspend all")),
				h.Button(h.Class("button quiet"), h.Name("decision"), h.Value("ban-site"), ui.T("Ban all permanently")),
				h.Button(h.Class("button quiet"), h.Name("decision"), h.Value("restore"), g.Attr("formnovalidate"), ui.T("Restore all"))),
		),
	)
}

// nameOf is a member's name without a link.
func nameOf(name string) locale.Text {
	if name == "" {
		return "[deleted]"
	}
	return locale.Verbatim(name)
}

// invitedName is a link to a member's invite tree, with a text before the name.
func invitedName(m InvitedMember, before string) g.Node {
	if m.URL == "" {
		return h.Span(g.Text(before), ui.T(nameOf(m.Name)))
	}
	return h.A(h.Href(m.URL), g.Text(before+m.Name))
}

func invitedRow(m InvitedMember) g.Node {
	return ui.Row(invitedName(m, strings.Repeat("– ", min(m.Depth, 8))), g.Group{g.If(m.By != "", ui.T("by {}", m.By)),
		g.If(m.Status != "active", g.Group{g.Text(" "), ui.T(statusWords[m.Status])})}, nil)
}

// statusWords are the states of members who can't log in.
var statusWords = map[string]locale.Text{"suspended": "suspended", "banned": "banned"}
