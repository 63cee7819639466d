package posts

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/hrana"
	"plaza/data/outbox"
	"plaza/ranking"
)

// Limits of a post's fields, in characters.
const (
	PostTitleMax = 300
	PostTextMax  = 40000
	URLMax       = 2048
	ExcerptLen   = 280
)

// CreatePost is what submitting asks for. TextHTML and Excerpt are made from Text by
// the caller, who has the Markdown.
type Create struct {
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
	CrosspostOf data.ID
	Status      Status    // Draft and Scheduled keep it for later
	Token       string    // of the form; what it has made is not made again
	PublishAt   time.Time // when it is scheduled
}

// Validate tidies the fields and checks them. Its error joins the mistakes of all
// fields, in the order of the form.
func (c *Create) Validate() error {
	c.Community, c.Title = strings.TrimSpace(c.Community), data.Line(c.Title)
	c.Link, c.Image = strings.TrimSpace(c.Link), strings.TrimSpace(c.Image)
	if data.Blank(c.Text) {
		c.Text = ""
	}
	return data.AllMistakes(
		data.MistakeIf(c.Community == "", "community", "Please choose a community."),
		data.MistakeIf(c.Title == "", "title", "A post needs a title."),
		data.MistakeIf(utf8.RuneCountInString(c.Title) > PostTitleMax, "title", "A title has at most 300 characters."),
		checkAddress("link", "link", c.Link),
		checkAddress("image", "image's address", c.Image),
		data.MistakeIf(c.Text == "" && c.Link == "" && c.Image == "" && c.CrosspostOf == 0 && c.Status != Draft, "text", "A post needs a text, a link or an image."),
		data.MistakeIf(utf8.RuneCountInString(c.Text) > PostTextMax, "text", "A text has at most 40,000 characters."),
	)
}

// checkAddress tells what is wrong with the web address in a field; an empty one is fine.
func checkAddress(field, what, s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	switch {
	case len(s) > URLMax:
		return data.Mistake(field, "This "+what+" is too long: at most 2,048 characters.")
	case strings.ContainsAny(s, " \t\r\n\"<>\\`"):
		return data.Mistake(field, "This "+what+" has a space or another character that no web address has.")
	case err != nil || u.Scheme != "http" && u.Scheme != "https":
		return data.Mistake(field, "This "+what+" must be a full web address that begins with http:// or https://.")
	case u.User != nil:
		return data.Mistake(field, "This "+what+" has a user name or a password in it. Please take it out: everybody could read it.")
	case !strings.Contains(strings.Trim(u.Hostname(), "."), "."):
		return data.Mistake(field, "This "+what+" names no site: one looks like example.org.")
	}
	return nil
}

// kind is what leads in listings: the link, else the image, else the text. The other
// parts are kept and shown all the same.
func (c *Create) kind() string {
	switch {
	case c.Link != "":
		return "link"
	case c.Image != "":
		return "image"
	}
	return "text"
}

const (
	createPost = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, link, image, domain, excerpt, nsfw, spoiler, hot, created_at, link_key, crosspost_of, crosspost, status, publish_at)
SELECT ?5, k.id, k.name, ?1, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?21, ?22, ?23, ?24 FROM communities k
WHERE k.name_key = ?4 AND ` + data.OldLiveSession + ` AND (?20 OR NOT EXISTS (SELECT 1` + sameLinkHere + `))
  AND (?25 IS NULL OR EXISTS (SELECT 1 FROM posts x WHERE x.id = ?25 AND x.status IN ('published', 'archived'))) AND ` + data.OldUnmade + `?26)`
	createPostText = `INSERT INTO post_texts (post_id, text, html) SELECT id, ?2, ?3 FROM posts WHERE id = ?1 ON CONFLICT DO NOTHING`
	voteForOwn     = `INSERT INTO votes (target_id, user_id, value, updated_at) SELECT id, author_id, 1, ?2 FROM posts WHERE id = ?1 AND status = 'published'
ON CONFLICT DO NOTHING`
	// Primary keys.
	madePost = `SELECT m.made_id, m.digest, p.community_name, p.slug FROM made m LEFT JOIN posts p ON p.id = m.made_id WHERE m.author_id = ?1 AND m.key = ?2`
)

// slugTries bounds how often a taken slug is tried again; the last try carries the
// id itself, which is nobody else's.
const slugTries = 5

// CreatePost publishes a post with its author's own upvote, or keeps it for later, in
// one transaction on the community's shard. It returns what an equal one of the same Token
// has made. Invalid, NotFound (no such community, no such post to show again), Conflict
// (PostedBefore), AlreadySent (the Token has made another) and Unauthenticated.
func (s *Store) Create(ctx context.Context, a data.Actor, c Create) (*Post, error) {
	if err := c.Check(s.Source.Now()); err != nil {
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
	if err := s.madeElsewhere(ctx, shard, a, c.Token); err != nil {
		return nil, err
	}
	plain := Slug(c.Title)
	slug := plain
	defer s.changed() // its author looks for it at once
	for try := 1; ; try++ {
		p, err := s.insert(ctx, shard, a, c, original, slug)
		if !hrana.IsUnique(err) {
			return p, err
		}
		if slug = SlugConflict(plain, s.Source.Rand()); try >= slugTries-1 {
			slug = plain + "-" + s.Source.NewID(0, data.KindPost).Text()
		}
		if try == slugTries {
			return nil, data.UnavailableBecause(err)
		}
	}
}

func (s *Store) insert(ctx context.Context, shard *hrana.Client, a data.Actor, c Create, original *Original, slug string) (*Post, error) {
	now := s.Source.Now()
	id := s.Source.NewID(s.DB.OldNumber(shard), data.KindPost)
	key := strings.ToLower(c.Community)
	link := c.Link
	if link == "" {
		link = c.Image
	}
	about, of, copied, beside := URLKey(link), any(nil), any(nil), any(nil)
	gone := errNotMade
	if original != nil {
		about, of, copied = original.key(), original.ID, original.json()
		if s.DB.OldShard(original.ID) == shard { // looked at again: deleting it makes its crossposts forget it once
			beside, gone = original.ID, errNoOriginal
		}
	}
	since := now.Add(-recentLink).UnixMilli()
	token, digest := data.OldMadeKey(formPost, c.Token, id), c.digest()
	stmts := []hrana.Stmt{
		data.OldStmt(createPost, a.OldArgs(key, id, a.Name, slug, c.kind(), c.Title, c.Link, c.Image, Domain(link), data.Line(c.Excerpt), c.NSFW, c.Spoiler,
			ranking.Hot(0, 0, now), now.UnixMilli(), about, since, c.Anyway || c.Status != Published, of, copied, c.Status.text(), c.publishAt(), beside, token)...),
		data.OldRecording(a.UserID, token, digest, id, now),
		data.OldStmt(voteForOwn, id, now.UnixMilli()),
		data.OldStmt(communities.CommunityExists, a.OldArgs(key)...),
		data.OldStmt(madePost, a.UserID, token),
		data.OldStmt(recentlyPosted, key, about, since, id),
	}
	if c.Text != "" {
		stmts = append(stmts, data.OldStmt(createPostText, id, c.Text, c.TextHTML))
	}
	if c.Link != "" && c.Status == Published {
		stmts = append(stmts, outbox.LeaveLink(s.Source, id, now))
	}
	results, err := data.Tx(ctx, shard, stmts...)
	if err != nil { // of a slug or id that is taken, too
		return nil, err
	}
	var exists, live bool
	if err := data.Each(results[3], func(r *data.Row) { exists, live = r.Bool(), r.Bool() }); err != nil {
		return nil, err
	}
	if !live {
		return nil, data.ErrSessionEnded
	}
	if p, said, err := scanMadePost(results[4]); p != nil || err != nil {
		if err == nil && (said != digest || p.Slug == "") {
			err = errPostMade(p)
		}
		return p, err
	}
	if !exists {
		return nil, data.ErrNoCommunity
	}
	return nil, cmp.Or(errPostedBefore(results[5]), gone)
}

// errNotMade is for what stood in the way and is gone already.
var errNotMade error = &data.Error{Code: data.Conflict, Message: "The post could not be saved. Please send it again."}
