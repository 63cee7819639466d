package modlog

import (
	"strings"
	"time"

	"plaza/data"
)

// Line is an entry as it is public: without the note.
type Line struct {
	ID     data.ID
	Action Action
	Rule   string
	Actor  string // "" for a deleted account
	Undone bool
	Until  time.Time // when it expires; the zero time is never
	Member string    // the member of a decision about a role, or of an approval of a newcomer; "" for a deleted account, and for other entries
	// Automatic: an automatic rule decided alone or, in the site's own log, the operator on the command line.
	Automatic bool
	// Post is the post of the entry, or of its comment, and Community the post's. They are empty if the entry is about something else, or
	// about a deleted draft. Slug is also empty if the post's title is not public.
	Post      data.ID
	Community string
	Slug      string
	Comment   data.ID
	// Page is the slug of the community's page that the entry is about, and PageTitle its title; "" if it is deleted or erased.
	Page, PageTitle string
}

// At returns when it was decided.
func (l *Line) At() time.Time { return l.ID.Time() }

const (
	// Index moderation_log_community, in its order, then primary keys.
	communityLog = `SELECT l.id, l.action, l.rule, l.actor_name, l.undone_by IS NOT NULL, l.until, l.actor_id = 0,
  iif(p.held + coalesce(c.held, 0) = 0, p.id, NULL), p.community_name, iif(p.status IN ('published', 'archived'), p.slug, ''), c.id
FROM moderation_log l LEFT JOIN comments c ON c.id = l.target_id LEFT JOIN posts p ON p.id = coalesce(c.post_id, l.target_id)
WHERE l.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) AND l.id < :before ORDER BY l.id DESC LIMIT :limit`
	// A community's entries in the directory: index moderation_log_house, in its order.
	houseLog = `SELECT l.id, l.action, l.rule, l.actor_name, l.undone_by IS NOT NULL, l.until, l.actor_id = 0, NULL,
  (SELECT k.name FROM communities k WHERE k.name_key = :community), NULL, NULL, u.username, g.slug, g.title
FROM moderation_log l LEFT JOIN users u ON u.id = l.target_id LEFT JOIN wiki_pages g ON g.id = l.target_id AND g.deleted_at IS NULL
WHERE l.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) AND l.id < :before
  AND l.action IN ('owner', 'moderator', 'approver', 'dismiss', 'resign', 'settings', 'block-picture', 'unblock-picture',
  'page-new', 'page-edit', 'page-delete', 'page-restore', 'page-erase')
  ORDER BY l.id DESC LIMIT :limit`
	siteLog = `SELECT l.id, l.action, l.rule, l.actor_name, l.undone_by IS NOT NULL, l.until, l.actor_id = 0, NULL, NULL, NULL, NULL,
  iif(l.action IN ('admit', 'claim'), (SELECT u.username FROM users u WHERE u.id = l.target_id), NULL)
FROM moderation_log l WHERE l.community_id = 0 AND l.id < :before ORDER BY l.id DESC LIMIT :limit`
)

// Entry is an entry for the member it is about, and for the moderators.
type Entry struct {
	Line
	Author data.ID // the member it is about
	Note   string  // message to the author
	Title  string  // of its post
	Target data.ID // the post, comment or member
	// Decider is who has decided it; 0 is an automatic rule.
	Decider data.ID
	// Said are the first words of the post or comment, as they are now; "" if they are deleted, and for a member.
	Excerpt string
	// Found is the origin of the matter: Person, Report (by a member), Notice (from outside, without an account) or Rule (an automatic one).
	Found string
	// Reported says whether there were reports before the decision. Reports are deleted after 180 days.
	Reported bool
}

// The origins of a decision.
const (
	Person      = "person"
	Report      = "report"
	LegalNotice = "notice"
	Rule        = "rule"
)

// Suspends reports whether an action keeps a member from logging in.
func (a Action) Suspends() bool { return a == Suspend || a == BanSite || a == Refuse }

// Appealable reports whether the member can appeal against a decision.
func (d *Entry) Appealable() bool {
	return !d.Undone && (d.Action == Remove || d.Action == Ban || d.Action == Mute || d.Action == Suspend || d.Action == BanSite)
}

// Primary keys.
const decision = `SELECT l.id, l.action, l.rule, l.actor_name, l.undone_by IS NOT NULL, l.until, p.id, coalesce(p.community_name, k.name,
  ''), iif(p.status IN ('published', 'archived') OR p.author_id = l.author_id, p.slug, ''), c.id, l.author_id, l.note,
  iif(p.status = 'removed' AND p.author_id IS NOT l.author_id, '[removed by a moderator]', p.title), l.target_id, l.actor_id,
  substr(coalesce(c.body, t.text, ''), 1, 500), l.found, EXISTS (SELECT 1 FROM reports r WHERE r.target_id = l.target_id
  AND r.created_at <= (l.id >> 22) + 1767225600000)
FROM moderation_log l LEFT JOIN comments c ON c.id = l.target_id LEFT JOIN posts p ON p.id = coalesce(c.post_id, l.target_id)
  LEFT JOIN post_texts t ON t.post_id = l.target_id LEFT JOIN communities k ON k.id = l.community_id
WHERE l.id = :id`

// FindEntry reads one entry along with a page. Its ID stays 0 if there is none.
func FindEntry(r *data.Read, db *data.DB, id data.ID) *Entry {
	d := &Entry{}
	scan := func(row *data.Row) {
		d.Line = Line{ID: row.ID(), Action: Action(row.Text()), Rule: row.Text(), Actor: row.Text(), Undone: row.Bool(), Until: row.Time(),
			Post: row.ID(), Community: row.Text(), Slug: row.Text(), Comment: row.ID()}
		d.Author, d.Note, d.Title, d.Target, d.Decider = row.ID(), row.Text(), row.Text(), row.ID(), row.ID()
		d.Excerpt, d.Found, d.Reported = row.Text(), row.Text(), row.Bool()
	}
	r.Find(decision, data.Args{"id": id}, scan) // the site's own are in the directory
	if !db.InDirectory(id) {
		r.FindAt(id, decision, data.Args{"id": id}, scan)
	}
	return d
}

// Index moderation_log_author, in its order, then primary keys.
const aboutMember = `SELECT l.id, l.action, l.rule, l.actor_name, l.undone_by IS NOT NULL, l.until, l.actor_id = 0, p.id, p.community_name,
  p.slug, c.id, l.note
FROM moderation_log l LEFT JOIN comments c ON c.id = l.target_id LEFT JOIN posts p ON p.id = coalesce(c.post_id, l.target_id)
WHERE l.author_id = :member AND l.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) ORDER BY l.id DESC
  LIMIT :limit`

// FindAbout reads the last decisions of a community about a member, their posts and their comments, with the moderators' notes. It reads
// along with a page.
func FindAbout(r *data.Read, community string, member data.ID, limit int) *[]Entry {
	list := &[]Entry{}
	r.FindAt(data.In(community), aboutMember, data.Args{"community": strings.ToLower(community), "member": member, "limit": limit},
		func(row *data.Row) {
			*list = append(*list, Entry{Author: member, Line: Line{ID: row.ID(), Action: Action(row.Text()), Rule: row.Text(), Actor: row.Text(),
				Undone: row.Bool(), Until: row.Time(), Automatic: row.Bool(),
				Post: row.ID(), Community: row.Text(), Slug: row.Text(), Comment: row.ID()}, Note: row.Text()})
		})
	return list
}

// URL returns the address of the post, the comment or the community's page; "" for other entries.
func (l *Line) URL() string {
	if l.Page != "" {
		return "/c/" + l.Community + "/pages/" + l.Page
	}
	if l.Post == 0 {
		return ""
	}
	u := "/p/" + l.Post.Text()
	if l.Slug != "" {
		u = "/c/" + l.Community + "/p/" + l.Slug
	}
	if l.Comment != 0 {
		u += "/" + l.Comment.Text()
	}
	return u
}

// Find reads a page of the entries of a community along with a page, the newest first; "" is the site. All ids are lower than before; 0
// begins with the newest.
func Find(r *data.Read, community string, before data.ID, limit int) *data.Page[Line] {
	p := data.NewPage[Line](0, limit)
	scan := func(row *data.Row) (Line, float64, data.ID) {
		l := Line{ID: row.ID(), Action: Action(row.Text()), Rule: row.Text(), Actor: row.Text(), Undone: row.Bool(), Until: row.Time(),
			Automatic: row.Bool(), Post: row.ID(), Community: row.Text(), Slug: row.Text(), Comment: row.ID()}
		return l, 0, l.ID
	}
	withMember := func(row *data.Row) (Line, float64, data.ID) {
		l, _, id := scan(row)
		l.Member = row.Text()
		return l, 0, id
	}
	if community == "" {
		return p.Find(r, siteLog, data.Args{"before": data.Below(before)}, withMember)
	}
	args := func() data.Args {
		return data.Args{"before": data.Below(before), "community": strings.ToLower(community)}
	}
	// With one database both statements find the same entries.
	p.Find(r, houseLog, args(), func(row *data.Row) (Line, float64, data.ID) {
		l, _, id := withMember(row)
		l.Page, l.PageTitle = row.Text(), row.Text()
		return l, 0, id
	})
	return p.FindAt(r, data.In(community), communityLog, args(), scan)
}
