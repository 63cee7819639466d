package render

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Comment is one comment with the replies that are shown under it.
type Comment struct {
	ID          string
	PostURL     string // address of its post; its own is one segment longer
	Query       string // of its own address, which keeps the thread's order; "" for none
	Author      string
	Avatar      Avatar // the author's
	IsOP        bool   // written by the author of the post
	IsViewer    bool
	BodyHTML    HTML
	CreatedAt   time.Time
	EditedAt    time.Time // zero when it is as posted
	Deleted     bool
	Removed     bool
	Hidden      bool   // by a rule after reports, until a moderator has decided: it is Removed until then
	Waits       bool   // for a moderator: it is Removed until then
	Rule        string // why it was removed; "" where that isn't known
	Note        string // of the moderators, for its author and themselves
	Answer      HTML   // of an automatic rule, below it
	ModURL      string // where the viewer, a moderator, decides about it
	BanURL      string // and about its author
	CardURL     string // of what the community knows of its author, for moderators; "" for nobody's
	Votes       Votes
	Replies     []*Comment
	More        *More // further replies
	Descendants int64
	CanReply    bool
	CanEdit     bool // by the viewer, who wrote it
	CanDelete   bool
	CanSave     bool
	CanBlock    bool // its author, by the viewer
	CanReport   bool
	Blocked     bool // its author is blocked by the viewer
	Highlight   bool // the target of a permalink
	Context     bool // above the target of a permalink
	Saved       bool
	New         bool      // since the viewer's last visit
	NextNew     string    // id of the next such comment of the page; "" for the last
	Now         time.Time // of a lone fragment; pages use Frame.Now
}

// More is the stub of comments not loaded yet.
type More struct {
	URL      string // page without JavaScript, fragment with it
	Count    int64  // comments behind it
	Continue bool   // "continue this thread": deeper than a page goes
}

// ReplyPage is the form that answers a post or comment, on a page of its own: without JavaScript, or after an error. Fields: post or
// parent, body, token.
type ReplyPage struct {
	Frame
	Post   PostItem
	Parent *Comment // nil when the post itself is answered
	Form   Form
}

// thread is what all comments of a page have in common.
type thread struct {
	now  time.Time
	flat bool // away from its thread: neither replies nor a fold
}

// CommentFragment is a comment that was just written or changed, for the script to put into the thread.
func CommentFragment(c *Comment) g.Node { return comment(c, thread{now: c.now()}) }

// MoreFragment is what the script puts in the place of a stub: comments, and the next stub.
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
	return component(func(m *markup) { m.comments(cs, more, &t) })
}

func comment(c *Comment, t thread) g.Node {
	return component(func(m *markup) { m.comment(c, &t) })
}

func (m *markup) comments(cs []*Comment, more *More, t *thread) {
	for _, c := range cs {
		m.comment(c, t)
	}
	m.more(more)
}

func (m *markup) comment(c *Comment, t *thread) {
	m.lit(`<article class="comment`).when(c.Context, ` context`).when(c.Highlight, ` lit`).lit(`" id="c-`).text(c.ID).lit(`">`)
	if c.Blocked {
		m.lit(`<details class="veil"><summary>From somebody you block</summary>`)
		m.commentHead(c, t.now)
		m.commentSaid(c, t)
		m.lit(`</details>`)
		if !t.flat {
			m.comments(c.Replies, c.More, t)
		}
		m.lit(`</article>`)
		return
	}
	m.commentHead(c, t.now)
	if t.flat {
		m.commentSaid(c, t)
	} else {
		m.lit(`<details open><summary><span>`).foldLabel(c).lit(`</span></summary>`)
		m.commentSaid(c, t)
		m.comments(c.Replies, c.More, t)
		m.lit(`</details>`)
	}
	m.lit(`</article>`)
}

// foldLabel names what folding a comment hides. Screen readers read it after the author.
func (m *markup) foldLabel(c *Comment) *markup {
	if c.Descendants == 0 {
		return m.lit(`comment`)
	}
	return m.lit(`comment and `).plural(c.Descendants, "reply", "replies")
}

func (m *markup) commentHead(c *Comment, now time.Time) {
	m.lit(`<div class="by">`)
	if c.Author == "" || c.Deleted {
		m.lit(`<span class="gone">[deleted]</span>`)
	} else {
		m.writer(c.Author, c.Avatar)
	}
	m.mark(c.IsOP, " op", "author").mark(c.IsViewer, "", "you")
	m.lit(`<a href="`).text(c.PostURL).lit(`/`).text(c.ID).text(c.Query).lit(`">`).timeAgo(c.CreatedAt, now).lit(`</a>`)
	if c.New {
		m.lit(`<span class="mark new">new</span>`)
	}
	if c.NextNew != "" {
		m.lit(`<a href="#c-`).text(c.NextNew).lit(`">next new</a>`)
	}
	m.edited(c.EditedAt, now).lit(`</div>`)
}

// commentSaid writes the text of a comment and what can be done about it.
func (m *markup) commentSaid(c *Comment, t *thread) {
	m.lit(`<div class="said-body md">`).commentBody(c).lit(`</div>`)
	if c.Deleted || c.Removed {
		if c.Saved || c.CanDelete || c.ModURL != "" {
			m.lit(`<div class="acts">`).keepComment(c).opens(c.CanDelete, "/delete", "Delete", c.ID).moderateComment(c).lit(`</div>`)
		}
		return
	}
	m.lit(`<div class="acts">`)
	m.votes(&c.Votes)
	if c.CanReply {
		m.lit(`<a class="re" href="/reply?to=`).text(c.ID).lit(`">Reply</a>`)
	}
	m.keepComment(c).opens(c.CanEdit, "/edit", "Edit", c.ID).opens(c.CanDelete, "/delete", "Delete", c.ID)
	if c.CanBlock {
		m.lit(`<a href="/block?user=`).segment(c.Author).lit(`">Block</a>`)
	}
	if c.CanReport {
		m.lit(`<a href="/report?target=`).text(c.ID).lit(`">Report</a>`)
	}
	m.moderateComment(c).lit(`</div>`)
}

func (m *markup) commentBody(c *Comment) *markup {
	switch {
	case c.Waits:
		return m.lit(`<p class="gone">This waits for a moderator. Until then only its author and the moderators see it.</p>`).note(c.Note).made(c.BodyHTML)
	case c.Removed:
		m.lit(`<p class="gone">[`).when(c.Hidden, `hidden after reports, until a moderator has decided`).when(!c.Hidden, `removed by a moderator`)
		if c.Rule != "" {
			m.lit(`: `).text(c.Rule)
		}
		return m.lit(`]</p>`).note(c.Note).made(c.BodyHTML)
	case c.Deleted:
		return m.lit(`<p class="gone">[deleted]</p>`)
	}
	return m.made(c.BodyHTML).answer(c.Answer)
}

// more writes the stub of comments that are not on the page. The script opens it in place, unless it continues on another page.
func (m *markup) more(stub *More) {
	if stub == nil {
		return
	}
	m.lit(`<a class="more`).when(stub.Continue, ` away`).lit(`" href="`).text(stub.URL).lit(`">`)
	if stub.Continue {
		m.lit(`Continue this thread (`).plural(stub.Count, "more comment", "more comments").lit(`)</a>`)
		return
	}
	if stub.Count == 0 {
		m.lit(`Show more comments</a>`)
		return
	}
	m.lit(`Show `).plural(stub.Count, "more comment", "more comments").lit(`</a>`)
}

// Reply is the page of a ReplyPage.
func Reply(p ReplyPage) g.Node {
	field, id, label := p.target()
	return page(p.Frame, "", nil,
		h.Div(h.Class("sheet"),
			h.H1(g.Text(label)),
			g.If(p.Post.URL != "", h.P(h.Class("crumb"), h.Span(g.Text("in")), h.A(h.Href(p.Post.URL), titleText(p.Post)))), // else it could not be read
			g.Iff(p.Parent != nil && !p.Parent.CreatedAt.IsZero(), func() g.Node {
				return h.BlockQuote(h.Class("answered"), component(func(m *markup) {
					m.commentHead(p.Parent, p.Now)
					m.lit(`<div class="md">`).commentBody(p.Parent).lit(`</div>`)
				}))
			}),
			replyForm(p.Form, field, id, "Your text", nil),
			writtenScript(p.Viewer),
		),
	)
}

// ReplyFormFragment is the form below the comment that is answered, on the thread's page.
func ReplyFormFragment(p ReplyPage) g.Node {
	field, id, label := p.target()
	return replyForm(p.Form, field, id, label, inPlace(field))
}

// target returns the field that names what is answered, its id, and the label of the text area.
func (p ReplyPage) target() (field literal, id, label string) {
	switch {
	case p.Parent == nil:
		return "post", p.Post.ID, "Your comment"
	case p.Parent.Author == "":
		return "parent", p.Parent.ID, "Your reply"
	}
	return "parent", p.Parent.ID, "Your reply to " + p.Parent.Author
}

// inPlace has the script send a comment and put it into the page: a reply in the place of the form, an answer to the post at the top of
// the thread.
func inPlace(answers literal) g.Node {
	if answers == "post" {
		return g.Group{g.Attr("hx-post", "/comment"), g.Attr("hx-target", "#thread"), g.Attr("hx-swap", "afterbegin")}
	}
	return g.Group{g.Attr("hx-post", "/comment"), g.Attr("hx-target", "this"), g.Attr("hx-swap", "outerHTML")}
}

// writtenScript stands on a page with forms in which people write (web/written.js).
func writtenScript(v *Viewer) g.Node {
	member := ""
	if v != nil {
		member = v.Name
	}
	return h.Script(h.Src(WrittenJS), h.Defer(), h.Data("member", member))
}

// again names a form, as worker/request/form_page.go knows it, for the script that takes it along to the login page.
func again(form string) g.Node { return h.Data("again", form) }

// replyForm is the form for a comment. inPlace has the script send it, nil where there is no thread on the page.
func replyForm(f Form, target literal, id, label string, inPlace g.Node) g.Node {
	control := "body-" + id
	return h.Form(h.Class("reply"), sentTo("/comment"), again("reply"), inPlace,
		formError(f),
		hidden(target, id), formToken(f),
		h.Label(h.For(control), g.Text(label)),
		bodyControl(f, control),
		preview(f),
		h.Div(h.Class("row"), submit("Post"), previewButton("reply"), h.Span(h.Class("muted"), g.Text("Markdown works"))),
	)
}
