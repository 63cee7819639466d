package comments

import (
	"maps"
	"strings"

	"plaza/data"
	"plaza/data/content/posts"
)

// AuthorComment is a comment with its post, for lists of comments of many threads.
type AuthorComment struct {
	Comment
	Post posts.Post
}

// What lists of an author's comments have in common.
var (
	ofAuthorMember  = `SELECT ` + Columns + ViewerColumns + ofAuthorFrom
	ofAuthorVisitor = `SELECT ` + Columns + noViewerColumns + ofAuthorFrom

	ofAuthorFrom = `, p.community_name, iif(p.status IN ('removed', 'deleted'), '', p.slug), 
  iif(p.status = 'removed', '[removed by a moderator]', p.title), `
	ofAuthorPosts = ` FROM comments c JOIN posts p ON p.id = c.post_id`
	ofAuthorWhere = `
WHERE c.author_name = :author COLLATE NOCASE AND c.author_id IS NOT NULL AND c.status = 'published'`
)

// authorSQL returns the statement that reads an author's comments in an order: up to :limit after the cursor, which is :value and :id.
// Indexes comments_author, comments_author_top and comments_author_controversial; listings.listingSQL says why the id is compared with
// COLLATE BINARY.
func authorSQL(columns, vote string, order data.Order) string {
	switch order {
	case data.OrderNew:
		return columns + `0` + ofAuthorPosts + vote + ofAuthorWhere + ` AND c.id < :id ORDER BY c.id DESC LIMIT :limit`
	case data.OrderTop:
		return columns + `c.score` + topOfAuthor + vote
	}
	return columns + `c.controversy AS value` + ofAuthorPosts + vote + ofAuthorWhere +
		` AND c.controversy > 0 AND (c.controversy, c.id) < (:value, :id COLLATE BINARY) ORDER BY value DESC, c.id DESC LIMIT :limit`
}

// topOfAuthor selects the comments with a score above 1, then those with 1, the most frequent score, and then the rest. A part is read only
// if the parts before it have too few rows; a merge would read all three. The part with score 1 skips others in comments_author.
var topOfAuthor = ` FROM (SELECT * FROM (SELECT c.id FROM comments c` + ofAuthorWhere +
	` AND c.score <> 1 AND c.score > 1 AND (c.score, c.id) < (:value, :id COLLATE BINARY) ORDER BY c.score DESC, c.id DESC LIMIT :limit)
  UNION ALL SELECT * FROM (SELECT c.id FROM comments c` + ofAuthorWhere +
	` AND c.score = 1 AND c.id < iif(:value > 1, 1 << 62, iif(:value < 1, 0, :id)) ORDER BY c.id DESC LIMIT :limit)
  UNION ALL SELECT * FROM (SELECT c.id FROM comments c` + ofAuthorWhere +
	` AND c.score <> 1 AND (c.score, c.id) < (min(:value, 1), iif(:value >= 1, 0, :id) COLLATE BINARY)
  ORDER BY c.score DESC, c.id DESC LIMIT :limit)
  LIMIT :limit) top CROSS JOIN comments c ON c.id = top.id JOIN posts p ON p.id = c.post_id`

// FindByAuthor reads a page of an author's comments along with a page of the site, from every shard. former is the author's
// former name, which some comments may still have; "" for none. The order is new, top or controversial.
func (s *Store) FindByAuthor(r *data.Read, author, former string, order data.Order, after data.Cursor, limit int,
	viewer data.ID) *data.Page[AuthorComment] {
	p := data.NewPage[AuthorComment](order, limit).Sorted()
	value, id := data.KeysetFrom(after)
	args := data.Args{"author": author, "id": id}
	if order != data.OrderNew {
		args["value"] = value
	}
	sql := authorSQL(ofAuthorVisitor, "", order)
	if viewer != 0 {
		sql, args["viewer"] = authorSQL(ofAuthorMember, JoinViewerVote, order), viewer
	}
	scan := func(row *data.Row) (c AuthorComment, value float64, id data.ID) {
		c.Scan(row)
		c.Post.ID, c.Post.Community, c.Post.Slug, c.Post.Title = c.PostID, row.Text(), row.Text(), row.Text()
		return c, row.Float(), c.ID
	}
	if former != "" { // first, so that a comment whose name changes between the two reads is found twice instead of missed
		formerArgs := maps.Clone(args)
		formerArgs["author"] = former
		p.FindAll(r, sql, formerArgs, scan)
	}
	p.FindAll(r, sql, args, scan)
	return p
}

// Karma is what an author earned with posts and with comments.
type Karma struct{ Posts, Comments int64 }

// Unique index on name_key.
const karmaOfAuthor = `SELECT posts, comments FROM author_karma WHERE name_key = :name`

// FindKarma sums an author's karma on every shard along with a page. names are the author's current name, and the former one if there is
// one.
func (s *Store) FindKarma(r *data.Read, names ...string) *Karma {
	k := &Karma{}
	for _, name := range names {
		r.FindAll(karmaOfAuthor, data.Args{"name": strings.ToLower(name)}, func(row *data.Row) {
			k.Posts += row.Int()
			k.Comments += row.Int()
		})
	}
	return k
}
