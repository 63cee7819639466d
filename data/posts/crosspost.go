package posts

import (
	"context"
	"encoding/json"

	"plaza/data"
	"plaza/data/hrana"
)

// Original is the post that a crosspost shows again: a copy, because it may live on
// another shard.
type Original struct {
	ID        data.ID `json:"id"`
	Community string  `json:"community"`
	Slug      string  `json:"slug"`
	Title     string  `json:"title"`
	Author    string  `json:"author"` // "" when deleted or nobody's
	Link      string  `json:"link"`   // or image
}

// URL is the original's address on the site.
func (o *Original) URL() string { return "/c/" + o.Community + "/p/" + o.Slug }

// key is what the original and its crossposts are about.
func (o *Original) key() string {
	if o.Link != "" {
		return URLKey(o.Link)
	}
	return PostKey(o.ID)
}

func (o *Original) json() string {
	b, _ := json.Marshal(o) // of texts and a number
	return string(b)
}

// parseOriginal reads posts.crosspost; nil for a post that is no crosspost.
func parseOriginal(text string) *Original {
	if text == "" {
		return nil
	}
	var stored struct {
		Original
		ID json.Number `json:"id"`
	}
	if json.Unmarshal([]byte(text), &stored) != nil {
		return nil
	}
	id, _ := data.ParseID(stored.ID.String())
	stored.Original.ID = id
	return &stored.Original
}

var errNoOriginal = &data.Error{Code: data.NotFound, Message: "The post that you want to show again is not there. It may have been deleted."}

// original reads what a crosspost is to show: a crosspost of a crosspost shows the
// first one. nil for 0.
func (s *Store) original(ctx context.Context, id data.ID) (*Original, error) {
	if id == 0 {
		return nil, nil
	}
	for range 2 {
		shard, err := s.DB.ShardOfID(id)
		if err != nil {
			return nil, errNoOriginal
		}
		r := s.DB.Read()
		p := s.FindByID(r, shard, id, 0)
		if err := r.Run(ctx); err != nil {
			return nil, err
		}
		switch {
		case p.ID == 0 || p.Status != "published" && p.Status != "archived":
			return nil, errNoOriginal
		case p.Original == nil:
			o := &Original{ID: p.ID, Community: p.Community, Slug: p.Slug, Title: p.Title, Author: p.Author, Link: p.Link}
			if o.Link == "" {
				o.Link = p.Image
			}
			return o, nil
		}
		id = p.Original.ID
	}
	return nil, errNoOriginal
}

const (
	// The key of a post of the actor's. Primary keys.
	keyToForget = `SELECT iif(p.link_key = '', 'post:' || p.id, p.link_key) FROM posts p WHERE p.id = ?4 AND p.author_id = ?1 AND ` + data.OldLiveSession
	// posts_same: a post's crossposts are about the same.
	forgetOriginal = `UPDATE posts SET crosspost = json_set(crosspost, '$.title', '[deleted]', '$.author', '', '$.link', '') WHERE link_key <> '' AND `
	forgetHere     = forgetOriginal + `crosspost_of = ?4 AND link_key = (` + keyToForget + `)`
	forgetThere    = forgetOriginal + `crosspost_of = ?1 AND link_key = ?2`
)

// forgetElsewhere takes what a post of the actor's says out of its crossposts on the
// other shards. It runs before the post is deleted, so that deleting once more does
// what a failure has left.
func (s *Store) forgetElsewhere(ctx context.Context, a data.Actor, shard *hrana.Client, id data.ID) error {
	if len(s.DB.OldShards()) == 1 {
		return nil
	}
	var key string
	r := s.DB.Read()
	r.OldAdd(shard, data.OldStmt(keyToForget, a.OldArgs(id)...), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { key = row.Text() })
	})
	if err := r.Run(ctx); err != nil || key == "" {
		return err
	}
	for _, c := range s.DB.OldShards() {
		if c == shard {
			continue
		}
		if _, err := data.Tx(ctx, c, data.OldStmt(forgetThere, id, key)); err != nil {
			return err
		}
	}
	return nil
}
