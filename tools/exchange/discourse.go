package exchange

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// discourseDocument is the JSON of Discourse at /categories.json, /t/ID.json and /t/ID/posts.json. It has the source of texts if the
// address has include_raw=1.
type discourseDocument struct {
	Categories struct {
		List []discourseCategory `json:"categories"`
	} `json:"category_list"`

	ID        int64           `json:"id"`
	Title     string          `json:"title"`
	Category  int64           `json:"category_id"`
	Archetype string          `json:"archetype"`
	Closed    bool            `json:"closed"`
	Archived  bool            `json:"archived"`
	Tags      []discourseTag  `json:"tags"`
	Stream    discourseStream `json:"post_stream"`
}

type discourseCategory struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Slug string `json:"slug"`
	Text string `json:"description_text"`

	Restricted bool `json:"read_restricted"` // it is not public
}

type discourseStream struct {
	Posts []discoursePost `json:"posts"`
}

type discoursePost struct {
	ID        int64     `json:"id"`
	Topic     int64     `json:"topic_id"`
	Number    int64     `json:"post_number"`
	ReplyTo   *int64    `json:"reply_to_post_number"`
	Type      int       `json:"post_type"`
	Username  string    `json:"username"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Version   int       `json:"version"`
	Raw       *string   `json:"raw"`
	Hidden    bool      `json:"hidden"`
	ByUser    bool      `json:"user_deleted"`
	DeletedAt *string   `json:"deleted_at"`
	Actions   []struct {
		ID    int   `json:"id"`
		Count int64 `json:"count"`
	} `json:"actions_summary"`
}

// discourseTag is a name or, in later versions, an object with one.
type discourseTag string

func (t *discourseTag) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, (*string)(t))
	}
	var o struct{ Name string }
	err := json.Unmarshal(text, &o)
	*t = discourseTag(o.Name)
	return err
}

// Kinds of posts: by users, and by moderators about the topic. Others are notes, such as that a topic was closed, and whispers among the
// staff.
const (
	discourseRegular   = 1
	discourseModerator = 2
	discourseLike      = 2 // the action
)

// discourse converts categories, a topic, or more posts of one.
func (c *Converter) discourse(text []byte) error {
	var d discourseDocument
	if err := c.unmarshal(text, &d); err != nil {
		return Badf("neither categories nor a topic: %v", err)
	}
	var nameless error
	for _, k := range d.Categories.List {
		if k.Restricted {
			c.restricted[k.ID] = true
			continue
		}
		name := communityName(k.Slug, k.Name)
		if c.categories[k.ID] = name; name == "" {
			nameless = Badf("the category %q has no name that a community can have", k.Name)
			continue
		}
		if err := c.out(Community{Name: name, Title: k.Name, Description: k.Text}); err != nil {
			return err
		}
	}
	if d.Archetype != "" {
		c.public[d.ID] = d.Archetype == "regular" && !c.restricted[d.Category]
	}
	for _, p := range d.Stream.Posts {
		if !c.public[p.Topic] { // a private message, or not known
			return Badf("topic %d is not public, or the document that says so has not come before", p.Topic)
		}
		if p.Type != discourseRegular && p.Type != discourseModerator {
			continue
		}
		if p.Raw == nil {
			return Badf("topic %d has no texts as they were typed: fetch it with include_raw=1", p.Topic)
		}
		if err := c.discoursePost(&d, &p); err != nil {
			return err
		}
	}
	return nameless
}

// discoursePost converts a post: the first of a topic is its post, all others are comments.
func (c *Converter) discoursePost(d *discourseDocument, p *discoursePost) error {
	topic := fmt.Sprintf("t_%d", p.Topic)
	var likes int64
	for _, a := range p.Actions {
		if a.ID == discourseLike {
			likes = a.Count
		}
	}
	var edited time.Time
	if p.Version > 1 {
		edited = p.UpdatedAt
	}
	gone := ""
	switch {
	case p.ByUser:
		gone = "deleted"
	case p.Hidden || p.DeletedAt != nil:
		gone = "removed"
	}
	c.numbers[place{p.Topic, p.Number}] = p.ID
	if p.Number == 1 {
		community := c.categories[d.Category]
		if community == "" {
			community = c.Community
		}
		if community == "" {
			return Badf("topic %d is in category %d, of which nothing is known: begin with categories.json, or name a community", p.Topic,
				d.Category)
		}
		e := Post{ID: topic, Community: community, Author: p.Username, Title: d.Title, Text: *p.Raw, Locked: d.Closed || d.Archived, Ups: likes,
			CreatedAt: p.CreatedAt, EditedAt: edited}
		for _, t := range d.Tags {
			e.Tags = append(e.Tags, string(t))
		}
		if gone != "" {
			e = Post{ID: topic, Community: community, CreatedAt: p.CreatedAt, Deleted: true}
		}
		return c.out(e)
	}
	e := Comment{ID: fmt.Sprintf("p_%d", p.ID), Post: topic, Author: p.Username, Body: *p.Raw, Ups: likes, CreatedAt: p.CreatedAt,
		EditedAt: edited, Gone: gone}
	if gone != "" {
		e.Author, e.Body, e.EditedAt = "", "", time.Time{}
	}
	if p.ReplyTo != nil && *p.ReplyTo > 1 {
		if parent := c.numbers[place{p.Topic, *p.ReplyTo}]; parent != 0 {
			e.Parent = fmt.Sprintf("p_%d", parent)
		}
	}
	return c.out(e)
}

// communityName makes the name of a community from the first text that contains a valid one; "" if none does.
func communityName(texts ...string) string {
	for _, text := range texts {
		name := strings.Trim(strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
				return r
			case r == '-', r == '_', r == ' ':
				return '_'
			}
			return -1
		}, text), "_")
		if len(name) >= communityMin {
			return name[:min(len(name), communityMax)]
		}
	}
	return ""
}

// How long the name of a community is.
const communityMin, communityMax = 3, 21
