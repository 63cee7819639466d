package posts

import (
	"time"

	"plaza/data"
)

const (
	// Open is a condition: a post p is not archived by its age. No row of a post says that it is; statements compare the time. The age
	// is a setting of the site (data/site), 180 days where there is none. Its parameter is :now (data.DatabaseNow).
	Open = `p.created_at >= ` + data.DatabaseNow + ` - coalesce((SELECT s.archive FROM site_settings s WHERE s.id = 1), 15552000000)`
	// StatusNow is the status of a post p, which is archived by its age as well. Parameter as that of Open.
	StatusNow = `iif(p.status = 'published' AND NOT ` + Open + `, 'archived', p.status)`
)

// StatusAt is the post's status at a moment, on a site that archives posts of an age: archived, if its age makes it so.
func (p *Post) StatusAt(now time.Time, age time.Duration) string {
	if p.Status == "published" && !p.CreatedAt.IsZero() && now.Sub(p.CreatedAt) > age {
		return "archived"
	}
	return p.Status
}
