package posts

import (
	"plaza/data"
	"plaza/data/content/flair"
	"plaza/data/content/pictures"
	"plaza/data/content/tags"
)

// Parts of the statements that read posts p for listings. Scan reads the row: Columns, and then either ViewerColumns, for a member, or
// NoViewerColumns, for a visitor.
const (
	Columns = `p.id, format('%d %d %d %d %d %d %d %d %d %d %d %d', p.author_id, p.locked, p.nsfw, p.spoiler, p.ups, p.downs, p.comments,
  p.commented_at, p.views, p.created_at, p.edited_at, p.held), p.community_name, p.author_name, p.author_avatar, p.slug, p.kind, p.title,
  p.link, p.image, p.domain, p.excerpt, p.status, p.hot, p.crosspost, p.tags, p.pictures, ` + flair.Of + `, ` + flair.OfPostAuthor
	// ViewerColumns is the state of a post for the member :viewer: the columns of data.OwnVote, and whether they have saved, hidden or
	// seen it. A statement with ViewerColumns also has JoinViewerVote. The deltas are found by their primary key, the rest by primary keys.
	ViewerColumns = `, format('%d %d %d %d %d %d %d', v.value, v.status,
  (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = p.id AND d.user_id = :viewer),
  (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = p.id AND d.user_id = :viewer),
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :viewer AND k.target_id = p.id), EXISTS (SELECT 1 FROM hides x WHERE x.user_id = :viewer
  AND x.post_id = p.id), EXISTS (SELECT 1 FROM visits s WHERE s.user_id = :viewer AND s.post_id = p.id))`
	// JoinViewerVote joins the vote v of :viewer.
	JoinViewerVote = ` LEFT JOIN votes v ON v.target_id = p.id AND v.user_id = :viewer`
	// NoViewerColumns replaces ViewerColumns for visitors: it looks nothing up.
	NoViewerColumns = `, '0 0 0 0 0 0 0'`
)

// Scan reads the columns of Columns and ViewerColumns.
func (p *Post) Scan(r *data.Row) {
	p.ID = r.ID()
	r.Unpack()
	p.AuthorID, p.Locked, p.NSFW, p.Spoiler = r.ID(), r.Bool(), r.Bool(), r.Bool()
	p.Ups, p.Downs, p.Comments, p.LastCommentAt, p.Views = r.Int(), r.Int(), r.Int(), r.Time(), r.Int()
	p.CreatedAt, p.EditedAt, p.Held = data.Millis(r.Int()), r.Time(), data.Hold(r.Int()) // 1970 is a time, too
	p.Community, p.Author, p.AuthorAvatar, p.Slug, p.Kind = r.Text(), r.Text(), r.Text(), r.Text(), r.Text()
	p.Title, p.Link, p.Image, p.Domain, p.Excerpt = r.Text(), r.Text(), r.Text(), r.Text(), r.Text()
	p.Status, p.Hot = r.Text(), r.Float()
	p.Original = ParseOriginal(r.Text())
	p.Tags = tags.Split(r.Text())
	p.Pictures = pictures.Scan(r)
	p.Flair.Scan(r)
	p.AuthorFlair.ScanAuthor(r)
	p.forgetAuthor()
	p.ScanViewer(r)
}

// ScanViewer reads the columns of ViewerColumns and adds the viewer's own vote to Ups and Downs if they do not include it yet.
func (p *Post) ScanViewer(r *data.Row) {
	r.Unpack()
	p.MyVote, p.ViewerUps, p.ViewerDowns = data.OwnVote(r)
	p.Ups += p.ViewerUps
	p.Downs += p.ViewerDowns
	p.Saved, p.Hidden, p.Seen = r.Bool(), r.Bool(), r.Bool()
}
