package posts

import (
	"context"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/hrana"
)

// formPost is the kind of form that makes posts, whatever their status.
const formPost = "post"

// digest is equal for submissions that say the same.
func (c *Create) digest() string {
	at := ""
	if c.Status == Scheduled {
		at = strconv.FormatInt(c.PublishAt.UnixMilli(), 10)
	}
	return data.DigestOf(strings.ToLower(c.Community), c.Title, c.Text, c.Link, c.Image, strconv.FormatBool(c.NSFW), strconv.FormatBool(c.Spoiler),
		c.CrosspostOf.Text(), c.Status.text(), at)
}

// scanMadePost reads a row of madePost: what a form has made, and the digest of what it
// said. nil when it has made nothing; without an address when that is gone.
func scanMadePost(res hrana.Result) (p *Post, digest string, err error) {
	err = data.Each(res, func(r *data.Row) {
		p = &Post{ID: r.ID()}
		digest, p.Community, p.Slug = r.Text(), r.Text(), r.Text()
	})
	return p, digest, err
}

func errPostMade(p *Post) error {
	if p.Slug == "" {
		return data.ErrAlreadyMade("This form was sent before. What it made has been deleted since.", "")
	}
	return data.ErrAlreadyMade("This form was sent before, with other content, and that is saved.", p.URL())
}

// madeElsewhere tells whether the form has made a post on another shard: it was sent, then
// changed to another community. A shard that can't be asked keeps nobody from posting on
// this one.
func (s *Store) madeElsewhere(ctx context.Context, shard *hrana.Client, a data.Actor, token string) error {
	if token == "" || len(s.DB.OldShards()) == 1 {
		return nil
	}
	var made *Post
	r := s.DB.Read()
	for _, c := range s.DB.OldShards() {
		if c == shard {
			continue
		}
		r.OldAdd(c, data.OldStmt(madePost, a.UserID, data.OldMadeKey(formPost, token, 0)), func(res hrana.Result) error {
			p, _, err := scanMadePost(res)
			if p != nil {
				made = p
			}
			return err
		})
	}
	_ = r.Run(ctx) // made is what the shards that answered say
	if made == nil {
		return nil
	}
	return errPostMade(made)
}
