package ui

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/markdown"
)

// Comment is one comment with the replies that are shown under it.
type Comment struct {
	ID string   `json:"id" as:"id"` // Id of the comment.
	_  struct{} `made:"permalink"`  // Address of the comment with its part of the thread.
	// Address of its post.
	//
	// The comment's own address is one segment longer.
	PostURL     string        `json:"post"`
	Query       string        `json:"-"`             // of its own address, which keeps the thread's order; "" for none
	Author      string        `made:"author"`        // Username of its author; empty when deleted or nobody's.
	Avatar      Avatar        `json:"author_avatar"` // The author's tile.
	IsOP        bool          `json:"by_author"`     // Whether the author of the post wrote it.
	IsViewer    bool          `json:"by_viewer"`     // Whether the viewer wrote it.
	BodyHTML    markdown.HTML `json:"body_html"`     // The text, as safe HTML; empty when it was deleted or removed.
	Answer      markdown.HTML `json:"answer_html"`   // What an automatic rule answers, as safe HTML.
	CreatedAt   time.Time     `json:"created_at"`    // When it was written.
	EditedAt    time.Time     `json:"edited_at"`     // When it was last edited; null when it is as written.
	Votes       Votes         `as:"inline"`
	Descendants int64         `json:"descendants"` // How many replies it has, at any depth.
	Deleted     bool          `json:"deleted"`     // Whether its author has deleted it.
	Removed     bool          `json:"removed"`     // Whether it was removed, hidden or held.
	// Whether a rule has hidden it after reports, until a moderator has decided.
	//
	// It is Removed until then.
	Hidden bool `json:"hidden"`
	// Whether it is held until a moderator has decided.
	//
	// It is Removed until then.
	Waits     bool       `json:"waits"`
	Rule      string     `json:"rule"`       // The rule for which it was removed; empty where that isn't known.
	Note      string     `json:"note"`       // Words of the moderators, for its author and themselves.
	Saved     bool       `json:"saved"`      // Whether the viewer has saved it.
	Blocked   bool       `json:"blocked"`    // Whether the viewer blocks its author.
	New       bool       `json:"new"`        // Whether it was written since the viewer's last visit.
	Highlight bool       `json:"highlight"`  // Whether the address names this comment.
	Context   bool       `json:"context"`    // Whether the comment of the address answers it, directly or not.
	CanReply  bool       `json:"can_reply"`  // Whether it takes replies.
	CanEdit   bool       `json:"can_edit"`   // Whether the viewer, who wrote it, can edit it.
	CanDelete bool       `json:"can_delete"` // Whether the viewer, who wrote it, can delete it.
	CanSave   bool       `json:"can_save"`   // Whether the viewer can save it.
	CanReport bool       `json:"can_report"` // Whether the viewer can report it.
	ModURL    string     `json:"-"`          // where the viewer, a moderator, decides about it
	BanURL    string     `json:"-"`          // and about its author
	CardURL   string     `json:"-"`          // of what the community knows of its author, for moderators; "" for nobody's
	Replies   []*Comment `json:"replies"`    // The first of its replies, each with their own.
	More      *More      `json:"more"`       // Where further replies are; null where these are all.
	CanBlock  bool       `json:"-"`          // its author, by the viewer
	NextNew   string     `json:"-"`          // id of the next new comment of the page; "" for the last
	Now       time.Time  `json:"-"`          // of a lone fragment; pages use Frame.Now
}

// More is the stub of comments not loaded yet.
type More struct {
	URL      string `json:"next" as:"address"` // Address of the comments that follow.
	Count    int64  `json:"count"`             // How many there are; 0 where that isn't known.
	Continue bool   `json:"deeper"`            // Whether they are deeper than a page goes.
}

// ReplyPage is the form that answers a post or comment, on a page of its own: without JavaScript, or after an error. Fields: post or
// parent, body, token.
type ReplyPage struct {
	Frame
	Post   PostItem
	Parent *Comment // nil when the post itself is answered
	Form   Form
}

// Thread is what all comments of a page have in common.
type Thread struct {
	Now  time.Time
	Flat bool // away from its thread: neither replies nor a fold
}

// CommentFragment is a comment that was just written or changed, for the script to put into the thread.
func CommentFragment(c *Comment) g.Node { return CommentRow(c, Thread{Now: c.now()}) }

// MoreFragment is what the script puts in the place of a stub: comments, and the next stub.
func MoreFragment(cs []*Comment, more *More) g.Node {
	t := Thread{}
	if len(cs) > 0 {
		t.Now = cs[0].now()
	}
	return CommentTree(cs, more, t)
}

func (c *Comment) now() time.Time {
	if c.Now.IsZero() {
		return c.CreatedAt
	}
	return c.Now
}

func CommentTree(cs []*Comment, more *More, t Thread) g.Node {
	return Component(func(m *Markup) { m.comments(cs, more, &t) })
}

func CommentRow(c *Comment, t Thread) g.Node {
	return Component(func(m *Markup) { m.comment(c, &t) })
}

func (m *Markup) comments(cs []*Comment, more *More, t *Thread) {
	for _, c := range cs {
		m.comment(c, t)
	}
	m.more(more)
}

func (m *Markup) comment(c *Comment, t *Thread) {
	m.Lit(`<article class="comment`).When(c.Context, ` context`).When(c.Highlight, ` lit`).Lit(`" id="c-`).Text(c.ID).Lit(`">`)
	if c.Blocked {
		m.Lit(`<details class="veil"><summary>From somebody you block</summary>`)
		m.commentHead(c, t.Now)
		m.commentSaid(c, t)
		m.Lit(`</details>`)
		if !t.Flat {
			m.comments(c.Replies, c.More, t)
		}
		m.Lit(`</article>`)
		return
	}
	m.commentHead(c, t.Now)
	if t.Flat {
		m.commentSaid(c, t)
	} else {
		m.Lit(`<details open><summary><span>`).foldLabel(c).Lit(`</span></summary>`)
		m.commentSaid(c, t)
		m.comments(c.Replies, c.More, t)
		m.Lit(`</details>`)
	}
	m.Lit(`</article>`)
}

// foldLabel names what folding a comment hides. Screen readers read it after the author.
func (m *Markup) foldLabel(c *Comment) *Markup {
	if c.Descendants == 0 {
		return m.Lit(`comment`)
	}
	return m.Lit(`comment and `).Plural(c.Descendants, "reply", "replies")
}

func (m *Markup) commentHead(c *Comment, now time.Time) {
	m.Lit(`<div class="by">`)
	if c.Author == "" || c.Deleted {
		m.Lit(`<span class="gone">[deleted]</span>`)
	} else {
		m.Writer(c.Author, c.Avatar)
	}
	m.Mark(c.IsOP, " op", "author").Mark(c.IsViewer, "", "you")
	m.Lit(`<a href="`).Text(c.PostURL).Lit(`/`).Text(c.ID).Text(c.Query).Lit(`">`).TimeAgo(c.CreatedAt, now).Lit(`</a>`)
	if c.New {
		m.Lit(`<span class="mark new">new</span>`)
	}
	if c.NextNew != "" {
		m.Lit(`<a href="#c-`).Text(c.NextNew).Lit(`">next new</a>`)
	}
	m.Edited(c.EditedAt, now).Lit(`</div>`)
}

// commentSaid writes the text of a comment and what can be done about it.
func (m *Markup) commentSaid(c *Comment, t *Thread) {
	m.Lit(`<div class="said-body md">`).commentBody(c).Lit(`</div>`)
	if c.Deleted || c.Removed {
		if c.Saved || c.CanDelete || c.ModURL != "" {
			m.Lit(`<div class="acts">`).keepComment(c).opens(c.CanDelete, "/delete", "Delete", c.ID).moderateComment(c).Lit(`</div>`)
		}
		return
	}
	m.Lit(`<div class="acts">`)
	m.votes(&c.Votes)
	if c.CanReply {
		m.Lit(`<a class="re" href="/reply?to=`).Text(c.ID).Lit(`">Reply</a>`)
	}
	m.keepComment(c).opens(c.CanEdit, "/edit", "Edit", c.ID).opens(c.CanDelete, "/delete", "Delete", c.ID)
	if c.CanBlock {
		m.Lit(`<a href="/block?user=`).Segment(c.Author).Lit(`">Block</a>`)
	}
	if c.CanReport {
		m.Lit(`<a href="/report?target=`).Text(c.ID).Lit(`">Report</a>`)
	}
	m.moderateComment(c).Lit(`</div>`)
}

func (m *Markup) commentBody(c *Comment) *Markup {
	switch {
	case c.Waits:
		return m.Lit(`<p class="gone">This waits for a moderator. Until then only its author and the moderators see it.</p>`).note(c.Note).
			made(c.BodyHTML)
	case c.Removed:
		m.Lit(`<p class="gone">[`).When(c.Hidden, `hidden after reports, until a moderator has decided`).When(!c.Hidden, `removed by a moderator`)
		if c.Rule != "" {
			m.Lit(`: `).Text(c.Rule)
		}
		return m.Lit(`]</p>`).note(c.Note).made(c.BodyHTML)
	case c.Deleted:
		return m.Lit(`<p class="gone">[deleted]</p>`)
	}
	return m.made(c.BodyHTML).Answer(c.Answer)
}

// more writes the stub of comments that are not on the page. The script opens it in place, unless it continues on another page.
func (m *Markup) more(stub *More) {
	if stub == nil {
		return
	}
	m.Lit(`<a class="more`).When(stub.Continue, ` away`).Lit(`" href="`).Text(stub.URL).Lit(`">`)
	if stub.Continue {
		m.Lit(`Continue this thread (`).Plural(stub.Count, "more comment", "more comments").Lit(`)</a>`)
		return
	}
	if stub.Count == 0 {
		m.Lit(`Show more comments</a>`)
		return
	}
	m.Lit(`Show `).Plural(stub.Count, "more comment", "more comments").Lit(`</a>`)
}

// Reply is the page of a ReplyPage.
func Reply(p ReplyPage) g.Node {
	field, id, label := p.target()
	return Page(p.Frame, "", nil,
		h.Div(h.Class("sheet"),
			h.H1(g.Text(label)),
			// A reader who may not see the post is not led to it.
			g.If(p.Post.URL != "", h.P(h.Class("crumb"), h.Span(g.Text("in")), h.A(h.Href(p.Post.URL), TitleText(p.Post)))),
			g.Iff(p.Parent != nil && !p.Parent.CreatedAt.IsZero(), func() g.Node {
				return h.BlockQuote(h.Class("answered"), Component(func(m *Markup) {
					m.commentHead(p.Parent, p.Now)
					m.Lit(`<div class="md">`).commentBody(p.Parent).Lit(`</div>`)
				}))
			}),
			ReplyForm(p.Form, field, id, "Your text", nil),
			WrittenScript(p.Viewer),
		),
	)
}

// ReplyFormFragment is the form below the comment that is answered, on the thread's page.
func ReplyFormFragment(p ReplyPage) g.Node {
	field, id, label := p.target()
	return ReplyForm(p.Form, field, id, label, InPlace(field))
}

// target returns the field that names what is answered, its id, and the label of the text area.
func (p ReplyPage) target() (field Literal, id, label string) {
	switch {
	case p.Parent == nil:
		return "post", p.Post.ID, "Your comment"
	case p.Parent.Author == "":
		return "parent", p.Parent.ID, "Your reply"
	}
	return "parent", p.Parent.ID, "Your reply to " + p.Parent.Author
}

// InPlace has the script send a comment and put it into the page: a reply in the place of the form, an answer to the post at the top of
// the thread.
func InPlace(answers Literal) g.Node {
	if answers == "post" {
		return g.Group{g.Attr("hx-post", "/comment"), g.Attr("hx-target", "#thread"), g.Attr("hx-swap", "afterbegin")}
	}
	return g.Group{g.Attr("hx-post", "/comment"), g.Attr("hx-target", "this"), g.Attr("hx-swap", "outerHTML")}
}

// ReplyForm is the form for a comment. InPlace has the script send it, nil where there is no thread on the page.
func ReplyForm(f Form, target Literal, id, label string, inPlace g.Node) g.Node {
	control := "body-" + id
	return h.Form(h.Class("reply"), PostTo("/comment"), Again("reply"), inPlace,
		FormError(f),
		Hidden(target, id), FormToken(f),
		h.Label(h.For(control), g.Text(label)),
		BodyControl(f, control),
		PreviewBox(f),
		h.Div(h.Class("row"), Submit("Post"), PreviewButton("reply"), h.Span(h.Class("muted"), g.Text("Markdown works"))),
	)
}
