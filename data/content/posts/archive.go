package posts

import (
	"time"

	"plaza/data"
)

const (
	// Open is the condition that a post p is not archived by its age. No row stores that; statements compare the time. The age is a setting
	// of the site (data/site), 180 days by default. Its parameter is :now (data.DatabaseNow).
	Open = `p.created_at >= ` + data.DatabaseNow + ` - coalesce((SELECT s.archive FROM site_settings s WHERE s.id = 1), 15552000000)`
	// StatusNow is the status of a post p, including archived by its age. Parameter as in Open.
	StatusNow = `iif(p.status = 'published' AND NOT ` + Open + `, 'archived', p.status)`
)

// StatusAt returns the post's status at a time, on a site that archives posts of this age.
func (p *Post) StatusAt(now time.Time, age time.Duration) string {
	if p.Status == "published" && !p.CreatedAt.IsZero() && now.Sub(p.CreatedAt) > age {
		return "archived"
	}
	return p.Status
}
