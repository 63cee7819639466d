package reputation

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"plaza/data"
)

// StrikesMemory is the period for which moderators see decisions against a member.
const StrikesMemory = 365 * 24 * time.Hour

// Strikes are the numbers of decisions against a member in a community in the past year, 200 at most, without undone ones.
type Strikes struct{ Removals, Mutes, Bans int64 }

// Total returns the number of strikes.
func (s *Strikes) Total() int64 { return s.Removals + s.Mutes + s.Bans }

// Unique index on name_key, index moderation_log_author from its end.
const strikesOf = `SELECT coalesce(sum(x.action = 'remove'), 0), coalesce(sum(x.action = 'mute'), 0), coalesce(sum(x.action = 'ban'), 0)
  FROM (SELECT l.action FROM moderation_log l
WHERE l.author_id = :member AND l.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) AND l.id > :since
  AND l.action IN ('remove', 'mute', 'ban') AND l.undone_by IS NULL ORDER BY l.id DESC LIMIT 200) x`

// FindStrikes reads the strikes of a member along with a page.
func FindStrikes(r *data.Read, source data.Source, community string, member data.ID) *Strikes {
	s := &Strikes{}
	r.FindAt(data.In(community), strikesOf, data.Args{"member": member, "community": strings.ToLower(community),
		"since": data.NewID(source.Now().Add(-StrikesMemory), 0, data.KindOther, 0)},
		func(row *data.Row) { s.Removals, s.Mutes, s.Bans = row.Int(), row.Int(), row.Int() })
	return s
}

// Written is a post or comment of a member.
type Written struct {
	Community, Slug string
	Title           string  // of the post
	Comment         data.ID // 0 for a post
	Excerpt         string  // the beginning of a comment
	At              time.Time
}

// URL returns its address.
func (w *Written) URL() string {
	u := "/c/" + w.Community + "/p/" + w.Slug
	if w.Comment != 0 {
		u += "/" + w.Comment.Text()
	}
	return u
}

const (
	// Of the member's last hundred posts and comments on the shard, those in the community. Indexes posts_by and comments_author, in their
	// orders, then primary keys.
	postsHere = `SELECT x.community_name, x.slug, x.title, NULL, '', x.created_at FROM (SELECT p.community_id, p.community_name, p.slug,
  p.title, p.created_at FROM posts p
  WHERE p.author_id = :member AND p.author_id IS NOT NULL AND p.status = 'published' ORDER BY p.created_at DESC LIMIT 100) x
WHERE x.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) LIMIT :limit`
	commentsHere = `SELECT p.community_name, p.slug, p.title, x.id, x.said, x.created_at FROM (SELECT c.id, c.post_id, substr(c.body, 1,
  300) AS said, c.created_at FROM comments c
  WHERE c.author_name = :name COLLATE NOCASE AND c.author_id IS NOT NULL AND c.author_id = :member AND c.status = 'published'
  ORDER BY c.id DESC LIMIT 100) x CROSS JOIN posts p ON p.id = x.post_id
WHERE p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) AND p.status IN ('published', 'archived')
  LIMIT :limit`
)

// FindWritten reads along with a page up to limit visible posts and comments of a member in a community, the newest first. Comments are
// found by the member's name.
func FindWritten(r *data.Read, community string, member data.ID, name string, limit int) *[]Written {
	list, home, args := &[]Written{}, data.In(community), data.Args{"member": member, "community": strings.ToLower(community),
		"limit": limit}
	scan := func(row *data.Row) {
		*list = append(*list, Written{Community: row.Text(), Slug: row.Text(), Title: row.Text(), Comment: row.ID(), Excerpt: row.Text(),
			At: row.Time()})
	}
	r.FindAt(home, postsHere, args, scan)
	r.FindAt(home, commentsHere, data.Args{"member": member, "community": args["community"], "limit": limit, "name": name}, scan)
	r.After(func() {
		slices.SortFunc(*list, func(a, b Written) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Comment, a.Comment)) })
		*list = (*list)[:min(len(*list), limit)]
	})
	return list
}
