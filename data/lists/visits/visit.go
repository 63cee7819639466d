// Package visits stores which threads a member has opened, and when last, on the shard of the thread. So a thread marks newer comments, and
// listings leave out posts that the member has seen. A visit is written after the response, because the page would otherwise wait for the
// writer's lock.
//
// Begin with Store.Find and Store.Note. docs/inside/lists.md says what a visit is and how lists leave out seen posts.
package visits

import (
	"context"
	"strings"
	"sync"
	"time"

	"plaza/data"
)

// Store stores visits.
type Store struct {
	data.Base

	mu    sync.Mutex
	noted map[visitKey]time.Time // when this instance last noted a visit
}

type visitKey struct{ member, post data.ID }

// notedMax bounds how many visits an instance remembers.
const notedMax = 10_000

const (
	// visitPause is the pause after which a visit ends. Within a visit pages mark the same comments as new, however often they are loaded.
	visitPause = 10 * time.Minute
	// staleAfter is how old the stored time of a visit may be, so that not every page causes a write.
	staleAfter = time.Minute
	// margin is how long the write of a comment may take: the comment has its time before readers can see it.
	margin = 5 * time.Second
	// life is how long a visit is stored.
	life = 90 * 24 * time.Hour
)

// Visit describes a member's visits to a thread.
type Visit struct {
	seen  time.Time // when the last page of the last visit was read; zero for none
	since time.Time // the same for the visit before
}

// Since returns the time after which comments are new to a viewer who opens the thread at now. It is zero on the first visit, when no
// comment is marked.
func (v *Visit) Since(now time.Time) time.Time {
	if now.Sub(v.seen) > visitPause {
		return v.seen
	}
	return v.since
}

// Unique indexes of communities and posts, and the primary key of visits.
const visitOfThread = `SELECT v.seen_at, v.since FROM communities k JOIN posts p ON p.community_id = k.id AND p.slug = :slug
JOIN visits v ON v.user_id = :viewer AND v.post_id = p.id WHERE k.name_key = :community`

// Find reads a member's visits to a thread along with its page.
func (s *Store) Find(r *data.Read, viewer data.ID, community, slug string) *Visit {
	v := &Visit{}
	if viewer != 0 {
		r.FindAt(data.In(community), visitOfThread, data.Args{"viewer": viewer, "community": strings.ToLower(community), "slug": slug},
			func(row *data.Row) {
				if v.seen, v.since = row.Time(), row.Time(); v.since.Equal(onlyMarked) {
					*v = Visit{}
				}
			})
	}
	return v
}

// Seen returns when the member last opened the thread; zero for never.
func (v *Visit) Seen() time.Time { return v.seen }

// Stale reports whether a page of the thread at now has to be recorded.
func (v *Visit) Stale(now time.Time) bool { return now.Sub(v.seen) > staleAfter }

// onlyMarked is the value of since for a post whose thread the member has not opened (Mark).
var onlyMarked = time.UnixMilli(-1)

// Of two concurrent pages, the later time stays.
const noteVisit = `INSERT INTO visits (user_id, post_id, seen_at, since) SELECT :actor, :post, :seen, NULL WHERE ` + data.LiveSession + `
ON CONFLICT (user_id, post_id) DO UPDATE SET since = CASE WHEN since = -1 THEN NULL WHEN excluded.seen_at - seen_at > :together THEN seen_at
  ELSE since END, seen_at = max(seen_at, excluded.seen_at)`

// Note records that the member has seen the thread of a post at a time. A repetition changes nothing. An instance that has tried it within
// staleAfter does not write again: a thread that is loaded many times a minute would take the lock of the one writer each time.
func (s *Store) Note(ctx context.Context, a data.Actor, post data.ID, at time.Time) error {
	if s.tried(visitKey{a.UserID, post}, at) {
		return nil
	}
	w := s.DB.WriteAt(post)
	w.Do(noteVisit, a.Args(data.Args{"post": post, "seen": at.Add(-margin), "together": visitPause}))
	return w.Run(ctx)
}

// tried reports whether a visit was noted within staleAfter before at. If not, it is now.
func (s *Store) tried(visit visitKey, at time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, ok := s.noted[visit]; ok && at.Sub(last) <= staleAfter {
		return true
	}
	if s.noted == nil || len(s.noted) >= notedMax {
		s.noted = map[visitKey]time.Time{}
	}
	s.noted[visit] = at
	return false
}

const (
	markSeen = `INSERT INTO visits (user_id, post_id, seen_at, since) SELECT :actor, :post, :seen, -1
WHERE EXISTS (SELECT 1 FROM posts p WHERE p.id = :post AND p.status = 'published') AND ` + data.LiveSession +
		` ON CONFLICT (user_id, post_id) DO NOTHING`
	isLive = `SELECT ` + data.LiveSession
)

// Mark records that the member has seen a post, but not its thread: for example its link. It ignores unknown posts. Unauthenticated.
func (s *Store) Mark(ctx context.Context, a data.Actor, post data.ID, at time.Time) error {
	w := s.DB.WriteAt(post)
	w.Do(markSeen, a.Args(data.Args{"post": post, "seen": at}))
	live := false
	w.Find(isLive, a.Args(data.Args{}), func(row *data.Row) { live = row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	if !live {
		return data.ErrSessionEnded
	}
	return nil
}

// purgeStep limits the rows of one run.
const purgeStep = 1000

// Index visits_age.
const purgeVisits = `DELETE FROM visits WHERE (user_id, post_id) IN (
  SELECT v.user_id, v.post_id FROM visits v WHERE v.seen_at < ` + data.DatabaseNow + ` - :life
  AND (v.post_id >> 12) & 1023` + data.NotFrozen + `
  ORDER BY v.seen_at LIMIT :step)`

// Purge deletes old visits, up to purgeStep on each shard. The next run continues.
func (s *Store) Purge(ctx context.Context) error {
	return s.DB.WriteAll(ctx, func(w *data.Write) {
		w.Do(purgeVisits, data.Args{"now": s.Source.DatabaseNow(), "life": life, "step": purgeStep})
	})
}
