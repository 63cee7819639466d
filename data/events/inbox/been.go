package inbox

import "plaza/data"

// Activity describes what a member has done in a community, from its shard.
type Activity struct {
	Wrote    bool // a post or comment in any status, except drafts and scheduled posts
	Reported bool
}

// activity reads the row in reputations, up to a hundred posts and a hundred comments that are not visible, and up to a hundred reports. It
// also reads the last hundred visible comments, because new ones are in reputations only some seconds later. Indexes posts_gone,
// comments_gone, comments_author and reports_reporter.
const activity = `SELECT EXISTS (SELECT 1 FROM reputations s WHERE s.community_id = :community AND s.user_id = :member)
  OR EXISTS (SELECT 1 FROM (SELECT p.community_id, p.status FROM posts p WHERE p.author_id = :member AND p.status <> 'published'
  AND p.author_name <> '' LIMIT 100) x
    WHERE x.community_id = :community AND x.status NOT IN ('draft', 'scheduled'))
  OR EXISTS (SELECT 1 FROM (SELECT c.post_id FROM comments c WHERE c.author_id = :member AND c.status <> 'published' AND c.author_name <> ''
  LIMIT 100) x CROSS JOIN posts p ON p.id = x.post_id WHERE p.community_id = :community)
  OR EXISTS (SELECT 1 FROM (SELECT c.post_id FROM comments c WHERE c.author_name = :name COLLATE NOCASE AND c.author_id IS NOT NULL
  AND c.author_id = :member AND c.status = 'published'
    ORDER BY c.id DESC LIMIT 100) x CROSS JOIN posts p ON p.id = x.post_id WHERE p.community_id = :community),
  EXISTS (SELECT 1 FROM (SELECT r.community_id FROM reports r WHERE r.reporter_id = :member LIMIT 100) x WHERE x.community_id = :community)`

// FindActivity reads, along with a page, what a member has done in a community. where is the community's database, name the member's name.
func FindActivity(r *data.Read, where data.Where, community, member data.ID, name string) *Activity {
	b := &Activity{}
	r.FindAt(where, activity, data.Args{"community": community, "member": member, "name": name},
		func(row *data.Row) { b.Wrote, b.Reported = row.Bool(), row.Bool() })
	return b
}
