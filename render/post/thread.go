package post

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// threadBar stands above a thread and stays in sight: how many comments there are, their order, the ways through them, and what the viewer
// is notified of. The script makes its buttons work. Without it they are not shown (web/app/thread.js).
func threadBar(m *ui.Markup, p *PostPage) {
	m.Lit(`<div class="tbar"><h2 id="comments-title">`).Plural(p.Total, "comment", "comments").Lit(`</h2>`)
	orderMenu(m, p.Sorts)
	if p.New > 0 {
		m.Lit(`<a class="fresh" href="#c-`).Text(p.FirstNew).Lit(`" data-go="new" title="Next new comment (N)">`).Text(ui.Exact(p.New)).
			Lit(` new</a>`)
	}
	if len(p.Comments) > 0 {
		m.Lit(`<button data-go="parent" title="Parent comment (p)" aria-label="Parent comment">↰</button>` +
			`<button data-go="root" title="Next thread (n)" aria-label="Next thread">↓</button>`)
	}
	if p.Viewer != nil && p.Draft == nil && !p.Post.Waits() {
		m.Lit(`<details class="menu dots watch"><summary aria-label="Notifications of this thread">`).Bell().Lit(`</summary><div>`).
			Watch(&p.Watch).Lit(`</div></details>`)
	}
	m.Lit(`</div>`)
}

// orderMenu links to the same page in each order.
func orderMenu(m *ui.Markup, orders []ui.Tab) {
	if len(orders) == 0 {
		return
	}
	m.Lit(`<details class="menu dots sorts"><summary><span class="vh">Order: </span>`)
	for i := range orders {
		if orders[i].Active {
			m.Text(orders[i].Label)
		}
	}
	m.Lit(`</summary><nav aria-label="Order of comments">`)
	for i := range orders {
		m.Lit(`<a href="`).Text(orders[i].URL).Lit(`"`).When(orders[i].Active, ` aria-current="page"`).Lit(`>`).Text(orders[i].Label).Lit(`</a>`)
	}
	m.Lit(`</nav></details>`)
}

// partNote leads from a part of a thread to the whole, and to what the part replies to.
func partNote(p PostPage) g.Node {
	if !p.Permalink && !p.Later {
		return nil
	}
	return h.P(h.Class("part"), g.Text("Part of a thread"), h.A(h.Href(p.FullURL), g.Text("Show all comments")),
		g.If(p.AboveURL != "", h.A(h.Href(p.AboveURL), g.Text("Show parent"))))
}

func replyToPost(p PostPage) g.Node {
	switch {
	case p.Permalink || p.Later:
		return nil
	case p.CanReply && p.Banned != nil:
		return p.Banned.Notice("")
	case p.CanReply:
		return ui.ReplyForm(p.Reply, "post", p.Post.ID, "Comment", ui.InPlace("post"))
	case p.Post.Locked:
		return h.P(h.Class("notice"), g.Text("This thread is locked: no new comments."))
	case p.Archived:
		return h.P(h.Class("notice"), g.Text("This thread is archived: no new votes or comments."))
	case p.Post.Gone() != "":
		return nil
	case p.Viewer == nil:
		return h.P(h.Class("join"), h.A(h.Href(ui.WithReturn("/login", p.Path)), g.Text("Log in")), g.Text(" or "),
			h.A(h.Href(ui.WithReturn("/signup", p.Path)), g.Text("sign up")), g.Text(" to comment."))
	}
	return nil
}
