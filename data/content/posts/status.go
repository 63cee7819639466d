package posts

import "plaza/data"

// Status is the status that a form gives a post.
type Status int

// Only its author sees a draft, or a scheduled post before its time.
const (
	Published Status = iota
	Draft
	Scheduled
)

func (s Status) text() string { return [...]string{"published", "draft", "scheduled"}[s] }

// status returns the value of the column of the same name.
func (c *Create) status() string {
	if c.Judged.Held != data.NotHeld && c.Status == Published {
		return "removed"
	}
	return c.Status.text()
}

// held returns the value of the column of the same name. A draft is judged when it is published. A scheduled post that a rule would
// remove waits for a moderator when it is due.
func (c *Create) held() int {
	switch {
	case c.Status == Draft:
		return int(data.NotHeld)
	case c.Status == Scheduled:
		return int(min(c.Judged.Held, data.Held))
	}
	return int(c.Judged.Held)
}

// Unpublished reports whether the post is a draft or scheduled. Then only its author may see it.
func (p *Post) Unpublished() bool { return p.Status == "draft" || p.Status == "scheduled" }

// Unpublished is Post.Unpublished.
func (p *Source) Unpublished() bool { return p.Status == "draft" || p.Status == "scheduled" }

// invisibleTo reports whether the member must not learn that the post exists.
func (p *Source) invisibleTo(member data.ID) bool {
	return p.ID == 0 || p.Unpublished() && p.AuthorID != member
}
