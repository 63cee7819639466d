package post

import (
	"cmp"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/markdown"
	"plaza/render/ui"
)

// PostPage is a post with its thread.
type PostPage struct {
	ui.Frame
	Post      ui.PostItem   `json:"post"`        // The post.
	TextHTML  markdown.HTML `json:"text_html"`   // Text of the post, as safe HTML.
	AutoReply markdown.HTML `json:"answer_html"` // What an automatic rule answers, as safe HTML.
	Community ui.Community  `json:"community"`   // Its community.
	Sorts     []ui.Tab      `json:"-"`
	Comments  []*ui.Comment `json:"comments"` // The first comments, each with its replies.
	More      *ui.More      `json:"more"`     // Where further comments are; null where these are all.
	Waiting   []*ui.Comment `json:"waiting"`  // The viewer's own comments that wait for a moderator.
	Total     int64         `json:"total"`    // How many comments there are.
	New       int64         `json:"new"`      // How many comments on this page are new since the viewer's last visit.
	Permalink bool          `json:"single"`   // Whether the address names one comment, and `comments` is its part of the thread.
	// Whether `comments` begins after others.
	//
	// It begins where a stub was.
	Later bool `json:"later"`
	// Address of the whole thread.
	//
	// It is empty where the page is that.
	FullURL  string     `json:"thread" as:"address"`
	AboveURL string     `json:"above" as:"address"` // Address of what the outermost comment answers, if that isn't here; else null.
	View     string     `json:"-"`                  // what the page's script sends to /view when a reader looks at it; "" for nothing
	Reply    ui.Form    `json:"-"`                  // the form under the post
	CanReply bool       `json:"can_reply"`          // Whether the post takes comments.
	Archived bool       `json:"archived"`           // Whether it is too old for votes and comments.
	Banned   *ui.Banned `json:"banned"`             // Why the viewer may not write in the community; null for who may.
	Draft    *Draft     `json:"draft"`              // Of a post that is not published yet; else null.
	Watch    ui.Watch   `json:"watch"`              // What the viewer is told of the thread.
	FirstNew string     `json:"-"`                  // id of the first comment that is new
	Map      *ThreadMap `json:"-"`                  // nil for a page without one
	// Pictures is the field for pictures of a comment's form; nil if it accepts none.
	Pictures *ui.PictureField `json:"-"`
}

// PostView is the page of a PostPage.
func PostView(p PostPage) g.Node {
	label, side := locale.With("About c/{}", p.Community.Name), ui.CommunitySide(p.Community)
	if ui.IsProfile(p.Community.Name) {
		label, side = "", nil
	}
	if p.Map != nil {
		side = g.Group{side, ui.Component(func(m *ui.Markup) { threadMap(m, &p) })}
		label = cmp.Or(label, "Overview")
	}
	return ui.Page(p.Frame, label, side,
		draftBanner(p),
		fullPost(p),
		h.Section(h.Class("thread"), h.ID("comments"), h.Aria("labelledby", "comments-title"),
			ui.Component(func(m *ui.Markup) { threadBar(m, &p) }),
			partNote(p),
			replyToPost(p),
			g.If(len(p.Waiting) > 0, h.Div(h.ID("waiting"), ui.CommentTree(p.Waiting, nil, ui.Thread{Now: p.Now}))),
			h.Div(h.ID("thread"), ui.CommentTree(p.Comments, p.More, ui.Thread{Now: p.Now})),
			g.If(len(p.Comments) == 0, h.P(h.Class("empty"), ui.T("No comments yet"))),
		),
		g.If(!p.Permalink, elsewhere(&p.Post)),
		g.If(p.CanReply && p.Banned == nil, ui.DraftScript(p.Viewer)),
		linkedData(&p),
	)
}

// fullPost is a post on its own page. On the page of one comment it is its title, and the rest is behind a click.
func fullPost(p PostPage) g.Node {
	post := p.Post
	head := ui.Component(func(m *ui.Markup) { fullByline(m, &p) })
	rest := g.Group{
		ui.Component(func(m *ui.Markup) { m.Removal(&post) }),
		contentWarning(post, g.Group{ui.OriginalCard(post.Original), linkCard(post), gallery(post), imageCard(post), postText(p)}),
		ui.Component(func(m *ui.Markup) { m.AutoReply(p.AutoReply) }),
		postBar(p),
	}
	if p.Permalink {
		return h.Article(h.Class("full brief"), h.ID("p-"+post.ID), ui.ViewMark(p.View), head,
			h.H1(h.ID("t-"+post.ID), h.A(h.Href(p.FullURL), ui.TitleText(post))), h.Details(h.Summary(ui.T("Show post")), rest))
	}
	return h.Article(h.Class("full"), h.ID("p-"+post.ID), ui.ViewMark(p.View), head, ui.PostTitle(post), rest)
}

// postBar has the actions of a post.
func postBar(p PostPage) g.Node {
	post := p.Post
	return h.Div(h.Class("acts"),
		ui.VoteForms(post.Votes),
		shares(post.Votes),
		ui.Component(func(m *ui.Markup) { others(m, &post) }),
		ui.Component(func(m *ui.Markup) { postMenu(m, &post, p.Viewer != nil) }),
		ui.Component(func(m *ui.Markup) { m.ModeratePost(&post) }),
	)
}

// fullByline says where a post was posted, by whom and when, and what it links to.
func fullByline(m *ui.Markup, p *PostPage) {
	post, c := &p.Post, &p.Community
	m.Lit(`<p class="by">`)
	switch {
	case !ui.IsProfile(c.Name):
		m.Lit(`<a class="com" href="/c/`).Segment(c.Name).Lit(`">`).Icon(c.Name, c.Colour, c.Icon).Lit(`c/`).Text(c.Name).Lit(`</a>`).
			Node(ui.Author(post.Author)).MemberFlair(&post.AuthorFlair)
	case post.Author != "":
		m.Writer(post.Author, post.Avatar)
	default:
		m.Lit(`<a class="com" href="`).Text(ui.CommunityURL(c.Name)).Lit(`">`).Say(ui.CommunityLabel(c.Name)).Lit(`</a>`)
	}
	m.TimeAgo(post.CreatedAt, p.Now).Edited(post.EditedAt, p.Now).Domain(post).Views(post.Views).LastComment(post.LastCommentAt, p.Now)
	m.PostMarks(post).Tags(post.Tags).Lit(`</p>`)
}

// postMenu is the menu of what a member can do about a post, the destructive last.
func postMenu(m *ui.Markup, p *ui.PostItem, member bool) {
	keep := member && p.Gone() == "" && !p.Unpublished && !p.Held() || p.Saved || p.Hidden
	if !keep && !p.CanCrosspost && !p.CanEdit && !p.CanDelete && !p.CanReport {
		return
	}
	m.Lit(`<details class="menu dots"><summary aria-label="`).Say("More").Lit(`">⋯</summary><div>`)
	if keep {
		m.Keep(&ui.Keep{Target: p.ID, Saved: p.Saved, Hidden: p.Hidden})
	}
	if p.CanCrosspost {
		m.Lit(`<a href="/submit?crosspost=`).Text(p.ID).Lit(`">`).Say("Crosspost¦verb").Lit(`</a>`)
	}
	if p.CanEdit {
		m.Lit(`<a href="/edit?target=`).Text(p.ID).Lit(`">`).Say("Edit").Lit(`</a>`)
	}
	if p.CanReport {
		m.Lit(`<a href="/report?target=`).Text(p.ID).Lit(`">`).Say("Report¦verb").Lit(`</a>`)
	}
	if p.CanDelete {
		m.Lit(`<a href="/delete?target=`).Text(p.ID).Lit(`">`).Say("Delete").Lit(`</a>`)
	}
	m.Lit(`</div></details>`)
}

// shares says how many of the votes are upvotes; nil while there are few.
func shares(v ui.Votes) g.Node {
	if v.Ups+v.Downs < 10 {
		return nil
	}
	return h.Span(h.Class("muted"), ui.Attr("title", "{} up, {} down", v.Ups, v.Downs),
		ui.T("{}% upvoted", 100*v.Ups/(v.Ups+v.Downs)))
}

// linkCard is the link of a post, with the title and description of the linked page, or else its address. The host is always shown, because
// a page may claim to be any site.
func linkCard(p ui.PostItem) g.Node {
	link := markdown.SafeURL(p.Link)
	if link == "" || p.Kind == "image" || p.Gone() != "" {
		return nil
	}
	title := ui.PlainAddress(link)
	var preview ui.LinkPreview
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
		h.Span(h.Class("dom"), g.Text(p.Domain), g.If(preview.Site != "" && !strings.EqualFold(preview.Site, p.Domain),
			g.Group{ui.Dot, g.Text(preview.Site)})),
	)
}

// imageCard shows a post's own picture, and links to it. Where the site has no copy of it, it is a link alone.
func imageCard(p ui.PostItem) g.Node {
	image := markdown.SafeURL(p.Image)
	switch {
	case image == "" || p.Gone() != "":
		return nil
	case p.Picture:
		return h.A(h.Class("pic"), h.Href(image), h.Rel("nofollow ugc"), picture(p, p.Title, pictureSize(p)))
	}
	return h.A(h.Class("linkcard"), h.Href(image), h.Rel("nofollow ugc"), h.Strong(ui.T("Open the image")),
		h.Span(h.Class("dom"), g.Text(p.ImageDomain)))
}

// picture is the picture of a post: its own, or that of its linked page. It loads when it comes into view, so not while it is veiled.
func picture(p ui.PostItem, alt string, size ...g.Node) g.Node {
	if !p.Picture {
		return nil
	}
	return h.Img(h.Src("/img/"+p.ID), h.Alt(alt), g.Attr("loading", "lazy"), g.Attr("decoding", "async"), g.Group(size))
}

// pictureSize are the attributes with which the page reserves the space of a picture before it has loaded.
func pictureSize(p ui.PostItem) g.Node {
	if p.ImageWidth == 0 {
		return nil
	}
	return g.Group{h.Width(strconv.Itoa(p.ImageWidth)), h.Height(strconv.Itoa(p.ImageHeight))}
}

func postText(p PostPage) g.Node {
	if p.TextHTML == "" || p.Post.Gone() != "" {
		return nil
	}
	return ui.PageText(p.TextHTML)
}

// contentWarning puts the content of a post behind a click if its author warns of it.
func contentWarning(p ui.PostItem, content g.Group) g.Node {
	label := locale.Text("Show NSFW")
	switch {
	case p.Blocked && p.Gone() == "":
		label = "From somebody you block"
	case p.Gone() != "" || !p.Warned && !p.Spoiler:
		return content
	case p.Warned && p.Spoiler:
		label = "Show NSFW spoiler"
	case p.Spoiler:
		label = "Show the spoiler"
	}
	return h.Details(h.Class("veil"), h.Summary(ui.T(label)), content)
}
