package inbox

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// InboxPage lists the viewer's inbox entries by thread.
type InboxPage struct {
	ui.Frame
	Tabs        []ui.Tab        `json:"-"`
	Threads     []*InboxThread  `json:"items"`       // What the member was told, by thread.
	Invitations []ui.Invitation `json:"invitations"` // Invitations to moderate.
	// Id of the newest entry, up to which everything can be marked as read; null when there is none.
	Newest   string   `json:"newest" as:"id"`
	ReadTo   string   `json:"-"` // the newest entry when all were just marked as read, to undo that; "" if they were not
	Empty    ui.Empty `json:"-"` // what it says without threads
	NextURL  string   `as:"following"`
	FirstURL string   `json:"-"` // "" on page one
}

// InboxThread is a thread with the viewer's entries about it, the newest first.
type InboxThread struct {
	URL       string      `json:"permalink"` // Address of the thread, or of what it is about.
	Title     string      `json:"title"`     // Title of the thread.
	Community string      `json:"community"` // Name of the community; empty for a profile or the site.
	Watch     ui.Watch    `json:"watch"`     // What the member wants to be told of the thread.
	NoThread  bool        `json:"-"`         // it can't be followed; Community is "" for the whole site
	Items     []InboxItem `json:"items"`     // What the member was told of it, newest first.
	Unread    int         `json:"unread"`    // How many of these are unread.
}

// InboxItem is one entry of the inbox.
type InboxItem struct {
	ID      string      `json:"id" as:"id"`    // Id of the entry.
	URL     string      `json:"permalink"`     // Address of what it is about.
	Kind    string      `json:"kind"`          // `reply`, `mention` or `thread`; something else for decisions.
	Event   locale.Text `json:"notice"`        // What was decided, in words; empty for what others wrote.
	Comment bool        `json:"comment"`       // Whether it leads to a comment.
	Author  string      `json:"author"`        // Username of who wrote it; empty for a deleted account.
	Avatar  ui.Avatar   `json:"author_avatar"` // The author's tile.
	Excerpt locale.Text `json:"excerpt"`       // Its first characters, without formatting.
	Unread  bool        `json:"unread"`        // Whether it is unread.
	At      time.Time   `json:"created_at"`    // When the member was told.
	ReplyTo string      `json:"-"`             // id of the post or comment that can be answered here; "" for a notice
}

// Inbox is the page of an InboxPage.
func Inbox(p InboxPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Div(h.Class("head tight"),
			h.Div(h.H1(ui.T("Inbox"))),
			g.Iff(p.Viewer != nil && p.Viewer.Unread > 0 && len(p.Threads) > 0, func() g.Node {
				return h.Div(h.Class("do"), h.Form(ui.PostTo("/inbox/read"), ui.Hidden("newest", p.Newest),
					h.Button(h.Class("button quiet"), ui.T("Mark all read"))))
			})),
		g.Iff(p.ReadTo != "", func() g.Node {
			return h.Form(h.Class("join row"), ui.PostTo("/inbox/unread"), ui.Hidden("newest", p.ReadTo),
				h.Span(h.Role("status"), ui.T("All read.")), h.Button(h.Class("button quiet"), ui.T("Undo")))
		}),
		ui.Tabs("What to show", p.Tabs),
		g.If(len(p.Invitations) > 0, h.Div(h.Class("cases"), g.Map(p.Invitations, ui.InvitationRow))),
		g.If(len(p.Threads) == 0, ui.EmptyState(p.Empty)),
		g.If(len(p.Threads) > 0, entries(&p)),
		ui.Pager(p.FirstURL, p.NextURL))
}

// entries lists the entries of all threads. Each is a card, all of which links to what the entry is about.
func entries(p *InboxPage) g.Node {
	return ui.Component(func(m *ui.Markup) {
		m.Lit(`<ol class="entries">`)
		for _, t := range p.Threads {
			for i := range t.Items {
				inboxItem(m, &t.Items[i], t, p)
			}
		}
		m.Lit(`</ol>`)
	})
}

func inboxItem(m *ui.Markup, i *InboxItem, t *InboxThread, p *InboxPage) {
	m.Lit(`<li`).When(i.Unread, ` class="unread"`).Lit(`><p><a href="`).Text(i.URL).Lit(`">`).
		When(i.Unread, `<i><span class="vh">`).SayWhen(i.Unread, "Unread:").When(i.Unread, ` </span></i>`)
	switch title := t.Title != ""; {
	case i.Event != "":
		m.Lit(`<strong>`).Say(i.Event).Lit(`</strong>`)
		if title {
			m.Dot().Node(ui.Component(t.title))
		}
	case title:
		m.Say(actionInText(i.Kind), ui.Component(i.who), ui.Component(t.title))
	default:
		m.Say(actionText(i.Kind), ui.Component(i.who))
	}
	m.Lit(`</a>`).TimeAgo(i.At, p.Now)
	if t.Community != "" {
		m.Lit(`<a class="com" href="/c/`).Segment(t.Community).Lit(`">`).Lit(`c/`).Text(t.Community).Lit(`</a>`)
	}
	m.Lit(`</p>`)
	if i.Excerpt != "" {
		m.Lit(`<p class="ex">`).Say(i.Excerpt).Lit(`</p>`)
	}
	m.Lit(`<div class="acts">`)
	if i.ReplyTo != "" {
		m.Lit(`<a class="re" href="/reply?to=`).Text(i.ReplyTo).Lit(`">`).Say("Reply¦verb").Lit(`</a>`)
	}
	if i.Unread || !t.NoThread {
		inboxMenu(m, i, t, p.Newest)
	}
	m.Lit(`</div></li>`)
}

// inboxMenu writes the less frequent actions for an entry and its thread.
func inboxMenu(m *ui.Markup, i *InboxItem, t *InboxThread, newest string) {
	m.Lit(`<details class="menu opts"><summary aria-label="`).Say("More").Lit(`"></summary><div>`)
	if !t.NoThread {
		m.Lit(`<a href="`).Text(t.URL).Lit(`">`).Say("Show the thread").Lit(`</a>`)
	}
	if i.Unread {
		m.Lit(`<form method="post" action="/inbox/read">`).Hidden("item", i.ID).Lit(`<button>`).Say("Mark as read").
			Lit(`</button></form>`)
	}
	if t.Unread > 1 {
		m.Lit(`<form method="post" action="/inbox/read">`).Hidden("thread", t.Watch.Target).Hidden("newest", newest).Lit(`<button>`).
			Say("Mark thread as read").Lit(`</button></form>`)
	}
	if !t.NoThread {
		m.Watch(&t.Watch)
	}
	m.Lit(`</div></details>`)
}

// title writes the title of a thread. Titles that replace a missing one are stored in English.
func (t *InboxThread) title(m *ui.Markup) {
	switch {
	case t.NoThread && t.Title == "Your account":
		m.Say("Your account")
	case t.Title == "[removed by a moderator]":
		m.Say("[removed by a moderator]")
	default:
		m.DisplayName(t.Title)
	}
}

// who writes the name of the author.
func (i *InboxItem) who(m *ui.Markup) {
	if i.Author == "" {
		m.Lit(`<strong class="gone">`).Say("[deleted]").Lit(`</strong>`)
		return
	}
	m.Lit(`<strong>`).DisplayName(i.Author).Lit(`</strong>`)
}

// actionText says why the viewer was notified of a text.
func actionText(kind string) locale.Text {
	switch kind {
	case "reply":
		return "{} replied"
	case "mention":
		return "{} mentioned you"
	}
	return "{} commented"
}

// actionInText is actionText with the title of the thread.
func actionInText(kind string) locale.Text {
	switch kind {
	case "reply":
		return "{} replied in {}"
	case "mention":
		return "{} mentioned you in {}"
	}
	return "{} commented in {}"
}
