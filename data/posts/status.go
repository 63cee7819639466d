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
	if c.Held && c.Status == Published {
		return "removed"
	}
	return c.Status.text()
}

// held is the column of the same name. A draft is judged when it is published.
func (c *Create) held() bool { return c.Held && c.Status != Draft }

// Unpublished tells whether the post is a draft or scheduled. Then nobody but its author may see it.
func (p *Post) Unpublished() bool { return p.Status == "draft" || p.Status == "scheduled" }

// Unpublished is Post.Unpublished.
func (p *Source) Unpublished() bool { return p.Status == "draft" || p.Status == "scheduled" }

// hiddenFrom tells whether, as far as the member may know, there is no such post.
func (p *Source) hiddenFrom(member data.ID) bool {
	return p.ID == 0 || p.Unpublished() && p.AuthorID != member
}
