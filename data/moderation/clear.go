package moderation

import (
	"context"
	"errors"
	"time"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/events/outbox"
)

const (
	// clearStep is how many posts and comments one transaction removes.
	clearStep = 100
	// clearSteps is how many such transactions one delivery makes.
	clearSteps = 4
)

const (
	// The entry of a lifted ban is not found.
	clearing = `SELECT k.name, l.target_id, l.rule, l.clear_from, l.actor_id, l.actor_name FROM moderation_log l
  CROSS JOIN communities k ON k.id = l.community_id
WHERE l.id = :entry AND l.undone_by IS NULL AND l.clear_from IS NOT NULL`
	// Comments are found by the author's names. A member who changes the name has two until all copies have the new one.
	namesOf = `SELECT username, renaming FROM users WHERE id = :member`

	// Removed posts are not found again. Indexes posts_by and posts_gone.
	postsToClear = `SELECT p.id FROM posts p WHERE p.author_id = :member AND p.author_id IS NOT NULL AND p.status = 'published'
  AND p.created_at BETWEEN :from AND :to
  AND p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = lower(:community)) LIMIT :step`
	heldPostsToClear = `SELECT p.id FROM posts p WHERE p.author_id = :member AND p.status <> 'published' AND p.author_name <> ''
  AND p.status = 'removed' AND p.held = 1
  AND p.created_at BETWEEN :from AND :to AND p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = lower(:community))
  LIMIT :step`
	// Indexes comments_author and comments_held, and primary keys. It also reads the member's comments in other communities in that time.
	commentsToClear = `SELECT c.id FROM comments c CROSS JOIN posts p ON p.id = c.post_id WHERE c.author_name = :name COLLATE NOCASE
  AND c.author_id = :member AND c.author_id IS NOT NULL AND c.status = 'published' AND c.id BETWEEN :first AND :last
  AND p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = lower(:community)) LIMIT :step`
	heldCommentsToClear = `SELECT c.id FROM comments c CROSS JOIN posts p ON p.id = c.post_id WHERE c.author_id = :member AND c.held = 1
  AND c.id BETWEEN :first AND :last AND p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = lower(:community)) LIMIT :step`

	// How many of :entries exist.
	entriesThere = `SELECT count(*) FROM moderation_log WHERE id IN (SELECT value FROM json_each(:entries))`
)

// Clear does the job outbox.JobClear for entries of the log that ban or mute: it removes the member's posts and comments there since the
// entry's clear_from, with the rule and the moderator of the entry. It may be stopped at any point and repeated. It ends when the ban is
// lifted, when the moderator is suspended, and when the community no longer has the rule. rest are entries with more to remove; their
// messages have to be sent again. Unavailable.
func (s *Store) Clear(ctx context.Context, entries []data.ID) (rest []data.ID, err error) {
	for n, entry := range entries {
		if n > 0 { // one for each delivery
			rest = append(rest, entry)
			continue
		}
		more, failed := s.clear(ctx, entry)
		err = errors.Join(err, failed)
		if more {
			rest = append(rest, entry)
		}
	}
	return rest, err
}

// clear is Clear for one entry.
func (s *Store) clear(ctx context.Context, entry data.ID) (more bool, err error) {
	home := data.At(entry)
	var queued int64
	var member data.ID
	d, a := Decision{Act: modlog.Act{Action: modlog.Remove}}, data.Actor{IssuedAt: s.Source.Now()}
	var from time.Time
	w := s.DB.WriteAt(home)
	outbox.Claim(w, s.Source, outbox.JobClear, []data.ID{entry}, func(c outbox.Claimed) { queued = c.QueuedAt })
	w.Find(clearing, data.Args{"entry": entry}, func(row *data.Row) {
		d.Community, member, d.Rule, from, a.UserID, a.Name = row.Text(), row.ID(), row.Text(), row.Time(), row.ID(), row.Text()
	})
	if err := w.Run(ctx); err != nil || queued == 0 {
		return false, err
	}
	names := []string{"", ""}
	r := s.DB.Read()
	r.Find(namesOf, data.Args{"member": member}, func(row *data.Row) { names[0], names[1] = row.Text(), row.Text() })
	if err := r.Run(ctx); err != nil {
		return false, err
	}
	c := cleared{member: member, names: names, community: d.Community, from: from, to: entry.Time()}
	for range clearSteps {
		if member == 0 || names[0] == "" { // it was lifted, or the account is deleted
			break
		}
		removed, err := s.clearSome(ctx, home, a, d, c)
		if err != nil {
			return false, err
		}
		if !removed {
			member = 0
		}
	}
	w = s.DB.WriteAt(home)
	if more = member != 0 && names[0] != ""; more {
		outbox.Requeue(w, s.Source, entry, outbox.JobClear)
	} else {
		outbox.Done(w, entry, outbox.JobClear, queued)
	}
	return more, w.Run(ctx)
}

// cleared selects the items to remove: the posts and comments of a member, in a community, in a span of time.
type cleared struct {
	member    data.ID
	names     []string // the member's present and former name
	community string
	from, to  time.Time
}

func (c cleared) posts() data.Args {
	return data.Args{"member": c.member, "community": c.community, "from": c.from, "to": c.to, "step": clearStep}
}

func (c cleared) comments() data.Args {
	return data.Args{"member": c.member, "community": c.community, "first": data.NewID(c.from, 0, data.KindPost, 0),
		"last": data.NewID(c.to.Add(time.Millisecond), 0, data.KindPost, 0), "step": clearStep}
}

// clearSome removes up to clearStep items, and reports whether it has removed any. If not, none are left or none could be removed.
func (s *Store) clearSome(ctx context.Context, home data.Where, a data.Actor, d Decision, c cleared) (removed bool, err error) {
	var targets []data.ID
	scan := func(row *data.Row) { targets = append(targets, row.ID()) }
	r := s.DB.Read()
	r.FindAt(home, postsToClear, c.posts(), scan)
	r.FindAt(home, heldPostsToClear, c.posts(), scan)
	r.FindAt(home, heldCommentsToClear, c.comments(), scan)
	for _, name := range c.names {
		if name != "" {
			args := c.comments()
			args["name"] = name
			r.FindAt(home, commentsToClear, args, scan)
		}
	}
	if err := r.Run(ctx); err != nil || len(targets) == 0 {
		return false, err
	}
	targets = targets[:min(len(targets), clearStep)]
	w := s.DB.WriteAt(home)
	entries := Gather(w, s.Source, a, d, true, targets...) // the right was checked for the ban
	added := int64(0)
	w.Find(entriesThere, data.Args{"entries": entries}, func(row *data.Row) { added = row.Int() })
	err = w.Run(ctx)
	return err == nil && added > 0, err
}
