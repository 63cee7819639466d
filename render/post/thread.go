package post

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// threadBar stands above a thread and stays in sight: how many comments there are, their order, the ways through them, and what the viewer is
// notified of. The script makes the buttons work, and without it they are not shown (web/app/thread.js).
func threadBar(p PostPage) g.Node {
	return h.Div(h.Class("tbar"),
		h.H2(h.ID("comments-title"), ui.Component(func(m *ui.Markup) { m.Plural(p.Total, "comment", "comments") })),
		orderMenu(p.Sorts),
		g.Iff(p.New > 0, func() g.Node {
			return h.A(h.Class("fresh"), h.Href("#c-"+p.FirstNew), h.Data("go", "new"), h.Title("Next new comment (N)"),
				g.Text(ui.Exact(p.New)+" new"))
		}),
		g.If(len(p.Comments) > 0, g.Group{goButton("parent", "Parent comment", "p", "↰"), goButton("root", "Next thread", "n", "↓")}),
		g.Iff(p.Viewer != nil && p.Draft == nil && !p.Post.Waits(), func() g.Node {
			return h.Details(h.Class("menu dots watch"), h.Summary(h.Aria("label", "Notifications of this thread"), ui.Bell()),
				h.Div(ui.WatchFragment(p.Watch)))
		}),
	)
}

func goButton(to, label, key, sign string) g.Node {
	return h.Button(h.Data("go", to), h.Title(label+" ("+key+")"), h.Aria("label", label), g.Text(sign))
}

// orderMenu links to the same page in each order; nil where there is none to choose.
func orderMenu(orders []ui.Tab) g.Node {
	if len(orders) == 0 {
		return nil
	}
	return ui.Component(func(m *ui.Markup) {
		m.Lit(`<details class="menu dots order"><summary><span class="vh">Order: </span>`)
		for _, o := range orders {
			if o.Active {
				m.Text(o.Label)
			}
		}
		m.Lit(`</summary><nav aria-label="Order of comments">`)
		for _, o := range orders {
			m.Lit(`<a href="`).Text(o.URL).Lit(`"`).When(o.Active, ` aria-current="page"`).Lit(`>`).Text(o.Label).Lit(`</a>`)
		}
		m.Lit(`</nav></details>`)
	})
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
		return h.P(h.Class("notice"), g.Text(p.Banned.Says))
	case p.CanReply:
		return ui.ReplyForm(p.Reply, "post", p.Post.ID, "Comment", ui.InPlace("post"))
	case p.Post.Locked:
		return h.P(h.Class("notice"), g.Text("This thread is locked: it can be read, but not answered."))
	case p.Archived:
		return h.P(h.Class("notice"), g.Text("This thread is archived: it can be read, but takes no more votes or comments."))
	case p.Post.Gone() != "":
		return nil
	case p.Viewer == nil:
		return h.P(h.Class("join"), h.A(h.Href(ui.WithReturn("/login", p.Path)), g.Text("Log in")), g.Text(" or "),
			h.A(h.Href(ui.WithReturn("/signup", p.Path)), g.Text("sign up")), g.Text(" to say something."))
	}
	return nil
}
