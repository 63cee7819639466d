package posts

import (
	"time"

	"plaza/data"
	"plaza/data/hrana"
)

// Discussions are posts about the same thing: the same web address, or a post and its
// crossposts. posts.link_key says what a post is about; the key of a post that has
// neither link nor image is made of its own id when somebody crossposts it.

// PostKey is what the crossposts of a post without a link are about.
func PostKey(post data.ID) string { return "post:" + post.String() }

// otherDiscussions counts published posts about what a post p is about, but for
// itself. At most 11 rows of the index posts_same.
const otherDiscussions = `(SELECT count(*) FROM (SELECT 1 FROM posts o
  WHERE o.link_key = iif(p.link_key = '', 'post:' || p.id, p.link_key) AND o.link_key <> '' AND o.status = 'published' AND o.id <> p.id LIMIT 11))`

// recentLink is how long a link is not posted to the same community again without
// asking.
const recentLink = 30 * 24 * time.Hour

const (
	// posts_same: the posts of a link, of which one community has a few. ?5 is the post
	// that is being made, ?18 its key, ?19 since when; k the community.
	sameLinkHere = ` FROM posts o WHERE o.link_key = ?18 AND o.link_key <> '' AND o.created_at > ?19 AND o.community_id = k.id AND o.status = 'published' AND o.id <> ?5`
	// ?1 is the community's key.
	recentlyPosted = `SELECT o.id, o.community_name, o.slug, o.title, o.author_name, o.created_at FROM communities k CROSS JOIN posts o
WHERE k.name_key = ?1 AND o.link_key = ?2 AND o.link_key <> '' AND o.created_at > ?3 AND o.community_id = k.id AND o.status = 'published' AND o.id <> ?4
ORDER BY o.created_at DESC, o.id DESC LIMIT 3`
)

// PostedBefore is the error under the Conflict of a link that was posted to the same
// community of late.
type PostedBefore struct{ Posts []Post }

func (e *PostedBefore) Error() string { return "the link was posted before" }

func errPostedBefore(res hrana.Result) error {
	before := &PostedBefore{}
	err := data.Each(res, func(r *data.Row) {
		before.Posts = append(before.Posts, Post{ID: r.ID(), Community: r.Text(), Slug: r.Text(), Title: r.Text(), Author: r.Text(), CreatedAt: data.Millis(r.Int())})
	})
	if err != nil || len(before.Posts) == 0 {
		return err
	}
	return &data.Error{Code: data.Conflict, Field: "link", Message: "This was posted here in the past 30 days. You can still publish it.", Err: before}
}
