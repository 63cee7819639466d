package inbox

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// InboxPage is a list of what the viewer was told, by thread.
type InboxPage struct {
	ui.Frame
	Tabs        []ui.Tab        `json:"-"`
	Threads     []*InboxThread  `json:"items"`       // What the member was told, by thread.
	Invitations []ui.Invitation `json:"invitations"` // Invitations to moderate.
	// Id of the newest entry, up to which everything can be marked as read; null when there is none.
	Newest   string `json:"newest" as:"id"`
	ReadTo   string `json:"-"` // the newest when all was marked as read just now, which can be undone; "" if it was not
	Empty    string `json:"-"` // the sentence shown when there is nothing
	NextURL  string `as:"following"`
	FirstURL string `json:"-"` // on later pages
}

// InboxThread is a thread with what the viewer was told of it, the newest first.
type InboxThread struct {
	URL       string      `json:"permalink"` // Address of the thread, or of what it is about.
	Title     string      `json:"title"`     // Title of the thread.
	Community string      `json:"community"` // Name of the community; empty for a profile or the site.
	Watch     ui.Watch    `json:"watch"`     // What the member wants to be told of the thread.
	NoThread  bool        `json:"-"`         // it can't be followed, and Community is "" for the whole site
	Items     []InboxItem `json:"items"`     // What the member was told of it, newest first.
	Unread    int         `json:"unread"`    // How many of these are unread.
}

// InboxItem is one thing that the viewer was told.
type InboxItem struct {
	ID      string    `json:"id" as:"id"`    // Id of the entry.
	URL     string    `json:"permalink"`     // Address of what it is about.
	Kind    string    `json:"kind"`          // `answer`, `mention` or `thread`; something else for decisions.
	Notice  string    `json:"notice"`        // What was decided, in words; empty for what others wrote.
	Comment bool      `json:"comment"`       // Whether it leads to a comment.
	Author  string    `json:"author"`        // Username of who wrote it; empty for a deleted account.
	Avatar  ui.Avatar `json:"author_avatar"` // The author's tile.
	Excerpt string    `json:"excerpt"`       // Its first characters, without formatting.
	Unread  bool      `json:"unread"`        // Whether it is unread.
	At      time.Time `json:"created_at"`    // When the member was told.
	ReplyTo string    `json:"-"`             // id of the post or comment that can be answered here; "" for a notice
}

// Inbox is the page of an InboxPage.
func Inbox(p InboxPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Div(h.Class("head tight"),
			h.Div(h.H1(g.Text("Inbox"))),
			g.Iff(p.Viewer != nil && p.Viewer.Unread > 0 && len(p.Threads) > 0, func() g.Node {
				return h.Div(h.Class("do"), h.Form(ui.PostTo("/inbox/read"), ui.Hidden("newest", p.Newest),
					h.Button(h.Class("button quiet"), g.Text("Mark all read"))))
			})),
		g.Iff(p.ReadTo != "", func() g.Node {
			return h.Form(h.Class("join row"), ui.PostTo("/inbox/unread"), ui.Hidden("newest", p.ReadTo),
				h.Span(h.Role("status"), g.Text("All read.")), h.Button(h.Class("button quiet"), g.Text("Undo")))
		}),
		ui.Tabs("What to show", p.Tabs),
		g.If(len(p.Invitations) > 0, h.Div(h.Class("cases"), g.Map(p.Invitations, ui.InvitationRow))),
		inbox(&p),
		ui.Pager(p.FirstURL, p.NextURL))
}

// inbox lists the entries of all threads. A card each: that of an answer is a link to it as a whole.
func inbox(p *InboxPage) g.Node {
	if len(p.Threads) == 0 {
		return h.Div(h.Class("empty"), ui.Logo(), h.P(g.Text(p.Empty)))
	}
	return ui.Component(func(m *ui.Markup) {
		m.Lit(`<ol class="told">`)
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
		When(i.Unread, `<i><span class="vh">Unread: </span></i>`)
	title := t.Title != ""
	switch {
	case i.Notice != "":
		m.Lit(`<strong>`).Text(i.Notice).Lit(`</strong>`).When(title, ` · `)
	case i.Author == "":
		m.Lit(`<strong class="gone">[deleted]</strong> `).Lit(i.what()).When(title, ` in `)
	default:
		m.Lit(`<strong>`).Text(ui.DisplayName(i.Author)).Lit(`</strong> `).Lit(i.what()).When(title, ` in `)
	}
	if title {
		m.Text(ui.DisplayName(t.Title))
	}
	m.Lit(`</a>`).TimeAgo(i.At, p.Now)
	if t.Community != "" {
		m.Lit(`<a class="com" href="/c/`).Segment(t.Community).Lit(`">c/`).Text(t.Community).Lit(`</a>`)
	}
	m.Lit(`</p>`)
	if i.Excerpt != "" {
		m.Lit(`<p class="ex">`).Text(i.Excerpt).Lit(`</p>`)
	}
	m.Lit(`<div class="acts">`)
	if i.ReplyTo != "" {
		m.Lit(`<a class="re" href="/reply?to=`).Text(i.ReplyTo).Lit(`">Reply</a>`)
	}
	if i.Unread || !t.NoThread {
		inboxMenu(m, i, t, p.Newest)
	}
	m.Lit(`</div></li>`)
}

// inboxMenu writes what is done more seldom with an entry and its thread.
func inboxMenu(m *ui.Markup, i *InboxItem, t *InboxThread, newest string) {
	m.Lit(`<details class="menu opts"><summary aria-label="More"></summary><div>`)
	if !t.NoThread {
		m.Lit(`<a href="`).Text(t.URL).Lit(`">Show the thread</a>`)
	}
	if i.Unread {
		m.Lit(`<form method="post" action="/inbox/read">`).Hidden("item", i.ID).Lit(`<button>Mark as read</button></form>`)
	}
	if t.Unread > 1 {
		m.Lit(`<form method="post" action="/inbox/read">`).Hidden("thread", t.Watch.Target).Hidden("newest", newest).
			Lit(`<button>Mark thread as read</button></form>`)
	}
	if !t.NoThread {
		m.Watch(&t.Watch)
	}
	m.Lit(`</div></details>`)
}

// what says why the viewer was told.
func (i *InboxItem) what() ui.Literal {
	switch i.Kind {
	case "answer":
		return "replied"
	case "mention":
		return "mentioned you"
	}
	return "commented"
}
