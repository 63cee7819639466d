package posts

import "plaza/data"

// Status is what becomes of a post that is saved.
type Status int

// A draft is its author's alone; so is a scheduled post, until its time comes.
const (
	Published Status = iota
	Draft
	Scheduled
)

func (s Status) text() string { return [...]string{"published", "draft", "scheduled"}[s] }

// status is the column of a new post.
func (c *Create) status() string {
	if c.Judged.Held != data.NotHeld && c.Status == Published {
		return "removed"
	}
	return c.Status.text()
}

// held is the column of the same name. A draft is judged when it is published. A scheduled post waits for a moderator when its time has
// come, if it would be removed.
func (c *Create) held() int {
	switch {
	case c.Status == Draft:
		return int(data.NotHeld)
	case c.Status == Scheduled:
		return int(min(c.Judged.Held, data.Waits))
	}
	return int(c.Judged.Held)
}

// Unpublished tells whether the post is a draft or scheduled. Then nobody but its author may see it.
func (p *Post) Unpublished() bool { return p.Status == "draft" || p.Status == "scheduled" }

// Unpublished is Post.Unpublished.
func (p *Source) Unpublished() bool { return p.Status == "draft" || p.Status == "scheduled" }

// hiddenFrom tells whether, as far as the member may know, there is no such post.
func (p *Source) hiddenFrom(member data.ID) bool {
	return p.ID == 0 || p.Unpublished() && p.AuthorID != member
}
