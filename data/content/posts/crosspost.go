package posts

import (
	"cmp"
	"context"
	"encoding/json"

	"plaza/data"
	"plaza/protocol/weburl"
)

// Original is the post that a crosspost shows again: a copy, because it may live on another shard.
type Original struct {
	ID        data.ID `json:"id"`
	Community string  `json:"community"`
	Slug      string  `json:"slug"`
	Title     string  `json:"title"`
	Author    string  `json:"author"` // "" when deleted or nobody's
	Link      string  `json:"link"`   // or image
	Removed   bool    `json:"removed,omitempty"`

	authorID data.ID // 0 as long as it is not asked for
}

// URL is the original's address on the site. That of one that was removed or deleted does not say its title.
func (o *Original) URL() string {
	if o.Removed || o.Title == DeletedTitle {
		return URLByID(o.ID)
	}
	return "/c/" + o.Community + "/p/" + o.Slug
}

// key is the link_key that the original and its crossposts have.
func (o *Original) key() string {
	if o.Link != "" {
		return weburl.Key(o.Link)
	}
	return KeyOf(o.ID)
}

func (o *Original) json() string {
	b, _ := json.Marshal(o) // texts and numbers can always be encoded
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

var errNoOriginal = &data.Error{Code: data.NotFound,
	Message: "The post you want to crosspost is gone. It may have been deleted."}

// original reads the post that a crosspost shows again. If that is a crosspost, it is its original. It returns nil
// for id 0. NotFound.
func (s *Store) original(ctx context.Context, id data.ID) (*Original, error) {
	if id == 0 {
		return nil, nil
	}
	for range 2 {
		r := s.DB.Read()
		p := s.FindByID(r, id, 0)
		if err := r.Run(ctx); err != nil {
			return nil, err
		}
		switch {
		case p.ID == 0 || p.Status != "published" && p.Status != "archived":
			return nil, errNoOriginal
		case p.Original == nil:
			return &Original{ID: p.ID, Community: p.Community, Slug: p.Slug, Title: p.Title, Author: p.Author, Link: cmp.Or(p.Link, p.Image),
				authorID: p.AuthorID}, nil
		}
		id = p.Original.ID
	}
	return nil, errNoOriginal
}
