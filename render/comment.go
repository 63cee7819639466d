package render

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// thread is what every comment of a page shares.
type thread struct {
	now  time.Time
	path string // where vote forms return to
	flat bool   // away from its thread: neither replies nor a fold
}

// CommentFragment is a comment just written, as it joins its thread in place.
func CommentFragment(c *Comment) g.Node {
	return comment(c, thread{now: c.now()})
}

// MoreFragment is what takes the place of a stub: its comments and the next stub.
func MoreFragment(cs []*Comment, more *More) g.Node {
	t := thread{}
	if len(cs) > 0 {
		t.now = cs[0].now()
	}
	return comments(cs, more, t)
}

func (c *Comment) now() time.Time {
	if c.Now.IsZero() {
		return c.CreatedAt
	}
	return c.Now
}

func comments(cs []*Comment, more *More, t thread) g.Node {
	return g.Group{
		g.Map(cs, func(c *Comment) g.Node { return comment(c, t) }),
		moreStub(more),
	}
}

func comment(c *Comment, t thread) g.Node {
	class := "comment"
	if c.Depth >= 6 {
		class = "comment deep"
	}
	if c.Highlight {
		class += " lit"
	}
	body := g.Group{h.Div(h.Class("said-body"), commentBody(c)), commentActions(c, t)}
	if t.flat {
		return h.Article(h.Class(class), h.ID("c-"+c.ID), commentHead(c, t), body)
	}
	return h.Article(h.Class(class), h.ID("c-"+c.ID),
		commentHead(c, t),
		h.Details(g.Attr("open"),
			h.Summary(h.Span(g.Text(foldLabel(c)))),
			body,
			comments(c.Replies, c.More, t),
		),
	)
}

// foldLabel names what the fold hides; it follows the author in reading order.
func foldLabel(c *Comment) string {
	if c.Descendants == 0 {
		return "comment"
	}
	return "comment and " + plural(c.Descendants, "reply", "replies")
}

func commentHead(c *Comment, t thread) g.Node {
	return h.Div(h.Class("by"),
		commentAuthor(c),
		mark(c.IsOP, " op", "author"),
		mark(c.IsViewer, "", "you"),
		h.A(h.Href(c.URL), timeAgo(c.CreatedAt, t.now)),
		g.If(c.Edited, h.Span(g.Text("edited"))),
	)
}

func commentAuthor(c *Comment) g.Node {
	if c.Author == "" || c.Deleted {
		return h.Span(h.Class("gone"), g.Text("[deleted]"))
	}
	return h.A(h.Class("who"), h.Href(userURL(c.Author)), g.Text(named(c.Author)))
}

func commentBody(c *Comment) g.Node {
	switch {
	case c.Removed:
		return h.P(h.Class("gone"), g.Text("[removed by a moderator]"))
	case c.Deleted:
		return h.P(h.Class("gone"), g.Text("[deleted]"))
	}
	return markup(c.BodyHTML)
}

func commentActions(c *Comment, t thread) g.Node {
	if c.Deleted || c.Removed {
		return nil
	}
	ret := ""
	if t.path != "" {
		before, _, _ := strings.Cut(t.path, "#")
		ret = before + "#c-" + c.ID
	}
	reply := "/reply?to=" + c.ID
	return h.Div(h.Class("acts"),
		votes(c.Votes, ret),
		g.If(c.CanReply, h.A(h.Class("re"), h.Href(reply), g.Attr("hx-get", fragmentURL(reply)), g.Attr("hx-target", "closest .acts"), g.Attr("hx-swap", "afterend"), g.Text("Reply"))),
	)
}

func moreStub(m *More) g.Node {
	if m == nil {
		return nil
	}
	if m.Continue {
		return h.A(h.Class("more"), h.Href(m.URL), g.Text("Continue this thread"))
	}
	label := "Show " + plural(m.Count, "more comment", "more comments")
	return h.A(h.Class("more"), h.Href(m.URL), g.Attr("hx-get", fragmentURL(m.URL)), g.Attr("hx-target", "this"), g.Text(label))
}

// Reply is the page that answers one comment or post without JavaScript.
func Reply(p ReplyPage) g.Node {
	field, id, label := p.target()
	return page(p.Frame, "", nil,
		h.Div(h.Class("sheet"),
			h.H1(g.Text(label)),
			h.P(h.Class("crumb"), g.Text("in "), h.A(h.Href(p.Post.URL), g.Text(named(p.Post.Title)))),
			g.Iff(p.Parent != nil, func() g.Node {
				return h.BlockQuote(h.Class("answered"), commentHead(p.Parent, thread{now: p.Now}), commentBody(p.Parent))
			}),
			replyForm(p.Form, field, id, "Your text"),
		),
	)
}

// ReplyFormFragment is the form under the comment that is answered in place.
func ReplyFormFragment(p ReplyPage) g.Node {
	field, id, label := p.target()
	return replyForm(p.Form, field, id, label)
}

func (p ReplyPage) target() (field, id, label string) {
	switch {
	case p.Parent == nil:
		return "post", p.Post.ID, "Your comment"
	case p.Parent.Author == "":
		return "parent", p.Parent.ID, "Your reply"
	}
	return "parent", p.Parent.ID, "Your reply to " + p.Parent.Author
}

// replyForm writes a comment. In place, a reply takes the form's place and a comment
// on the post joins the top of the thread.
func replyForm(f Form, target, id, label string) g.Node {
	inPlace := g.Group{g.Attr("hx-target", "this"), g.Attr("hx-swap", "outerHTML")}
	if target == "post" {
		inPlace = g.Group{g.Attr("hx-target", "#thread"), g.Attr("hx-swap", "afterbegin")}
	}
	control := "body-" + id
	problem := f.Errors["body"]
	return h.Form(h.Class("reply"), action(f, "/comment"), g.Attr("hx-post", "/comment"), inPlace,
		formError(f),
		hidden(target, id),
		h.Label(h.For(control), g.Text(label)),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID(control+"-error"), g.Text(problem))),
		h.Textarea(h.ID(control), h.Name("body"), h.Rows("4"), h.Required(),
			g.If(problem != "", g.Group{h.Aria("invalid", "true"), h.Aria("describedby", control+"-error"), h.AutoFocus()}),
			g.Text(newlineSafe(f.Values["body"]))),
		h.Div(h.Class("row"), submit("Post"), h.Span(h.Class("muted"), g.Text("Markdown works"))),
	)
}
