package data

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data/hrana"
	"plaza/ranking"
)

// Limits of a post's fields, in characters.
const (
	PostTitleMax = 300
	PostTextMax  = 40000
	URLMax       = 2048
	ExcerptLen   = 280
)

// Post is a post as listings show it; TextHTML is read by its own page alone.
type Post struct {
	ID        ID
	Community string
	AuthorID  ID
	Author    string
	Slug      string
	Kind      string // text, link or image
	Title     string
	Link      string
	Image     string
	Domain    string
	Excerpt   string
	Status    string
	Locked    bool
	NSFW      bool
	Spoiler   bool
	Ups       int64 // the viewer's own vote included, even before it is folded
	Downs     int64
	Hot       float64
	Comments  int64
	CreatedAt time.Time
	EditedAt  time.Time
	Original  *Original // what it shows again, if it is a crosspost
	Others    int64     // other discussions of the same on this shard, up to 11; read by its own page alone
	MyVote    int
	Saved     bool // by the viewer
	Hidden    bool // from the viewer's listings
	TextHTML  string
	Preview   LinkPreview // of Link; read by its own page alone

	ownUps, ownDowns int64 // what of Ups and Downs only the viewer sees
}

// Score is the net score.
func (p *Post) Score() int64 { return p.Ups - p.Downs }

// URL is the post's address on the site.
func (p *Post) URL() string { return "/c/" + p.Community + "/p/" + p.Slug }

// PostStore keeps posts, on the shard of their community.
type PostStore struct {
	DB     *DB
	Hot    *HotSets
	Source Source
	warm   warm[ListingQuery, warmListing]
}

// CreatePost is what submitting asks for. TextHTML and Excerpt are made from Text by
// the caller, who has the Markdown.
type CreatePost struct {
	Community string
	Title     string
	Text      string
	Link      string
	Image     string
	NSFW      bool
	Spoiler   bool
	TextHTML  string
	Excerpt   string
	// Anyway publishes a link that was posted to the community of late.
	Anyway bool
	// CrosspostOf is a post to show again.
	CrosspostOf ID
}

// Validate tidies the fields and checks them in the order of the form.
func (c *CreatePost) Validate() error {
	c.Community, c.Title = strings.TrimSpace(c.Community), strings.Join(strings.Fields(c.Title), " ")
	c.Link, c.Image = strings.TrimSpace(c.Link), strings.TrimSpace(c.Image)
	if strings.TrimSpace(c.Text) == "" {
		c.Text = ""
	}
	switch {
	case c.Community == "":
		return invalid("community", "Please choose a community.")
	case c.Title == "":
		return invalid("title", "A post needs a title.")
	case utf8.RuneCountInString(c.Title) > PostTitleMax:
		return invalid("title", "A title has at most 300 characters.")
	case c.Text == "" && c.Link == "" && c.Image == "" && c.CrosspostOf == 0:
		return invalid("text", "A post needs a text, a link or an image.")
	case utf8.RuneCountInString(c.Text) > PostTextMax:
		return invalid("text", "A text has at most 40,000 characters.")
	case c.Link != "" && !isWebURL(c.Link):
		return invalid("link", "A link is a full web address that begins with http:// or https://.")
	case c.Image != "" && !isWebURL(c.Image):
		return invalid("image", "An image is a full web address that begins with http:// or https://.")
	}
	return nil
}

func isWebURL(s string) bool {
	if len(s) > URLMax || strings.ContainsAny(s, " \t\r\n\"<>\\`") {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil && strings.Contains(strings.Trim(u.Hostname(), "."), ".")
}

func (c *CreatePost) kind() string {
	switch {
	case c.Image != "":
		return "image"
	case c.Link != "":
		return "link"
	}
	return "text"
}

// Domain is the host that a listing names beside a link, without "www.".
func Domain(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

const (
	createPost = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, link, image, domain, excerpt, nsfw, spoiler, hot, created_at, link_key, crosspost_of, crosspost)
SELECT ?5, k.id, k.name, ?1, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?21, ?22 FROM communities k
WHERE k.name_key = ?4 AND ` + liveSession + ` AND (?20 OR NOT EXISTS (SELECT 1` + sameLinkHere + `))`
	createPostText = `INSERT INTO post_texts (post_id, text, html) SELECT id, ?2, ?3 FROM posts WHERE id = ?1`
	voteForOwn     = `INSERT INTO votes (target_id, user_id, value, updated_at) SELECT id, author_id, 1, ?2 FROM posts WHERE id = ?1`
	createdPost    = `SELECT p.community_name, p.slug, p.author_id FROM posts p WHERE p.id = ?1`
)

// slugTries bounds how often a taken slug is tried again; the last try carries the
// id itself, which is nobody else's.
const slugTries = 5

// CreatePost publishes a post with its author's own upvote, in one transaction on the
// community's shard. Invalid, NotFound (no such community, no such post to show again),
// Conflict (PostedBefore) and Unauthenticated.
func (s *PostStore) CreatePost(ctx context.Context, a Actor, c CreatePost) (*Post, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	shard, err := s.DB.ShardOf(ctx, c.Community)
	if err != nil {
		return nil, err
	}
	original, err := s.original(ctx, c.CrosspostOf)
	if err != nil {
		return nil, err
	}
	plain := Slug(c.Title)
	slug := plain
	defer s.warm.clear() // its author looks for it at once
	for try := 1; ; try++ {
		p, err := s.insert(ctx, shard, a, c, original, slug)
		if !hrana.IsUnique(err) {
			return p, err
		}
		if slug = SlugConflict(plain, s.Source.Rand()); try >= slugTries-1 {
			slug = plain + "-" + s.Source.newID(0, KindPost).Text()
		}
		if try == slugTries {
			return nil, unavailable(err)
		}
	}
}

func (s *PostStore) insert(ctx context.Context, shard *hrana.Client, a Actor, c CreatePost, original *Original, slug string) (*Post, error) {
	now := s.Source.Now()
	id := s.Source.newID(s.DB.number(shard), KindPost)
	key := strings.ToLower(c.Community)
	link := c.Link
	if link == "" {
		link = c.Image
	}
	about, of, copied := URLKey(link), any(nil), any(nil)
	if original != nil {
		about, of, copied = original.key(), original.ID, original.json()
	}
	since := now.Add(-recentLink).UnixMilli()
	stmts := []hrana.Stmt{
		stmt(createPost, a.args(key, id, a.Name, slug, c.kind(), c.Title, c.Link, c.Image, Domain(link), c.Excerpt, c.NSFW, c.Spoiler,
			ranking.Hot(0, 0, now), now.UnixMilli(), about, since, c.Anyway, of, copied)...),
		stmt(voteForOwn, id, now.UnixMilli()),
		stmt(communityExists, a.args(key)...),
		stmt(createdPost, id),
		stmt(recentlyPosted, key, about, since, id),
	}
	if c.Text != "" {
		stmts = append(stmts, stmt(createPostText, id, c.Text, c.TextHTML))
	}
	if c.Link != "" {
		stmts = append(stmts, leaveLink(id, now))
	}
	results, err := tx(ctx, shard, stmts...)
	if hrana.IsUnique(err) {
		// Either the slug or the id is taken. An id that is the author's own with this
		// slug means that an earlier try did commit and only its answer was lost.
		p, found, errLook := s.created(ctx, shard, id, a, slug)
		if found || errLook != nil { // not knowing, don't make it again
			return p, errLook
		}
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	var exists, live bool
	if err := each(results[2], func(r *row) { exists, live = r.bool(), r.bool() }); err != nil {
		return nil, err
	}
	if !live {
		return nil, errSessionEnded
	}
	if !exists {
		return nil, errNoCommunity
	}
	if len(results[3].Rows) == 0 {
		return nil, cmp.Or(errPostedBefore(results[4]), errNotMade)
	}
	p := &Post{ID: id}
	return p, each(results[3], func(r *row) { p.Community, p.Slug = r.text(), r.text() })
}

// errNotMade is for what stood in the way and is gone already.
var errNotMade error = &Error{Code: Conflict, Message: "The post could not be saved. Please send it again."}

func (s *PostStore) created(ctx context.Context, shard *hrana.Client, id ID, a Actor, slug string) (*Post, bool, error) {
	p := &Post{ID: id}
	r := s.DB.Read()
	r.add(shard, stmt(createdPost, id), func(res hrana.Result) error {
		return each(res, func(row *row) { p.Community, p.Slug, p.AuthorID = row.text(), row.text(), row.id() })
	})
	if err := r.Run(ctx); err != nil {
		return nil, false, err
	}
	return p, p.AuthorID == a.UserID && p.Slug == slug, nil
}

// number is the shard's own number, which its ids carry.
func (db *DB) number(shard *hrana.Client) int {
	for i, c := range db.shards {
		if c == shard {
			return i
		}
	}
	return 0
}

const (
	postColumns = `p.id, p.community_name, p.author_id, p.author_name, p.slug, p.kind, p.title, p.link, p.image, p.domain, p.excerpt,
  p.status, p.locked, p.nsfw, p.spoiler, p.ups, p.downs, p.hot, p.comments, p.created_at, p.edited_at, p.crosspost`
	// The columns of ownVote, of a post p, and whether the viewer saves or hides it.
	postMine = `, (SELECT iif(v.status = 0, v.value, 3 * v.value) FROM votes v WHERE v.target_id = p.id AND v.user_id = ?1),
  (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = p.id AND d.user_id = ?1),
  (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = p.id AND d.user_id = ?1),
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = ?1 AND k.target_id = p.id), EXISTS (SELECT 1 FROM hides x WHERE x.user_id = ?1 AND x.post_id = p.id)`
	// The same columns for a visitor, who has nothing of their own: no look-up at all.
	postNobody = `, NULL, NULL, NULL, NULL, NULL`
)

func scanPost(r *row, p *Post) {
	p.ID, p.Community, p.AuthorID, p.Author, p.Slug, p.Kind = r.id(), r.text(), r.id(), r.text(), r.text(), r.text()
	p.Title, p.Link, p.Image, p.Domain, p.Excerpt = r.text(), r.text(), r.text(), r.text(), r.text()
	p.Status, p.Locked, p.NSFW, p.Spoiler = r.text(), r.bool(), r.bool(), r.bool()
	p.Ups, p.Downs, p.Hot, p.Comments, p.CreatedAt = r.int(), r.int(), r.float(), r.int(), millis(r.int())
	if ms := r.int(); ms != 0 {
		p.EditedAt = millis(ms)
	}
	p.Original = parseOriginal(r.text())
	p.forgetAuthor()
	p.addOwn(r)
}

// addOwn reads the columns of postMine: what the viewer sees of their own vote, and
// what they have done with the post.
func (p *Post) addOwn(r *row) {
	p.MyVote, p.ownUps, p.ownDowns = r.own()
	p.Ups += p.ownUps
	p.Downs += p.ownDowns
	p.Saved, p.Hidden = r.bool(), r.bool()
}

const (
	// Unique index on name_key, then the unique index on (community, slug), then three
	// primary keys: five rows, whatever the community's size.
	postBySlugFrom = postPageColumns + ` FROM communities c JOIN posts p ON p.community_id = c.id AND p.slug = ?3` + postPageJoins + `
WHERE c.name_key = ?2`
	postBySlug     = `SELECT ` + postColumns + postMine + postBySlugFrom
	postBySlugAnon = `SELECT ` + postColumns + postNobody + postBySlugFrom
	postByIDFrom   = postPageColumns + ` FROM posts p` + postPageJoins + ` WHERE p.id = ?2`
	postByID       = `SELECT ` + postColumns + postMine + postByIDFrom
	// What only a post's own page shows.
	postPageColumns = `, ` + otherDiscussions + `, t.html, l.title, l.description, l.site_name, l.image`
	postPageJoins   = `
LEFT JOIN post_texts t ON t.post_id = p.id LEFT JOIN link_previews l ON l.url = p.link`
)

// FindBySlug reads a post with its text along with a page; ID stays 0 when there is
// none. viewer is 0 for a visitor.
func (s *PostStore) FindBySlug(r *Read, shard *hrana.Client, community, slug string, viewer ID) *Post {
	query := postBySlug
	if viewer == 0 {
		query = postBySlugAnon
	}
	return s.findOne(r, shard, stmt(query, viewer, strings.ToLower(community), slug))
}

// FindByID is FindBySlug by id.
func (s *PostStore) FindByID(r *Read, shard *hrana.Client, id, viewer ID) *Post {
	return s.findOne(r, shard, stmt(postByID, viewer, id))
}

func (s *PostStore) findOne(r *Read, shard *hrana.Client, st hrana.Stmt) *Post {
	p := &Post{}
	r.add(shard, st, func(res hrana.Result) error {
		return each(res, func(row *row) {
			scanPost(row, p)
			p.Others, p.TextHTML = row.int(), row.text()
			p.Preview = LinkPreview{Title: row.text(), Description: row.text(), Site: row.text(), Image: row.text()}
		})
	})
	return p
}
