package exchange

import (
	"encoding/json"
	"time"
)

// lobstersStory is a story in the JSON of Lobsters at /s/ID.json.
type lobstersStory struct {
	ShortID     string            `json:"short_id"`
	CreatedAt   time.Time         `json:"created_at"`
	Title       string            `json:"title"`
	URL         string            `json:"url"`
	Score       int64             `json:"score"`
	Flags       int64             `json:"flags"`
	Description string            `json:"description_plain"` // Markdown; description is HTML
	Submitter   lobstersUser      `json:"submitter_user"`
	Tags        []string          `json:"tags"`
	Comments    []lobstersComment `json:"comments"`
}

type lobstersComment struct {
	ShortID   string       `json:"short_id"`
	CreatedAt time.Time    `json:"created_at"`
	UpdatedAt time.Time    `json:"updated_at"`
	Deleted   bool         `json:"is_deleted"`
	Moderated bool         `json:"is_moderated"`
	Score     int64        `json:"score"`
	Flags     int64        `json:"flags"`
	Parent    *string      `json:"parent_comment"`
	Comment   string       `json:"comment_plain"` // Markdown; comment is HTML
	Indent    int          `json:"indent_level"`  // from 1
	User      lobstersUser `json:"commenting_user"`
}

// lobstersUser is a name or, in earlier versions, an object with one.
type lobstersUser string

func (u *lobstersUser) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, (*string)(u))
	}
	var o struct{ Username string }
	err := json.Unmarshal(text, &o)
	*u = lobstersUser(o.Username)
	return err
}

// lobsters converts a story with its comments.
func (c *Converter) lobsters(text []byte) error {
	var s lobstersStory
	if err := c.unmarshal(text, &s); err != nil {
		return Badf("not a story: %v", err)
	}
	if s.ShortID == "" || s.Title == "" {
		return Badf("a story has a short_id and a title")
	}
	id := "s_" + s.ShortID
	ups, downs := lobstersVotes(s.Score, s.Flags)
	if err := c.out(Post{ID: id, Community: c.Community, Author: string(s.Submitter), Title: s.Title, Text: s.Description, Link: s.URL,
		Tags: s.Tags,
		Ups:  ups, Downs: downs, CreatedAt: s.CreatedAt}); err != nil {
		return err
	}
	var above []string // the last comment of each level
	for _, o := range s.Comments {
		e := Comment{ID: "c_" + o.ShortID, Post: id, Author: string(o.User), Body: o.Comment, CreatedAt: o.CreatedAt}
		e.Ups, e.Downs = lobstersVotes(o.Score, o.Flags)
		if o.UpdatedAt.Sub(o.CreatedAt) > time.Minute { // Lobsters' rule for edited ones
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

// lobstersVotes returns the votes of a score: flags count against it.
func lobstersVotes(score, flags int64) (ups, downs int64) {
	downs = max(flags, -score, 0)
	return max(score+downs, 0), downs
}
