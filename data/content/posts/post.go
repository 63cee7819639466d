package posts

import (
	"strings"
	"time"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/data/content/links"
	"plaza/data/content/pictures"
	"plaza/data/events/modlog"
	"plaza/data/rights/rules"
)

// Post is a post as listings show it, and the fields that only its own page shows.
type Post struct {
	ID           data.ID
	Community    string
	AuthorID     data.ID
	Author       string
	AuthorAvatar string // as users.avatar
	AuthorFlair  flair.Label
	Slug         string
	Kind         string // text, link or image
	Title        string
	Link         string
	Image        string
	Domain       string
	Excerpt      string
	Status       string
	Locked       bool
	NSFW         bool
	Spoiler      bool
	Ups          int64 // including the viewer's own vote, even before it is applied
	Downs        int64
	Hot          float64
	Comments     int64
	// LastCommentAt is when the last visible comment was written, to a minute; zero without one.
	LastCommentAt time.Time
	Views         int64 // viewers, each counted once a week (package views)
	CreatedAt     time.Time
	EditedAt      time.Time
	Original      *Original // the original of a crosspost
	Held          data.Hold
	Flair         flair.Label
	Tags          []string // in the order of their bytes
	Pictures      []pictures.Picture

	MyVote                 int
	ViewerUps, ViewerDowns int64 // the part of Ups and Downs that only the viewer sees
	Saved                  bool  // by the viewer
	Hidden                 bool  // from the viewer's listings
	Seen                   bool  // the viewer has opened it within 90 days (package visits)

	// Shared has the HTML that pages share; nil if it is not from the cache. The copies for viewers have the same pointer.
	Shared *data.Shared

	// Only FindBySlug and FindByID read these.
	Others                  int64 // other posts with its link_key on this shard, up to 11
	TextHTML                string
	TextPlain               string        // instead of TextHTML if that is larger than data.PostHTMLMax
	Preview                 links.Preview // of Link
	PublishAt               time.Time     // of a scheduled post
	ImageWidth, ImageHeight int           // of Image, in pixels; 0 until it was fetched
	Pinned                  bool
	Removal                 modlog.Removal // why it was removed
	AutoReply               string         // HTML: the reply of an automatic rule
	commentTimes            string
}

// WithoutViewer returns a copy as a member without votes, saves, hides and visits sees the post.
func (p *Post) WithoutViewer() *Post {
	n := *p
	n.Ups, n.Downs = p.Ups-p.ViewerUps, p.Downs-p.ViewerDowns
	n.MyVote, n.ViewerUps, n.ViewerDowns = 0, 0, 0
	n.Saved, n.Hidden, n.Seen = false, false, false
	return &n
}

// Score is the net score.
func (p *Post) Score() int64 { return p.Ups - p.Downs }

// URL is the post's address on the site.
func (p *Post) URL() string { return "/c/" + p.Community + "/p/" + p.Slug }

// LinkURL is the address under which other pages link to the post. For a removed or deleted post it does not contain the title.
func (p *Post) LinkURL() string {
	if p.Status == "removed" || p.Status == "deleted" || p.Slug == "" {
		return data.PostURL(p.ID)
	}
	return p.URL()
}

// SavedAt is when a draft was last saved.
func (p *Post) SavedAt() time.Time {
	if p.EditedAt.IsZero() {
		return p.CreatedAt
	}
	return p.EditedAt
}

// forgetAuthor clears the author of a deleted post, whose row still has some of these fields.
func (p *Post) forgetAuthor() {
	if p.Status == "deleted" {
		p.AuthorID, p.Author, p.AuthorAvatar, p.AuthorFlair = 0, "", "", flair.Label{}
	}
}

// Store keeps posts, on the shard of their community.
type Store struct{ data.Base }

var (
	// Unique index on name_key, then the unique index on (community, slug), then three primary keys: five rows, whatever the
	// community's size.
	postBySlug      = `SELECT ` + Columns + ViewerColumns + postBySlugFrom + JoinViewerVote + postBySlugWhere
	postBySlugAnon  = `SELECT ` + Columns + NoViewerColumns + postBySlugFrom + postBySlugWhere
	postBySlugFrom  = postPageColumns + ` FROM communities c JOIN posts p ON p.community_id = c.id AND p.slug = :slug` + postPageJoins
	postBySlugWhere = ` WHERE c.name_key = :community`
	// The same two unique indexes: two rows.
	createdBySlug = `SELECT p.created_at FROM communities c JOIN posts p ON p.community_id = c.id AND p.slug = :slug` + postBySlugWhere
	postByID      = `SELECT ` + Columns + ViewerColumns + postPageColumns + ` FROM posts p` + postPageJoins + JoinViewerVote + `
  WHERE p.id = :id`
	// postBody is two columns: the HTML, or NULL if it is longer than data.PostHTMLMax, and in that case the text. octet_length reads only
	// the header of a row.
	postBody = `iif(octet_length(t.html) <= 262144, t.html, NULL), iif(octet_length(t.html) > 262144, substr(t.text, 1, 40000), NULL)`
	// The columns that only a post's own page shows.
	postPageColumns = `, ` + otherDiscussions + `, ` + postBody + `,
  l.title, l.description, l.site_name, l.image, p.publish_at, p.image_width, p.image_height,
  p.pinned_at IS NOT NULL, p.auto_reply, p.comment_times,
  CASE WHEN p.held = 1 THEN ` + rules.Message("p.id") + ` WHEN p.status = 'removed' THEN ` +
		modlog.LastRemoval("p.id") + ` END`
	postPageJoins = ` LEFT JOIN post_texts t ON t.post_id = p.id LEFT JOIN link_previews l ON l.url = p.link`
)

// FindBySlug reads a post with its text along with a page; ID stays 0 if it does not exist. viewer is 0 for a visitor.
func (s *Store) FindBySlug(r *data.Read, community, slug string, viewer data.ID) *Post {
	p, home, args := &Post{}, data.In(community), data.Args{"community": strings.ToLower(community), "slug": slug}
	if viewer == 0 {
		r.FindAt(home, postBySlugAnon, args, p.scanPage)
	} else {
		args["viewer"] = viewer
		r.FindAt(home, postBySlug, args, p.scanPage)
	}
	return p
}

// FindCreated reads when a post was published, or created as a draft; the zero time if it does not exist.
func (s *Store) FindCreated(r *data.Read, community, slug string) *time.Time {
	created := &time.Time{}
	r.FindAt(data.In(community), createdBySlug, data.Args{"community": strings.ToLower(community), "slug": slug},
		func(row *data.Row) { *created = row.Time() })
	return created
}

// FindByID is FindBySlug by id.
func (s *Store) FindByID(r *data.Read, id, viewer data.ID) *Post {
	p := &Post{}
	r.FindAt(id, postByID, data.Args{"id": id, "viewer": viewer}, p.scanPage)
	return p
}

// scanPage reads the columns of Scan, and then postPageColumns.
func (p *Post) scanPage(r *data.Row) {
	p.Scan(r)
	p.Others, p.TextHTML, p.TextPlain = r.Int(), r.Text(), r.Text()
	p.Preview = links.Preview{Title: r.Text(), Description: r.Text(), Site: r.Text(), Image: r.Text()}
	p.PublishAt = r.Time()
	p.ImageWidth, p.ImageHeight = int(r.Int()), int(r.Int())
	p.Pinned, p.AutoReply, p.commentTimes = r.Bool(), r.Text(), r.Text()
	p.Removal.Scan(r)
}
