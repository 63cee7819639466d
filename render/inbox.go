package render

import (
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// InboxPage is a list of what the viewer was told, by thread.
type InboxPage struct {
	Frame
	Tabs        []Tab
	Invitations []Invitation
	Threads     []*InboxThread
	Newest      string // text id of the newest item, up to which everything is marked as read
	Empty       string // the sentence shown when there is nothing
	NextURL     string
	FirstURL    string // on later pages
}

// InboxThread is a thread with what the viewer was told of it, the newest first.
type InboxThread struct {
	Community string // "" for a profile
	Colour    string
	URL       string
	Title     string
	Watch     Watch
	NoThread  bool // it can't be followed, and Community is "" for the whole site
	Items     []InboxItem
	Unread    int // of Items
}

// InboxItem is one thing that the viewer was told.
type InboxItem struct {
	ID      string
	URL     string
	Kind    string // "answer", "mention" or "thread"
	Notice  string // what was decided about something of the viewer's, or that they reported; "" for what others wrote
	Comment bool   // what it leads to; else a post
	Author  string // "" when the account is gone
	Avatar  Avatar // the author's
	Excerpt string
	Unread  bool
	At      time.Time
}

// Watch is what the viewer wants to be told of a thread.
type Watch struct {
	Target string // text id of the thread's post
	State  string // "follow", "mute" or "" for answers and mentions
}

// Inbox is the page of an InboxPage.
func Inbox(p InboxPage) g.Node {
	return page(p.Frame, "", nil,
		h.Div(h.Class("head"),
			h.Div(h.H1(g.Text("Inbox"))),
			g.Iff(p.Viewer != nil && p.Viewer.Unread > 0 && len(p.Threads) > 0, func() g.Node {
				return h.Div(h.Class("do"), h.Form(sentTo("/inbox/read"), hidden("newest", p.Newest), h.Button(h.Class("button quiet"), g.Text("Mark all as read"))))
			})),
		tabs("What to show", p.Tabs),
		g.If(len(p.Invitations) > 0, h.Div(h.Class("cases"), g.Map(p.Invitations, invitation))),
		g.If(len(p.Threads) == 0, h.Div(h.Class("empty"), logo(), h.P(g.Text(p.Empty)))),
		g.Map(p.Threads, func(t *InboxThread) g.Node {
			return component(func(m *markup) { m.inboxThread(t, p.Newest, p.Now) })
		}),
		turning(p.FirstURL, p.NextURL))
}

func (m *markup) inboxThread(t *InboxThread, newest string, now time.Time) {
	m.lit(`<section class="told"><div class="told-of"><h2><a href="`).text(t.URL).lit(`">`).text(named(t.Title)).lit(`</a></h2><p class="by">`)
	if t.Community == "" && t.NoThread {
		m.lit(`this site</p></div>`)
	} else if t.Community == "" {
		m.lit(`on a profile</p></div>`)
	} else {
		m.icon(t.Community, t.Colour).lit(`<a href="/c/`).segment(t.Community).lit(`">c/`).text(t.Community).lit(`</a></p></div>`)
	}
	m.lit(`<ol>`)
	for i := range t.Items {
		m.inboxItem(&t.Items[i], now)
	}
	m.lit(`</ol><div class="acts">`)
	if t.Unread > 1 {
		m.lit(`<form method="post" action="/inbox/read">`).hidden("thread", t.Watch.Target).hidden("newest", newest).lit(`<button>Mark thread as read</button></form>`)
	}
	if !t.NoThread {
		m.watch(&t.Watch)
	}
	m.lit(`</div></section>`)
}

func (m *markup) inboxItem(i *InboxItem, now time.Time) {
	m.lit(`<li`).when(i.Unread, ` class="unread"`).lit(`><p class="by">`)
	m.mark(i.Unread, " op", "unread")
	if i.Notice != "" {
		m.lit(`<a href="`).text(i.URL).lit(`">`).text(i.Notice)
	} else {
		if i.Author == "" {
			m.lit(`<span class="gone">[deleted]</span>`)
		}
		m.writer(i.Author, i.Avatar).lit(`<a href="`).text(i.URL).lit(`">`).lit(i.what())
	}
	m.lit(`</a>`).timeAgo(i.At, now).lit(`</p>`)
	if i.Excerpt != "" {
		m.lit(`<p class="ex">`).text(i.Excerpt).lit(`</p>`)
	}
	if i.Unread {
		m.lit(`<form class="one" method="post" action="/inbox/read">`).hidden("item", i.ID).lit(`<button>Mark as read<span class="vh">: `).text(i.Excerpt).lit(`</span></button></form>`)
	}
	m.lit(`</li>`)
}

// what says why the viewer was told.
func (i *InboxItem) what() literal {
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

// WatchFragment is the buttons by which a member follows or mutes a thread, in their state.
func WatchFragment(w Watch) g.Node { return component(func(m *markup) { m.watch(&w) }) }

func (m *markup) watch(w *Watch) *markup {
	m.lit(`<form class="keep" method="post" action="/watch?target=`).text(w.Target).lit(`">`)
	switch w.State {
	case "follow":
		m.lit(`<button name="watch" value="none">Unfollow thread</button>`)
	case "mute":
		m.lit(`<button name="watch" value="none">Unmute thread</button>`)
	default:
		m.lit(`<button name="watch" value="follow">Follow thread</button><button name="watch" value="mute">Mute thread</button>`)
	}
	return m.lit(`</form>`)
}

// inboxSVG is a bell; its colour is that of the text.
const inboxSVG = `<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a6 6 0 0 0-6 6c0 5-2 6.5-2 8h16c0-1.5-2-3-2-8a6 6 0 0 0-6-6zM10 20a2 2 0 0 0 4 0"></path></svg>`

// inboxCount is how much is unread, as the header has room for it.
func inboxCount(n int) string {
	if n > 99 {
		return "99+"
	}
	return strconv.Itoa(n)
}
