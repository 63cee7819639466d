package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"plaza/data/names"
)

// Converter converts the public JSON of other software into lines.
type Converter struct {
	From      string // one of Converters
	Community string // for posts without a community of their own
	Out       *Writer
	Bad       func(document int, reason string) // called if a document (the first is 1) was skipped, or a part of it

	Changed int // documents with a value that was changed or left out, because it has another type than its field

	document   int
	categories map[int64]string // names of communities
	numbers    map[place]int64  // ids of posts
	public     map[int64]bool   // topics
	restricted map[int64]bool   // categories that are not public
}

// place identifies a post of a topic.
type place struct{ topic, post int64 }

// Converters are the kinds of software.
func Converters() []string { return []string{"lobsters", "discourse"} }

// Convert reads JSON documents, one after the other or in arrays. It may be called for several readers.
func (c *Converter) Convert(r io.Reader) error {
	convert := map[string]func([]byte) error{"lobsters": c.lobsters, "discourse": c.discourse}[c.From]
	if convert == nil {
		return fmt.Errorf("%q can't be converted", c.From)
	}
	if c.categories == nil {
		c.categories, c.numbers, c.public, c.restricted = map[int64]string{}, map[place]int64{}, map[int64]bool{}, map[int64]bool{}
	}
	in := json.NewDecoder(r)
	for c.document = 1; ; c.document++ {
		var text json.RawMessage
		err := in.Decode(&text)
		if errors.Is(err, io.EOF) {
			return nil
		}
		documents := []json.RawMessage{text}
		if err == nil && bytes.HasPrefix(text, []byte("[")) {
			err = json.Unmarshal(text, &documents)
		}
		if err != nil {
			return fmt.Errorf("document %d: %w", c.document, err)
		}
		for _, d := range documents {
			var bad *LineError
			if err := convert(d); errors.As(err, &bad) {
				c.Bad(c.document, bad.Reason)
			} else if err != nil {
				return err
			}
		}
	}
}

// unmarshal parses a document. Its error begins with wrong, such as "not a story".
func (c *Converter) unmarshal(text []byte, v any, wrong string) error {
	changed, err := unmarshal(text, v)
	if changed {
		c.Changed++
	}
	if err != nil {
		return LineErrorf("%s: %v", wrong, err)
	}
	return nil
}

// out writes a line. It skips and reports a comment without a time. For a post without a time it returns a *Bad, because a thread can't be
// imported without its post.
func (c *Converter) out(item any) error {
	switch v := item.(type) {
	case Post:
		if v.CreatedAt.IsZero() {
			return LineErrorf("%s has no created_at", v.ID)
		}
	case Comment:
		if v.CreatedAt.IsZero() {
			c.Bad(c.document, v.ID+" has no created_at")
			return nil
		}
	}
	return c.Out.Write(item)
}

// lobstersStory is a story at /s/ID.json, as Lobsters and sites with its software show it.
type lobstersStory struct {
	ShortID     string            `json:"short_id"`
	CreatedAt   time.Time         `json:"created_at"`
	Title       string            `json:"title"`
	URL         string            `json:"url"`
	Score       int64             `json:"score"`
	Flags       int64             `json:"flags"`
	Description string            `json:"description_plain"` // Markdown; description is HTML
	Submitter   named             `json:"submitter_user"`
	Tags        []string          `json:"tags"`
	Comments    []lobstersComment `json:"comments"`
}

type lobstersComment struct {
	ShortID   string    `json:"short_id"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Deleted   bool      `json:"is_deleted"`
	Moderated bool      `json:"is_moderated"`
	Score     int64     `json:"score"`
	Flags     int64     `json:"flags"`
	Parent    *string   `json:"parent_comment"`
	Comment   string    `json:"comment_plain"` // Markdown; comment is HTML
	Indent    int       `json:"indent_level"`  // from 1
	User      named     `json:"commenting_user"`
}

// named is a name, or an object with a name, as for users in earlier versions of Lobsters and for tags in later versions of Discourse.
type named string

func (n *named) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, (*string)(n))
	}
	var o struct{ Name, Username string }
	err := json.Unmarshal(text, &o)
	*n = named(cmp.Or(o.Name, o.Username))
	return err
}

// lobsters converts a story with its comments.
func (c *Converter) lobsters(text []byte) error {
	var s lobstersStory
	if err := c.unmarshal(text, &s, "not a story"); err != nil {
		return err
	}
	if s.ShortID == "" || s.Title == "" {
		return LineErrorf("a story has a short_id and a title")
	}
	id := "s_" + s.ShortID
	ups, downs := lobstersVotes(s.Score, s.Flags)
	if err := c.out(Post{ID: id, Community: c.Community, Author: string(s.Submitter), Title: s.Title, Text: s.Description, Link: s.URL,
		Tags: s.Tags, Ups: ups, Downs: downs, CreatedAt: s.CreatedAt}); err != nil {
		return err
	}
	var above []string // the last comment of each level
	for _, o := range s.Comments {
		e := Comment{ID: "c_" + o.ShortID, Post: id, Author: string(o.User), Body: o.Comment, CreatedAt: o.CreatedAt}
		e.Ups, e.Downs = lobstersVotes(o.Score, o.Flags)
		if o.UpdatedAt.Sub(o.CreatedAt) > time.Minute { // what Lobsters calls edited
			e.EditedAt = o.UpdatedAt
		}
		switch {
		case o.Moderated:
			e.Gone = "removed"
		case o.Deleted:
			e.Gone = "deleted"
		}
		if e.Gone != "" {
			e.Author, e.Body = "", ""
		}
		above = append(above[:min(max(o.Indent-1, 0), len(above))], e.ID)
		switch {
		case o.Parent != nil:
			e.Parent = "c_" + *o.Parent
		case o.Indent > 1 && len(above) > 1: // earlier versions have no parent_comment
			e.Parent = above[len(above)-2]
		}
		if err := c.out(e); err != nil {
			return err
		}
	}
	return nil
}

// lobstersVotes returns the votes of a score, in which each flag is a vote down.
func lobstersVotes(score, flags int64) (ups, downs int64) {
	downs = max(flags, -score, 0)
	return max(score+downs, 0), downs
}

// discourseDocument is the response of Discourse at /categories.json, /t/ID.json or /t/ID/posts.json. With include_raw=1 in the address,
// posts have their Markdown.
type discourseDocument struct {
	Categories struct {
		List []struct {
			ID         int64  `json:"id"`
			Name       string `json:"name"`
			Slug       string `json:"slug"`
			Text       string `json:"description_text"`
			Restricted bool   `json:"read_restricted"` // not everybody may read it
		} `json:"categories"`
	} `json:"category_list"`

	ID        int64   `json:"id"`
	Title     string  `json:"title"`
	Category  int64   `json:"category_id"`
	Archetype string  `json:"archetype"`
	Closed    bool    `json:"closed"`
	Archived  bool    `json:"archived"`
	Tags      []named `json:"tags"`
	Stream    struct {
		Posts []discoursePost `json:"posts"`
	} `json:"post_stream"`
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

// Types of posts that are converted: regular ones, and those of moderators. Others are notes, such as that a topic was closed, and whispers
// of the staff.
const (
	discourseRegular   = 1
	discourseModerator = 2
	discourseLike      = 2 // the action
)

// discourse converts categories, a topic, or further posts of a topic.
func (c *Converter) discourse(text []byte) error {
	var d discourseDocument
	if err := c.unmarshal(text, &d, "neither categories nor a topic"); err != nil {
		return err
	}
	var nameless error
	for _, k := range d.Categories.List {
		if k.Restricted {
			c.restricted[k.ID] = true
			continue
		}
		name := communityName(k.Slug, k.Name)
		if c.categories[k.ID] = name; name == "" {
			nameless = LineErrorf("the category %q has no name that a community can have", k.Name)
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
		if !c.public[p.Topic] { // a private message, or unknown
			return LineErrorf("topic %d is not public, or the document that says so has not come before", p.Topic)
		}
		if p.Type != discourseRegular && p.Type != discourseModerator {
			continue
		}
		if p.Raw == nil {
			return LineErrorf("topic %d has no texts as they were typed: fetch it with include_raw=1", p.Topic)
		}
		if err := c.discoursePost(&d, &p); err != nil {
			return err
		}
	}
	return nameless
}

// discoursePost converts a post: the first of a topic is its post, all others are comments.
func (c *Converter) discoursePost(d *discourseDocument, p *discoursePost) error {
	var likes int64
	for _, a := range p.Actions {
		if a.ID == discourseLike {
			likes = a.Count
		}
	}
	e := Comment{ID: fmt.Sprintf("p_%d", p.ID), Post: fmt.Sprintf("t_%d", p.Topic), Author: p.Username, Body: *p.Raw, Ups: likes,
		CreatedAt: p.CreatedAt}
	if p.Version > 1 {
		e.EditedAt = p.UpdatedAt
	}
	switch {
	case p.ByUser:
		e.Gone = "deleted"
	case p.Hidden || p.DeletedAt != nil:
		e.Gone = "removed"
	}
	if e.Gone != "" {
		e.Author, e.Body, e.EditedAt = "", "", time.Time{}
	}
	c.numbers[place{p.Topic, p.Number}] = p.ID
	if p.Number == 1 {
		community := cmp.Or(c.categories[d.Category], c.Community)
		switch {
		case community == "":
			return LineErrorf("topic %d is in category %d, of which nothing is known: begin with categories.json, or name a community", p.Topic,
				d.Category)
		case e.Gone != "":
			return c.out(Post{ID: e.Post, Community: community, CreatedAt: p.CreatedAt, Deleted: true})
		}
		var tags []string
		for _, t := range d.Tags {
			tags = append(tags, string(t))
		}
		return c.out(Post{ID: e.Post, Community: community, Author: e.Author, Title: d.Title, Text: e.Body, Tags: tags,
			Locked: d.Closed || d.Archived, Ups: likes, CreatedAt: p.CreatedAt, EditedAt: e.EditedAt})
	}
	if p.ReplyTo != nil && *p.ReplyTo > 1 {
		if parent := c.numbers[place{p.Topic, *p.ReplyTo}]; parent != 0 {
			e.Parent = fmt.Sprintf("p_%d", parent)
		}
	}
	return c.out(e)
}

// communityName returns a name for a community from the first text that has enough valid characters; "" if none has.
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
		if len(name) >= names.Community.Shortest {
			return name[:min(len(name), names.Community.Longest)]
		}
	}
	return ""
}
