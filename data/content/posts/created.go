package posts

import (
	"context"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/content/pictures"
)

// formOf is the form of a new post, whatever its status.
func formOf(a data.Actor, token string) data.IdempotencyKey {
	return data.IdempotencyKey{Author: a.UserID, Form: "post", Token: token}
}

// digest returns a digest that is the same for equal forms.
func (c *Create) digest() string {
	publishAt := ""
	if c.Status == Scheduled {
		publishAt = strconv.FormatInt(c.PublishAt.UnixMilli(), 10)
	}
	return data.DigestOf(strings.ToLower(c.Community), c.Title, c.Text, c.Link, c.Image, strconv.FormatBool(c.NSFW),
		strconv.FormatBool(c.Spoiler),
		c.CrosspostOf.Text(), c.Status.text(), publishAt, c.chosen().id().Text(), c.Tags, pictures.Encode(c.Pictures))
}

// createdPost is the post that a form has created; without an address if it is deleted.
const createdPost = `SELECT m.result_id, p.community_name, p.slug FROM idempotency_keys m LEFT JOIN posts p ON p.id = m.result_id WHERE ` +
	data.ByForm

// scanCreated reads a row of createdPost.
func (p *Post) scanCreated(r *data.Row) { p.ID, p.Community, p.Slug = r.ID(), r.Text(), r.Text() }

// errKeyReused is the error for a form that has created p before and now differs.
func errKeyReused(p *Post) error {
	if p.Slug == "" {
		return data.ErrKeyReused("This form was sent before. What it made has been deleted since.", "")
	}
	return data.ErrKeyReused("This form was sent before, with other content, and that is saved.", p.URL())
}

// createdElsewhere returns the error for a form that has created a post on a shard other than home: it was sent, then changed to another
// community. A shard that is down does not keep the author from posting on this one.
func (s *Store) createdElsewhere(ctx context.Context, home data.Where, a data.Actor, token string) error {
	if token == "" {
		return nil
	}
	r, created := s.DB.Read(), &Post{}
	for _, other := range s.DB.ShardsBut(home) {
		r.FindAt(other, createdPost, formOf(a, token).Args(nil), created.scanCreated)
	}
	r.AllowMissing()
	_ = r.Run(ctx) // created is from the shards that responded
	if created.ID == 0 {
		return nil
	}
	return errKeyReused(created)
}
