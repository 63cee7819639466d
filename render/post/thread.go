package post

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// threadBar is the bar above a thread, which stays visible: how many comments there are, their order, the buttons to jump between them, and
// what the viewer is notified of. The script makes its buttons work. Without it they are not shown (web/app/thread.js).
func threadBar(m *ui.Markup, p *PostPage) {
	m.Lit(`<div class="tbar"><h2 id="comments-title">`).Count(p.Total, "{} comment|{} comments").Lit(`</h2>`)
	orderMenu(m, p.Sorts)
	if p.New > 0 {
		m.Lit(`<a class="fresh" href="#c-`).Text(p.FirstNew).Lit(`" data-go="new" title="`).Say("Next new comment (N)").Lit(`">`).
			Say("{} new", p.New).Lit(`</a>`)
	}
	if p.Map != nil {
		m.Lit(`<button class="tomap" popovertarget="map" title="`).Say("Overview").Lit(`" aria-label="`).Say("Overview").Lit(`">☰</button>`)
	}
	if len(p.Comments) > 0 {
		m.Lit(`<button data-go="parent" title="`).Say("Parent comment (p)").Lit(`" aria-label="`).Say("Parent comment").
			Lit(`">↰</button><button data-go="root" title="`).Say("Next thread (n)").Lit(`" aria-label="`).Say("Next thread").
			Lit(`">↓</button>`)
	}
	if p.Viewer != nil && p.Draft == nil && !p.Post.Held() {
		m.Lit(`<details class="menu dots watch"><summary aria-label="`).Say("Notifications of this thread").Lit(`">`).Bell().
			Lit(`</summary><div>`).Watch(&p.Watch).Lit(`</div></details>`)
	}
	m.Lit(`</div>`)
}

// orderMenu links to the same page in each order.
func orderMenu(m *ui.Markup, orders []ui.Tab) {
	if len(orders) == 0 {
		return
	}
	m.Lit(`<details class="menu dots sorts"><summary><span class="vh">`).Say("Order").Lit(`: </span>`)
	for i := range orders {
		if orders[i].Active {
			m.Say(orders[i].Label)
		}
	}
	m.Lit(`</summary><nav aria-label="`).Say("Order of comments").Lit(`">`)
	m.Links(orders).Lit(`</nav></details>`)
}

// partNote links from a part of a thread to the whole, and to what the part replies to.
func partNote(p PostPage) g.Node {
	if !p.Permalink && !p.Later {
		return nil
	}
	return h.P(h.Class("part"), ui.T("Part of a thread"), h.A(h.Href(p.FullURL), ui.T("Show all comments")),
		g.If(p.AboveURL != "", h.A(h.Href(p.AboveURL), ui.T("Show parent"))))
}

func replyToPost(p PostPage) g.Node {
	switch {
	case p.Permalink || p.Later:
		return nil
	case p.CanReply && p.Banned != nil:
		return p.Banned.Banner("")
	case p.CanReply:
		return ui.ReplyForm(p.Reply, "post", p.Post.ID, "Comment¦noun", ui.InPlace("post"), p.Pictures)
	case p.Post.Locked:
		return h.P(h.Class("notice"), ui.T("This thread is locked: no new comments."))
	case p.Archived:
		return h.P(h.Class("notice"), ui.T("This thread is archived: no new votes or comments."))
	case p.Post.Gone() != "":
		return nil
	case p.Viewer == nil:
		return h.P(h.Class("join"), ui.T("{} or {} to comment.", h.A(h.Href(ui.WithReturn("/login", p.Path)), ui.T("Log in")),
			h.A(h.Href(ui.WithReturn("/signup", p.Path)), ui.T("sign up"))))
	}
	return nil
}
