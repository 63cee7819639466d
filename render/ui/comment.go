package ui

import (
	"strconv"
	"time"

	g "maragu.dev/gomponents"

	"plaza/locale/kept"
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
	Query       string        `json:"-"`             // query of its own address, with the order of the thread; "" for none
	Author      string        `made:"author"`        // Username of its author; empty when deleted or nobody's.
	Avatar      Avatar        `json:"author_avatar"` // The author's tile.
	AuthorFlair MemberFlair   `json:"author_flair"`  // The author's flair in the community.
	IsOP        bool          `json:"by_author"`     // Whether the author of the post wrote it.
	IsViewer    bool          `json:"by_viewer"`     // Whether the viewer wrote it.
	BodyHTML    markdown.HTML `json:"body_html"`     // The text, as safe HTML; empty when it was deleted or removed.
	Pictures    []PostPicture `json:"pictures"`      // The pictures that it shows, in their order.
	AutoReply   markdown.HTML `json:"answer_html"`   // What an automatic rule answers, as safe HTML.
	CreatedAt   time.Time     `json:"created_at"`    // When it was written.
	EditedAt    time.Time     `json:"edited_at"`     // When it was last edited; null when it is as written.
	Votes       Votes         `as:"inline"`
	Descendants int64         `json:"descendants"` // How many replies it has, at any depth.
	Deleted     bool          `json:"deleted"`     // Whether its author has deleted it.
	Removed     bool          `json:"removed"`     // Whether it was removed or held.
	// Whether a rule has held it after reports, until a moderator has decided.
	//
	// It is Removed until then.
	HeldAfterReports bool `json:"hidden"`
	// Whether it is held until a moderator has decided.
	//
	// It is Removed until then.
	Held      bool   `json:"waits"`
	Rule      string `json:"rule"`       // The rule for which it was removed; empty where that isn't known.
	Note      string `json:"note"`       // Words of the moderators, for its author and themselves.
	Saved     bool   `json:"saved"`      // Whether the viewer has saved it.
	Blocked   bool   `json:"blocked"`    // Whether the viewer blocks its author.
	Low       bool   `json:"low"`        // Whether its score is so low that it is folded, by the viewer's settings.
	New       bool   `json:"new"`        // Whether it was written since the viewer's last visit.
	Highlight bool   `json:"highlight"`  // Whether the address names this comment.
	Context   bool   `json:"context"`    // Whether the comment of the address answers it, directly or not.
	CanReply  bool   `json:"can_reply"`  // Whether it takes replies.
	CanEdit   bool   `json:"can_edit"`   // Whether the viewer, who wrote it, can edit it.
	CanDelete bool   `json:"can_delete"` // Whether the viewer, who wrote it, can delete it.
	CanSave   bool   `json:"can_save"`   // Whether the viewer can save it.
	CanReport bool   `json:"can_report"` // Whether the viewer can report it.
	// Address of the decision by which it was removed, for its author, who can appeal; "" for others.
	DecisionURL string     `json:"-"`
	ModURL      string     `json:"-"`       // where the viewer, a moderator, decides about it
	BanURL      string     `json:"-"`       // of the form that bans its author
	EraseURL    string     `json:"-"`       // where the viewer, an administrator, erases it
	CardURL     string     `json:"-"`       // of the card of its author, for moderators; "" without an author
	Replies     []*Comment `json:"replies"` // The first of its replies, each with their own.
	More        *More      `json:"more"`    // Where further replies are; null where these are all.
	CanBlock    bool       `json:"-"`       // the viewer can block its author
	NextNew     string     `json:"-"`       // id of the next new comment of the page; "" for the last
	Now         time.Time  `json:"-"`       // for fragments; pages use Frame.Now
	// Template is the HTML that members share; nil if the comment is written from the fields above. With it, only Votes.Mine, Votes.Score,
	// Saved, Replies, More and Now are set.
	Template *CommentTemplate `json:"-"`
}

// More is the stub of comments not loaded yet.
type More struct {
	URL      string `json:"next" as:"address"` // Address of the comments that follow.
	Count    int64  `json:"count"`             // How many there are; 0 where that isn't known.
	Continue bool   `json:"deeper"`            // Whether they are deeper than a page goes.
}

// Thread is what all comments of a page have in common.
type Thread struct {
	Now  time.Time
	Flat bool // a list outside threads: no replies, no folding
}

// CommentFragment is a comment that was just written or changed, for the script to put into the thread.
func CommentFragment(c *Comment) g.Node { return CommentRow(c, Thread{Now: c.now()}) }

// MoreFragment replaces a stub in the page: comments, and the next stub.
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
	if c.Template != nil {
		m.sharedComment(c).comments(c.Replies, c.More, t)
		m.Lit(`</details></article>`)
		return
	}
	m.Lit(`<article class="comment`).When(c.New, ` new`).When(c.Context, ` context`).When(c.Highlight, ` lit`)
	m.Lit(`" id="c-`).Text(c.ID).Lit(`">`)
	if c.Blocked {
		m.Lit(`<details class="veil"><summary>`).Say("From somebody you block").Lit(`</summary>`)
		m.commentHead(c, t)
		m.commentContent(c, t)
		m.Lit(`</details>`)
		if !t.Flat {
			m.comments(c.Replies, c.More, t)
		}
		m.Lit(`</article>`)
		return
	}
	m.commentHead(c, t)
	if t.Flat {
		m.commentContent(c, t)
	} else {
		m.Lit(`<details`).When(!c.Low || c.Highlight || c.Context, ` open`).Lit(`><summary>`).foldLabel(c).Lit(`</summary>`)
		m.commentContent(c, t)
		m.comments(c.Replies, c.More, t)
		m.Lit(`</details>`)
	}
	m.Lit(`</article>`)
}

// foldLabel writes the score and the number of replies. A folded comment shows them behind its author; the script adds the first words
// (web/app/fold.js).
func (m *Markup) foldLabel(c *Comment) *Markup {
	m.placeholder().shortScore(c.Votes.Score).placeholder()
	if c.Descendants == 0 {
		return m
	}
	return m.Dot().Count(c.Descendants, "{} reply|{} replies")
}

func (m *Markup) shortScore(n int64) *Markup { return m.Compact(n).Lit(` `).Noun(n, "point|points") }

// commentHead says who wrote a comment and when. Only a flat list has the author's tile, which is three elements.
func (m *Markup) commentHead(c *Comment, t *Thread) {
	m.Lit(`<div class="by"`)
	if c.Highlight { // the page opens at it
		m.Lit(` tabindex="-1"`).Node(AutoFocus())
	}
	m.Lit(`>`)
	if c.Author == "" || c.Deleted {
		m.Lit(`<span class="gone">`).Say("[deleted]").Lit(`</span>`)
	} else if t.Flat {
		m.Writer(c.Author, c.Avatar)
	} else {
		m.author(c.Author)
	}
	if c.Author != "" && !c.Deleted {
		m.MemberFlair(&c.AuthorFlair)
	}
	m.Mark(c.IsOP, " op", "OP").Mark(c.IsViewer, "", "you")
	m.Lit(`<a href="`).Text(c.PostURL).Lit(`/`).Text(c.ID).Text(c.Query).Lit(`">`).TimeAgo(c.CreatedAt, t.Now).Lit(`</a>`)
	m.Edited(c.EditedAt, t.Now)
	switch {
	case c.NextNew != "":
		m.Lit(`<a class="mark new" href="#c-`).Text(c.NextNew).Lit(`" title="`).Say("To the next new comment").Lit(`">`).Say("new").
			Lit(`</a>`)
	case c.New:
		m.Lit(`<span class="mark new">`).Say("new").Lit(`</span>`)
	}
	m.Lit(`</div>`)
}

// commentContent writes the text of a comment and its buttons.
func (m *Markup) commentContent(c *Comment, t *Thread) {
	m.Lit(`<div class="said-body md">`).commentBody(c).commentPictures(c).Lit(`</div>`)
	if c.Deleted || c.Removed {
		if c.hasMenu() {
			m.Lit(`<div class="acts">`).commentMenu(c).Lit(`</div>`)
		}
		return
	}
	m.Lit(`<div class="acts">`)
	m.votes(&c.Votes)
	if c.CanReply {
		m.Lit(`<a class="re" href="/reply?to=`).Text(c.ID).Lit(`">`).Say("Reply¦verb").Lit(`</a>`)
	}
	m.commentMenu(c).Lit(`</div>`)
}

// hasMenu reports whether the viewer can do something about a comment besides voting and replying.
func (c *Comment) hasMenu() bool {
	return c.Saved || c.CanSave || c.CanEdit || c.CanDelete || c.CanReport || c.CanBlock || c.ModURL != ""
}

// commentMenu writes the menu of a comment, with the destructive actions last. The script adds what works only with JavaScript: copying the
// link, and the jump to the parent (web/app/thread.js).
func (m *Markup) commentMenu(c *Comment) *Markup {
	if !c.hasMenu() {
		return m
	}
	m.Lit(`<details class="menu dots"><summary aria-label="`).Say("More").
		Lit(`">⋯</summary><div class="keep">`)
	if c.Saved || c.CanSave {
		m.placeholder().saveButton(c.ID, c.Saved).placeholder()
	}
	m.formLink(c.CanEdit, "/edit", "Edit", c.ID)
	if c.CanReport {
		m.Lit(`<a href="/report?target=`).Text(c.ID).Lit(`">`).Say("Report¦verb").Lit(`</a>`)
	}
	if c.CanBlock {
		m.Lit(`<a href="/block?user=`).Segment(c.Author).Lit(`">`).Say("Block¦verb").Lit(`</a>`)
	}
	return m.moderateComment(c).formLink(c.CanDelete, "/delete", "Delete", c.ID).Lit(`</div></details>`)
}

func (m *Markup) commentBody(c *Comment) *Markup {
	switch {
	case c.Held:
		return m.Lit(`<p class="gone">`).Say("This waits for a moderator. Until then only its author and the moderators see it.").
			Lit(`</p>`).held(c.Rule, c.DecisionURL).note(c.Note).rendered(c.BodyHTML)
	case c.Removed:
		m.Lit(`<p class="gone">`)
		switch {
		case c.HeldAfterReports && c.Rule != "":
			m.Say("[hidden after reports, until a moderator has decided: {}]", kept.Text(c.Rule))
		case c.HeldAfterReports:
			m.Say("[hidden after reports, until a moderator has decided]")
		case c.Rule != "":
			m.Say("[removed by a moderator: {}]", kept.Text(c.Rule))
		default:
			m.Say("[removed by a moderator]")
		}
		return m.Lit(`</p>`).note(c.Note).appeal(c.DecisionURL).rendered(c.BodyHTML)
	case c.Deleted:
		return m.Lit(`<p class="gone">`).Say("[deleted]").Lit(`</p>`)
	}
	return m.rendered(c.BodyHTML).AutoReply(c.AutoReply)
}

// maxCommentPicture is the maximum height of the pictures of a comment, in CSS pixels.
const maxCommentPicture = 112

// commentPictures writes the pictures of a comment, small, in a row. Each leads to its file; web/gallery.js shows it large in place.
func (m *Markup) commentPictures(c *Comment) *Markup {
	if len(c.Pictures) == 0 {
		return m
	}
	if !m.pictured { // once per page, if it has pictures
		m.pictured = true
		m.Lit(`<link rel="stylesheet" href="`).Text(PicturesCSS).Lit(`"><script src="`).Text(GalleryJS.address(m.language())).
			Lit(`" defer></script>`)
	}
	m.Lit(`<div class="gallery few">`)
	for i := range c.Pictures {
		p := &c.Pictures[i]
		width, height := p.Fit(maxCommentPicture)
		m.Lit(`<a href="`).Text(p.URL).Lit(`">`)
		if !p.Small { // the whole picture may have 4 MB
			m.Lit(`<span class="shade`).When(p.Colour != "", " ").Text(ColourClass(p.Colour)).Lit(`"`).When(p.Alt == "", ` data-bare=""`).Lit(`>`)
			m.pictureLabel(p, len(c.Pictures)).Lit(`</span></a>`)
			continue
		}
		m.Lit(`<img src="`).Text(p.SmallURL).Lit(`" alt="`)
		if m.pictureLabel(p, len(c.Pictures)); p.Alt == "" {
			m.Lit(`" data-bare="`)
		}
		m.Lit(`" width="`).Text(strconv.Itoa(width)).Lit(`" height="`).Text(strconv.Itoa(height)).Lit(`" loading="lazy" decoding="async"`)
		if p.Colour != "" {
			m.Lit(` class="`).Text(ColourClass(p.Colour)).Lit(`"`)
		}
		m.Lit(`></a>`)
	}
	return m.Lit(`</div>`)
}

// pictureLabel writes the description of a picture, or its number among count pictures.
func (m *Markup) pictureLabel(p *PostPicture, count int) *Markup {
	if p.Alt == "" {
		return m.Say("Picture {} of {}, without a description", p.Place+1, count)
	}
	return m.Text(p.Alt)
}

// more writes the stub of comments that are not on the page. The script opens it in place, unless it continues on another page.
func (m *Markup) more(stub *More) {
	if stub == nil {
		return
	}
	m.Lit(`<a class="more`).When(stub.Continue, ` away`).Lit(`" href="`).Text(stub.URL).Lit(`">`)
	if stub.Continue {
		m.Count(stub.Count, "Continue this thread ({} more comment)|Continue this thread ({} more comments)").Lit(`</a>`)
		return
	}
	if stub.Count == 0 {
		m.Say("Show more comments").Lit(`</a>`)
		return
	}
	m.Count(stub.Count, "Show {} more comment|Show {} more comments").Lit(`</a>`)
}
