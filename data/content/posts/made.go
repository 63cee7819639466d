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

// digest is equal for equal submissions.
func (c *Create) digest() string {
	at := ""
	if c.Status == Scheduled {
		at = strconv.FormatInt(c.PublishAt.UnixMilli(), 10)
	}
	return data.DigestOf(strings.ToLower(c.Community), c.Title, c.Text, c.Link, c.Image, strconv.FormatBool(c.NSFW),
		strconv.FormatBool(c.Spoiler),
		c.CrosspostOf.Text(), c.Status.text(), at, c.chosen().id().Text(), c.Tags, pictures.Encode(c.Pictures))
}

// madePost is the post that a form has made; without an address if it is deleted.
const madePost = `SELECT m.made_id, p.community_name, p.slug FROM made m LEFT JOIN posts p ON p.id = m.made_id WHERE ` + data.ByForm

// scanMade reads a row of madePost.
func (p *Post) scanMade(r *data.Row) { p.ID, p.Community, p.Slug = r.ID(), r.Text(), r.Text() }

// errMade is the error for a form that has made p before and now differs.
func errMade(p *Post) error {
	if p.Slug == "" {
		return data.ErrAlreadyMade("This form was sent before. What it made has been deleted since.", "")
	}
	return data.ErrAlreadyMade("This form was sent before, with other content, and that is saved.", p.URL())
}

// madeElsewhere returns the error for a form that has made a post on a shard other than home: it was sent, then changed to another
// community. A shard that is down does not keep the author from posting on this one.
func (s *Store) madeElsewhere(ctx context.Context, home data.Where, a data.Actor, token string) error {
	if token == "" {
		return nil
	}
	r, made := s.DB.Read(), &Post{}
	for _, other := range s.DB.ShardsBut(home) {
		r.FindAt(other, madePost, formOf(a, token).Args(nil), made.scanMade)
	}
	r.AllowMissing()
	_ = r.Run(ctx) // made is the result of the shards that responded
	if made.ID == 0 {
		return nil
	}
	return errMade(made)
}
