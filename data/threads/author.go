package threads

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/posts"
)

// AuthorComment is a comment with the post it belongs to, for lists of comments of many threads.
type AuthorComment struct {
	Comment
	Post posts.Post
}

const (
	// Index comments_author.
	ofAuthorFrom  = `, p.community_name, p.slug, iif(p.status = 'removed', '[removed by a moderator]', p.title) FROM comments c JOIN posts p ON p.id = c.post_id`
	ofAuthorWhere = `
WHERE c.author_name = :author COLLATE NOCASE AND c.author_id IS NOT NULL AND c.status = 'published' AND c.id < :before ORDER BY c.id DESC LIMIT :limit`
	commentsOfAuthor     = `SELECT ` + Columns + Own + ofAuthorFrom + OwnVote + ofAuthorWhere
	commentsOfAuthorAnon = `SELECT ` + Columns + nothingOwn + ofAuthorFrom + ofAuthorWhere
)

// FindByAuthor reads an author's comments along with a page, from every shard: up to limit a shard, older than before
// (0: from the newest). NewestFirst puts them into one order.
func (s *Store) FindByAuthor(r *data.Read, author string, before data.ID, limit int, viewer data.ID) *[]AuthorComment {
	if before == 0 {
		before = math.MaxInt64
	}
	sql, args := commentsOfAuthorAnon, data.Args{"author": author, "before": before, "limit": limit}
	if viewer != 0 {
		sql, args["viewer"] = commentsOfAuthor, viewer
	}
	list := &[]AuthorComment{}
	for _, shard := range s.DB.Shards() {
		r.Find(shard, sql, args, func(row *data.Row) {
			var c AuthorComment
			c.Scan(row)
			c.Post.Community, c.Post.Slug, c.Post.Title = row.Text(), row.Text(), row.Text()
			*list = append(*list, c)
		})
	}
	return list
}

// NewestFirst puts the comments of several shards into one order.
func NewestFirst(list []AuthorComment) []AuthorComment {
	slices.SortFunc(list, func(a, b AuthorComment) int { return cmp.Compare(b.ID, a.ID) })
	return list
}

// Karma is what an author earned with posts and with comments.
type Karma struct{ Posts, Comments int64 }

// Unique index on name_key.
const karmaOfAuthor = `SELECT posts, comments FROM author_karma WHERE name_key = :name`

// FindKarma adds up an author's karma on every shard along with a page.
func (s *Store) FindKarma(r *data.Read, author string) *Karma {
	k := &Karma{}
	for _, shard := range s.DB.Shards() {
		r.Find(shard, karmaOfAuthor, data.Args{"name": strings.ToLower(author)}, func(row *data.Row) {
			k.Posts += row.Int()
			k.Comments += row.Int()
		})
	}
	return k
}
