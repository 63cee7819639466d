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
	Empty    string `json:"-"` // the sentence shown when there is nothing
	NextURL  string `as:"following"`
	FirstURL string `json:"-"` // on later pages
}

// InboxThread is a thread with what the viewer was told of it, the newest first.
type InboxThread struct {
	Colour    string      `json:"-"`
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
}

// Inbox is the page of an InboxPage.
func Inbox(p InboxPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Div(h.Class("head"),
			h.Div(h.H1(g.Text("Inbox"))),
			g.Iff(p.Viewer != nil && p.Viewer.Unread > 0 && len(p.Threads) > 0, func() g.Node {
				return h.Div(h.Class("do"), h.Form(ui.PostTo("/inbox/read"), ui.Hidden("newest", p.Newest),
					h.Button(h.Class("button quiet"), g.Text("Mark all as read"))))
			})),
		ui.Tabs("What to show", p.Tabs),
		g.If(len(p.Invitations) > 0, h.Div(h.Class("cases"), g.Map(p.Invitations, ui.InvitationRow))),
		g.If(len(p.Threads) == 0, h.Div(h.Class("empty"), ui.Logo(), h.P(g.Text(p.Empty)))),
		g.Map(p.Threads, func(t *InboxThread) g.Node {
			return ui.Component(func(m *ui.Markup) { inboxThread(m, t, p.Newest, p.Now) })
		}),
		ui.Pager(p.FirstURL, p.NextURL))
}

func inboxThread(m *ui.Markup, t *InboxThread, newest string, now time.Time) {
	m.Lit(`<section class="told"><div class="told-of"><h2><a href="`).Text(t.URL).Lit(`">`).Text(ui.DisplayName(t.Title)).
		Lit(`</a></h2><p class="by">`)
	if t.Community == "" && t.NoThread {
		m.Lit(`this site</p></div>`)
	} else if t.Community == "" {
		m.Lit(`on a profile</p></div>`)
	} else {
		m.Icon(t.Community, t.Colour).Lit(`<a href="/c/`).Segment(t.Community).Lit(`">c/`).Text(t.Community).Lit(`</a></p></div>`)
	}
	m.Lit(`<ol>`)
	for i := range t.Items {
		inboxItem(m, &t.Items[i], now)
	}
	m.Lit(`</ol><div class="acts">`)
	if t.Unread > 1 {
		m.Lit(`<form method="post" action="/inbox/read">`).Hidden("thread", t.Watch.Target).Hidden("newest", newest).
			Lit(`<button>Mark thread as read</button></form>`)
	}
	if !t.NoThread {
		m.Watch(&t.Watch)
	}
	m.Lit(`</div></section>`)
}

func inboxItem(m *ui.Markup, i *InboxItem, now time.Time) {
	m.Lit(`<li`).When(i.Unread, ` class="unread"`).Lit(`><p class="by">`)
	m.Mark(i.Unread, " op", "unread")
	if i.Notice != "" {
		m.Lit(`<a href="`).Text(i.URL).Lit(`">`).Text(i.Notice)
	} else {
		if i.Author == "" {
			m.Lit(`<span class="gone">[deleted]</span>`)
		}
		m.Writer(i.Author, i.Avatar).Lit(`<a href="`).Text(i.URL).Lit(`">`).Lit(i.what())
	}
	m.Lit(`</a>`).TimeAgo(i.At, now).Lit(`</p>`)
	if i.Excerpt != "" {
		m.Lit(`<p class="ex">`).Text(i.Excerpt).Lit(`</p>`)
	}
	if i.Unread {
		m.Lit(`<form class="one" method="post" action="/inbox/read">`).Hidden("item", i.ID).Lit(`<button>Mark as read<span class="vh">: `).
			Text(i.Excerpt).Lit(`</span></button></form>`)
	}
	m.Lit(`</li>`)
}

// what says why the viewer was told.
func (i *InboxItem) what() ui.Literal {
	switch {
	case i.Kind == "answer":
		return "answered you"
	case i.Kind == "mention" && i.Comment:
		return "mentioned you in a comment"
	case i.Kind == "mention":
		return "mentioned you in a post"
	}
	return "wrote in a thread you follow"
}
