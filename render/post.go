package render

import (
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// LinkPreview is what the linked page says of itself.
type LinkPreview struct{ Title, Description, Site string }

// PostPage is a post with its thread.
type PostPage struct {
	Frame
	Community Community
	Post      PostItem
	TextHTML  HTML
	Answer    HTML // of an automatic rule, below the post
	Sorts     []Tab
	Comments  []*Comment
	Waiting   []*Comment // the viewer's own that wait for a moderator
	More      *More      // further roots
	Total     int64
	View      string // what the page's script sends to /view when somebody looks at it; "" for nothing
	Reply     Form   // the form under the post
	CanReply  bool
	Banned    *Banned // nil for who may write in the community
	Archived  bool    // too old for votes and comments
	Draft     *Draft  // it is not published yet
	Permalink bool    // the page shows one comment's part of the thread
	Later     bool    // the page begins where a stub was
	FullURL   string  // the whole thread, where the page isn't
	Watch     Watch   // of the thread
	New       int64   // comments on the page since the viewer's last visit
	FirstNew  string  // id of the first of them
	AboveURL  string  // what the outermost comment of a permalink answers, if that isn't shown
}

// PostView is the page of a PostPage.
func PostView(p PostPage) g.Node {
	label, side := "About c/"+p.Community.Name, communitySide(p.Community)
	if isProfile(p.Community.Name) {
		label, side = "", nil
	}
	return page(p.Frame, label, side,
		draftBanner(p),
		fullPost(p),
		h.Section(h.Class("thread"), h.ID("comments"), h.Aria("labelledby", "comments-title"),
			h.H2(h.ID("comments-title"), component(func(m *markup) { m.plural(p.Total, "comment", "comments") })),
			permalinkNote(p),
			replyToPost(p),
			g.Iff(p.New > 0, func() g.Node {
				return h.P(h.Class("since"), component(func(m *markup) {
					m.plural(p.New, "new comment", "new comments").lit(` here since your last visit. `)
					m.lit(`<a class="button quiet" href="#c-`).text(p.FirstNew).lit(`">Go to the first</a>`)
				}))
			}),
			tabs("Order of comments", p.Sorts),
			g.If(len(p.Waiting) > 0, h.Div(h.ID("waiting"), comments(p.Waiting, nil, thread{now: p.Now}))),
			h.Div(h.ID("thread"), comments(p.Comments, p.More, thread{now: p.Now})),
			g.If(len(p.Comments) == 0, h.P(h.Class("empty quiet"), g.Text(noComments(p)))),
		),
		g.If(p.CanReply && p.Banned == nil, writtenScript(p.Viewer)),
		linkedData(&p),
	)
}

func fullPost(p PostPage) g.Node {
	post := p.Post
	return h.Article(h.Class("full"), h.ID("p-"+post.ID), viewMark(p.View),
		postPlace(p),
		h.H1(titleText(post)),
		component(func(m *markup) { m.fullByline(&post, p.Now) }),
		component(func(m *markup) { m.removal(&post) }),
		veiled(post, g.Group{originalCard(post.Original), linkCard(post), imageCard(post), postText(p)}),
		component(func(m *markup) { m.answer(p.Answer) }),
		h.Div(h.Class("acts"),
			votes(post.Votes),
			component(func(m *markup) { m.commentCount("#comments", p.Total) }),
			shares(post.Votes),
			component(func(m *markup) { m.others(&post) }),
			component(func(m *markup) { m.postActions(&post, p.Viewer != nil) }),
			component(func(m *markup) { m.moderatePost(&post) }),
			g.Iff(p.Viewer != nil && p.Draft == nil && !post.waits(), func() g.Node { return WatchFragment(p.Watch) }),
		),
	)
}

// postPlace leads to where a post was posted: to a community, or to its author's profile.
func postPlace(p PostPage) g.Node {
	c := p.Community
	switch {
	case !isProfile(c.Name):
		return h.P(h.Class("crumb"), h.A(h.Href(communityURL(c.Name)), icon(c.Name, c.Colour), g.Text("c/"+c.Name)))
	case p.Post.Author != "":
		return h.P(h.Class("crumb"), h.A(h.Href(profileURL(p.Post.Author)), avatar(p.Post.Author, p.Post.Avatar), g.Text("u/"+p.Post.Author)))
	}
	return h.P(h.Class("crumb"), h.A(h.Href(communityURL(c.Name)), g.Text(placeName(c.Name))))
}

// fullByline is the byline of a post's own page, which tells when it was edited.
func (m *markup) fullByline(p *PostItem, now time.Time) {
	m.lit(`<p class="by">`).postMarks(p).writer(p.Author, p.Avatar).timeAgo(p.CreatedAt, now).edited(p.EditedAt, now).views(p.Views).tags(p.Tags).lit(`</p>`)
}

// waits tells whether the post is held until a moderator has decided.
func (p *PostItem) waits() bool { return p.Removal != nil && p.Removal.Waits }

// postActions are what a member can do about a post.
func (m *markup) postActions(p *PostItem, member bool) {
	if member && p.gone() == "" && !p.Unpublished && !p.waits() || p.Saved || p.Hidden {
		m.keep(&Keep{Target: p.ID, Saved: p.Saved, Hidden: p.Hidden})
	}
	if p.CanCrosspost {
		m.lit(`<a href="/submit?crosspost=`).text(p.ID).lit(`">Crosspost</a>`)
	}
	if p.CanEdit {
		m.lit(`<a href="/edit?target=`).text(p.ID).lit(`">Edit</a>`)
	}
	if p.CanDelete {
		m.lit(`<a href="/delete?target=`).text(p.ID).lit(`">Delete</a>`)
	}
	if p.CanReport {
		m.lit(`<a href="/report?target=`).text(p.ID).lit(`">Report</a>`)
	}
}

// shares says how many of the votes are upvotes; nil while there are few.
func shares(v Votes) g.Node {
	if v.Ups+v.Downs < 10 {
		return nil
	}
	return h.Span(h.Class("muted"), h.Title(exact(v.Ups)+" up, "+exact(v.Downs)+" down"), g.Text(exact(100*v.Ups/(v.Ups+v.Downs))+"% upvoted"))
}

func titleText(p PostItem) g.Node {
	if gone := p.gone(); gone != "" {
		return h.Span(h.Class("gone"), g.Text(string(gone)))
	}
	return g.Text(named(p.Title))
}

// linkCard links to what a post links to, with what the page there says of itself, or else its address. The host is always shown, because
// a page may claim to be any site.
func linkCard(p PostItem) g.Node {
	link := safeURL(p.Link)
	if link == "" || p.Kind == "image" || p.gone() != "" {
		return nil
	}
	title := plainAddress(link)
	var preview LinkPreview
	if p.Preview != nil {
		preview = *p.Preview
	}
	if preview.Title != "" && !strings.EqualFold(preview.Title, p.Title) {
		title = preview.Title
	}
	return h.A(h.Class("linkcard"), h.Href(link), h.Rel("nofollow ugc"),
		g.If(p.Image == "", picture(p, "")), // it only decorates
		h.Strong(g.Text(title)),
		g.If(preview.Description != "", h.Span(h.Class("ex"), g.Text(preview.Description))),
		h.Span(h.Class("dom"), g.Text(p.Domain), g.If(preview.Site != "" && !strings.EqualFold(preview.Site, p.Domain), g.Text(" · "+preview.Site))),
	)
}

// imageCard shows a post's own picture, and links to it.
func imageCard(p PostItem) g.Node {
	image := safeURL(p.Image)
	if image == "" || p.gone() != "" {
		return nil
	}
	return h.A(h.Class("linkcard img"), h.Href(image), h.Rel("nofollow ugc"),
		picture(p, p.Title, pictureSize(p)),
		h.Strong(g.Text("Open the image")),
		h.Span(h.Class("dom"), g.Text(p.ImageDomain)),
	)
}

// picture is the picture of a post: its own, or that of the page behind its link. It loads when it comes into view, so not while it is
// veiled.
func picture(p PostItem, alt string, size ...g.Node) g.Node {
	if !p.Picture {
		return nil
	}
	return h.Img(h.Src("/img/"+p.ID), h.Alt(alt), g.Attr("loading", "lazy"), g.Attr("decoding", "async"), g.Group(size))
}

// pictureSize are the attributes by which the page leaves room for a picture before it has loaded.
func pictureSize(p PostItem) g.Node {
	if p.ImageWidth == 0 {
		return nil
	}
	return g.Group{h.Width(strconv.Itoa(p.ImageWidth)), h.Height(strconv.Itoa(p.ImageHeight))}
}

// addressLen is how many characters of an address are shown where it stands for a title.
const addressLen = 100

// plainAddress is an address as people read it: without https:// and www., and cut.
func plainAddress(link string) string {
	if _, rest, ok := strings.Cut(link, "://"); ok {
		link = strings.TrimSuffix(strings.TrimPrefix(rest, "www."), "/")
	}
	if runes := []rune(link); len(runes) > addressLen {
		return string(runes[:addressLen]) + "…"
	}
	return link
}

func postText(p PostPage) g.Node {
	if p.TextHTML == "" || p.Post.gone() != "" {
		return nil
	}
	// Headings in the text start at h3 and need one above them.
	return g.Group{
		g.If(strings.Contains(string(p.TextHTML), "<h3"), h.H2(h.Class("vh"), g.Text("Text"))),
		formatted(p.TextHTML),
	}
}

// veiled puts the content of a post behind a click if its author warns of it.
func veiled(p PostItem, content g.Group) g.Node {
	label := "Show what is not safe for work"
	switch {
	case p.Blocked && p.gone() == "":
		label = "From somebody you block"
	case p.gone() != "" || !p.Warned && !p.Spoiler:
		return content
	case p.Warned && p.Spoiler:
		label = "Show the spoiler, which is not safe for work"
	case p.Spoiler:
		label = "Show the spoiler"
	}
	return h.Details(h.Class("veil"), h.Summary(g.Text(label)), content)
}

func permalinkNote(p PostPage) g.Node {
	what := "You are reading one part of the thread. "
	switch {
	case p.Later && !p.Permalink:
		what = "You are reading a later part of the thread. "
	case !p.Permalink:
		return nil
	}
	return h.P(h.Class("notice"), g.Text(what), h.A(h.Href(p.FullURL), g.Text("Show all comments")),
		g.If(p.AboveURL != "", g.Group{g.Text(" or "), h.A(h.Href(p.AboveURL), g.Text("what this answers"))}))
}

func replyToPost(p PostPage) g.Node {
	switch {
	case p.Permalink || p.Later:
		return nil
	case p.CanReply && p.Banned != nil:
		return h.P(h.Class("notice"), g.Text(p.Banned.Says))
	case p.CanReply:
		return replyForm(p.Reply, "post", p.Post.ID, "Your comment", inPlace("post"))
	case p.Post.Locked:
		return h.P(h.Class("notice"), g.Text("This thread is locked: it can be read, but not answered."))
	case p.Archived:
		return h.P(h.Class("notice"), g.Text("This thread is archived: it can be read, but takes no more votes or comments."))
	case p.Post.gone() != "":
		return nil
	case p.Viewer == nil:
		return h.P(h.Class("join"), h.A(h.Href(withReturn("/login", p.Path)), g.Text("Log in")), g.Text(" or "),
			h.A(h.Href(withReturn("/signup", p.Path)), g.Text("sign up")), g.Text(" to say something."))
	}
	return nil
}

func noComments(p PostPage) string {
	if p.CanReply && p.Banned == nil {
		return "Nobody has said anything yet. The first word is yours."
	}
	return "Nobody has said anything yet."
}
