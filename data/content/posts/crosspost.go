package posts

import (
	"cmp"
	"context"
	"encoding/json"

	"plaza/data"
	"plaza/protocol/weburl"
)

// Original is a copy of the post that a crosspost shows, which may be on another shard.
type Original struct {
	ID        data.ID `json:"id"`
	Community string  `json:"community"`
	Slug      string  `json:"slug"`
	Title     string  `json:"title"`
	Author    string  `json:"author"` // "" if deleted or unknown
	Link      string  `json:"link"`   // or image
	Removed   bool    `json:"removed,omitempty"`

	authorID data.ID // 0 until it is read
}

// URL returns the original's address on the site. The address of a removed or deleted original does not contain its title.
func (o *Original) URL() string {
	if o.Removed || o.Title == data.DeletedTitle {
		return data.PostURL(o.ID)
	}
	return "/c/" + o.Community + "/p/" + o.Slug
}

// Key returns the link_key of the original and its crossposts.
func (o *Original) Key() string {
	if o.Link != "" {
		return weburl.Key(o.Link)
	}
	return KeyOf(o.ID)
}

func (o *Original) json() string {
	b, _ := json.Marshal(o) // encoding texts and numbers can't fail
	return string(b)
}

// ParseOriginal parses posts.crosspost; nil for a post that is no crosspost. The ID is 0 if the text has none.
func ParseOriginal(text string) *Original {
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

// original reads the post that a crosspost shows. If that is a crosspost itself, it returns its original. It returns nil for id 0.
// NotFound.
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
