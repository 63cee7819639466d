package posts

import (
	"plaza/data"
	"plaza/data/content/flair"
	"plaza/data/content/pictures"
	"plaza/data/content/tags"
)

// Parts of the statements that read posts p for listings. Scan reads the row: Columns, and then either Own, for a member, or NothingOwn,
// for a visitor.
const (
	Columns = `p.id, p.community_name, p.author_id, p.author_name, p.author_avatar, p.slug, p.kind, p.title, p.link, p.image, p.domain,
  p.excerpt,
  p.status, p.locked, p.nsfw, p.spoiler, p.ups, p.downs, p.hot, p.comments, p.commented_at, p.views, p.created_at, p.edited_at,
  p.crosspost, p.held,
  p.tags, p.pictures, ` + flair.Of + `, ` + flair.OfPostAuthor
	// Own is the state of a post for the member :viewer: the columns of data.OwnVote, and whether they have saved, hidden or seen it. A
	// statement with Own also has OwnVote. The deltas are found by their primary key, the rest by primary keys.
	Own = `, v.value, v.status,
  (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = p.id AND d.user_id = :viewer),
  (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = p.id AND d.user_id = :viewer),
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :viewer AND k.target_id = p.id), EXISTS (SELECT 1 FROM hides x WHERE x.user_id = :viewer
  AND x.post_id = p.id), EXISTS (SELECT 1 FROM visits s WHERE s.user_id = :viewer AND s.post_id = p.id)`
	// OwnVote joins the vote v of :viewer.
	OwnVote = ` LEFT JOIN votes v ON v.target_id = p.id AND v.user_id = :viewer`
	// NothingOwn replaces Own for visitors: it looks nothing up.
	NothingOwn = `, NULL, NULL, NULL, NULL, NULL, NULL, NULL`
)

// Scan reads the columns of Columns and Own.
func (p *Post) Scan(r *data.Row) {
	p.ID, p.Community, p.AuthorID, p.Author, p.AuthorAvatar = r.ID(), r.Text(), r.ID(), r.Text(), r.Text()
	p.Slug, p.Kind = r.Text(), r.Text()
	p.Title, p.Link, p.Image, p.Domain, p.Excerpt = r.Text(), r.Text(), r.Text(), r.Text(), r.Text()
	p.Status, p.Locked, p.NSFW, p.Spoiler = r.Text(), r.Bool(), r.Bool(), r.Bool()
	p.Ups, p.Downs, p.Hot, p.Comments, p.LastCommentAt = r.Int(), r.Int(), r.Float(), r.Int(), r.Time()
	p.Views, p.CreatedAt, p.EditedAt = r.Int(), r.Time(), r.Time()
	p.Original = parseOriginal(r.Text())
	p.Held = data.Held(r.Int())
	p.Tags = tags.Split(r.Text())
	p.Pictures = pictures.Scan(r)
	p.Flair.Scan(r)
	p.AuthorFlair.ScanAuthor(r)
	p.forgetAuthor()
	p.AddOwn(r)
}

// AddOwn reads the columns of Own and adds the viewer's own vote to Ups and Downs if they do not include it yet.
func (p *Post) AddOwn(r *data.Row) {
	p.MyVote, p.OwnUps, p.OwnDowns = data.OwnVote(r)
	p.Ups += p.OwnUps
	p.Downs += p.OwnDowns
	p.Saved, p.Hidden, p.Seen = r.Bool(), r.Bool(), r.Bool()
}
