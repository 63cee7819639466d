package timelines

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"plaza/data"
	"plaza/data/events/outbox"
)

const (
	// membersMax is how many members one call of Backfill or Rebuild serves.
	membersMax = 3
	// backfillStep is from how many new followees one call of Backfill reads posts, for each member.
	backfillStep = 25
	// rebuildStep is how many followees' posts one statement merges.
	rebuildStep = 500
	// rebuildSteps limits the followees in a rebuilt timeline: the 5,000 with the lowest ids.
	rebuildSteps = 10
)

// Backfill does the job outbox.JobBackfill for members: it writes the newest posts of new followees into their timelines. rest are members
// who did not fit into this call, or who have more new followees; their messages are sent again. Unavailable.
func (s *Store) Backfill(ctx context.Context, members []data.ID) (rest []data.ID, err error) {
	return s.each(ctx, outbox.JobBackfill, members, s.backfill)
}

// Rebuild does the job outbox.JobRebuild for members: it writes the newest posts of all their followees into their timelines. rest are
// members who did not fit into this call; their messages are sent again. Unavailable.
func (s *Store) Rebuild(ctx context.Context, members []data.ID) (rest []data.ID, err error) {
	return s.each(ctx, outbox.JobRebuild, members, s.rebuild)
}

// each claims the jobs of members and does them. do does the job of one member, and reports whether there is more to do.
func (s *Store) each(ctx context.Context, job outbox.Job, members []data.ID, do func(context.Context, data.ID) (bool,
	error)) (rest []data.ID, err error) {
	if len(members) > membersMax {
		members, rest = members[:membersMax], members[membersMax:]
	}
	var claimed []outbox.Claimed
	w := s.DB.Write()
	outbox.Claim(w, s.Source, job, members, func(c outbox.Claimed) { claimed = append(claimed, c) })
	if err := w.Run(ctx); err != nil {
		return rest, err
	}
	for _, c := range claimed {
		more, failed := do(ctx, c.Subject)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		w := s.DB.Write()
		if more {
			outbox.Requeue(w, s.Source, c.Subject, job)
			rest = append(rest, c.Subject)
		} else {
			outbox.Done(w, c.Subject, job, c.QueuedAt)
		}
		err = errors.Join(err, w.Run(ctx))
	}
	return rest, err
}

const (
	// Index follows_backfill.
	backfillOf = `SELECT f.followee_id, f.created_at FROM follows f WHERE f.follower_id = :member AND f.backfill = 1 LIMIT :step`
	// Index posts_by, in its order.
	newestOf = `SELECT p.created_at, p.id, p.author_id FROM posts p
  WHERE p.author_id = :author AND p.status = 'published'
  ORDER BY p.created_at DESC, p.id DESC LIMIT :limit`
	// :follows is a JSON array of followees and when each follow began: a follow that was ended and begun again meanwhile stays due.
	backfilledOf = `UPDATE follows SET backfill = 0, on_read = 0 WHERE follower_id = :member AND backfill = 1
AND (followee_id, created_at) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:follows))`
)

// backfill is Backfill for one member.
func (s *Store) backfill(ctx context.Context, member data.ID) (more bool, err error) {
	var authors []data.ID
	var follows [][2]int64
	r := s.DB.Read()
	r.Find(backfillOf, data.Args{"member": member, "step": backfillStep}, func(row *data.Row) {
		author, begun := row.ID(), row.Int()
		authors, follows = append(authors, author), append(follows, [2]int64{int64(author), begun})
	})
	if err := r.Run(ctx); err != nil || len(authors) == 0 {
		return false, err
	}
	var entries []entry
	r = s.DB.Read()
	for _, author := range authors {
		found := &newest{limit: Backfilled}
		r.FindAll(newestOf, data.Args{"author": author, "limit": Backfilled}, found.scan)
		r.After(func() { entries = append(entries, found.entries()...) })
	}
	if err := r.Run(ctx); err != nil {
		return false, err
	}
	pairs, _ := json.Marshal(follows) // encoding integers can't fail
	w := s.DB.Write()
	w.Do(addEntries, data.Args{"member": member, "entries": jsonEntries(entries)})
	w.Do(backfilledOf, data.Args{"member": member, "follows": string(pairs)})
	s.trim(w, member)
	return len(authors) == backfillStep, w.Run(ctx)
}

// Primary key of follows, in its order. Followees above the fan-out threshold are merged when the timeline is read.
const onWriteFollowees = `SELECT f.followee_id FROM follows f WHERE f.follower_id = :member AND f.followee_id > :after AND f.on_read = 0
  ORDER BY f.followee_id LIMIT :step`

// newestOfAll are the newest posts of :authors, a JSON array, merged as in listings.homeMerged: the queue of the recursion has the next
// post of each author, and each step removes the newest. Index posts_by.
const newestOfAll = `WITH RECURSIVE heads (author, at, id) AS MATERIALIZED (
  SELECT j.value, p.created_at, p.id FROM json_each(:authors) j CROSS JOIN posts p ON p.id = (
    SELECT f.id FROM posts f WHERE f.author_id = j.value AND f.status = 'published'
    ORDER BY f.created_at DESC, f.id DESC LIMIT 1)),
merged (author, at, id) AS (
  SELECT h.author, h.at, h.id FROM heads h
  UNION ALL
  SELECT g.author, p.created_at, p.id FROM merged g CROSS JOIN posts p ON p.id = (
    SELECT f.id FROM posts f WHERE f.author_id = g.author AND f.status = 'published' AND (f.created_at, f.id) < (g.at, +g.id COLLATE BINARY)
    ORDER BY f.created_at DESC, f.id DESC LIMIT 1)
  ORDER BY 2 DESC, 3 DESC LIMIT :limit)
SELECT at, id, author FROM merged`

// rebuild is Rebuild for one member.
func (s *Store) rebuild(ctx context.Context, member data.ID) (more bool, err error) {
	after := data.ID(0)
	for range rebuildSteps {
		var authors []data.ID
		r := s.DB.Read()
		r.Find(onWriteFollowees, data.Args{"member": member, "after": after, "step": rebuildStep},
			func(row *data.Row) { authors = append(authors, row.ID()) })
		if err := r.Run(ctx); err != nil || len(authors) == 0 {
			return false, err
		}
		after = authors[len(authors)-1]
		found := &newest{limit: EntriesMax}
		r = s.DB.Read()
		r.FindAll(newestOfAll, data.Args{"authors": authors, "limit": EntriesMax}, found.scan)
		if err := r.Run(ctx); err != nil {
			return false, err
		}
		w := s.DB.Write()
		w.Do(addEntries, data.Args{"member": member, "entries": jsonEntries(found.entries())})
		s.trim(w, member)
		if err := w.Run(ctx); err != nil || len(authors) < rebuildStep {
			return false, err
		}
	}
	return false, nil
}

// trim deletes the oldest entries of a timeline that has more than Kept.
func (s *Store) trim(w *data.Write, member data.ID) {
	w.Do(trimTimelines, data.Args{"members": []data.ID{member}, "kept": EntriesMax})
}

// newest collects entries from several shards; entries returns the newest.
type newest struct {
	limit int
	list  []entry
}

func compareEntries(a, b entry) int {
	return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.post, a.post))
}

func (n *newest) scan(row *data.Row) {
	if e := (entry{at: row.Int(), post: row.ID(), author: row.ID()}); row.InOwnShard(e.post) {
		n.list = append(n.list, e)
	}
}

func (n *newest) entries() []entry {
	slices.SortFunc(n.list, compareEntries)
	return n.list[:min(len(n.list), n.limit)]
}

// jsonEntries returns the argument :entries.
func jsonEntries(list []entry) string {
	rows := make([][3]int64, len(list))
	for i, e := range list {
		rows[i] = [3]int64{e.at, int64(e.post), int64(e.author)}
	}
	text, _ := json.Marshal(rows) // encoding integers can't fail
	return string(text)
}
