package posts

import (
	"time"

	"plaza/data"
)

// Discussions are posts about the same thing: the same web address, or a post and its crossposts. They have the same posts.link_key. A post
// without link and image gets a key made of its own id when it is crossposted.

// KeyOf returns the link_key of a post without a link, and of its crossposts.
func KeyOf(post data.ID) string { return "post:" + post.String() }

// discussionKey is the link_key of a post p, in SQL.
const discussionKey = `iif(p.link_key = '', 'post:' || p.id, p.link_key)`

// otherDiscussions counts the other published posts with the link_key of a post p. At most 11 rows of the index posts_same.
const otherDiscussions = `(SELECT count(*) FROM (SELECT 1 FROM posts o
  WHERE o.link_key = ` + discussionKey + ` AND o.link_key <> '' AND o.status = 'published' AND o.id <> p.id LIMIT 11))`

// recentLink is the period in which an author has to confirm a link that was posted to the same community before.
const recentLink = 30 * 24 * time.Hour

const (
	// postedHere is the condition that a post o was published in the community k after :since and has the link_key :about. :id is the new
	// post. Index posts_same: a community has a few posts with one key.
	postedHere = `o.link_key = :about AND o.link_key <> '' AND o.created_at > :since AND o.community_id = k.id AND o.status = 'published'
  AND o.id <> :id`
	// The last three such posts. Unique index on name_key, then posts_same.
	postedBefore = `SELECT ` + postedBeforeColumns + ` FROM communities k CROSS JOIN posts o WHERE k.name_key = :community AND ` +
		postedHere + postedBeforeOrder
	postedBeforeColumns = `o.id, o.community_name, o.slug, o.title, o.author_name, o.created_at`
	postedBeforeOrder   = ` ORDER BY o.created_at DESC, o.id DESC LIMIT 3`
)

// PostedBefore is the cause of the Conflict for a link that was posted to the same community recently.
type PostedBefore struct{ Posts []Post }

func (e *PostedBefore) Error() string { return "the link was posted before" }

// scan adds a row of postedBeforeColumns.
func (e *PostedBefore) scan(r *data.Row) {
	e.Posts = append(e.Posts, Post{ID: r.ID(), Community: r.Text(), Slug: r.Text(), Title: r.Text(), Author: r.Text(), CreatedAt: r.Time()})
}

// conflict returns the error for the author.
func (e *PostedBefore) conflict() error {
	return &data.Error{Code: data.Conflict, Field: "link", Message: "This was posted here in the past 30 days. You can still post it.",
		Err: e}
}
