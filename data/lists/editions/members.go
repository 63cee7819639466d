package editions

import (
	"context"
	"encoding/json"
	"time"

	"plaza/data"
)

// Limits of the job that makes members' editions. A step is one transaction: it reads at most 246 rows for each member, 18 for each source
// and 10 for each lead, and most members have far less.
const (
	memberStep  = 200
	memberSteps = 5 // of a run
	// sourceStep is how many sources a step reads that no step before it in the run has read.
	sourceStep = 500
	// perSource is how many posts a source offers: as many as an edition may have of one community.
	perSource = (pageSize + leastParts - 1) / leastParts

	// seenWithin is how long ago a member may have been here last.
	seenWithin = 7 * dayLength
	// memberLife is how long members' editions are stored.
	memberLife = 30 * dayLength
	// purgeStep limits the rows of one transaction, and purgeSteps the transactions of a run.
	purgeStep  = 1000
	purgeSteps = 10
)

const (
	// A source is where posts of a member's edition come from, as a letter and an id or name: one of their communities (c), a member (u) or a
	// tag (t) that they follow. Primary keys by prefix: at most 100 communities, of which :number shuffles up to 50, 20 members and 20 tags.
	sourcesOf = `SELECT json_group_array(x.source) FROM (
  SELECT 'c' || c.community_id AS source FROM (SELECT o.community_id FROM (
      SELECT s.community_id FROM subscriptions s WHERE s.user_id = u.id LIMIT 100) o
    ORDER BY ((o.community_id % 1000003) * :number) % 1000003 LIMIT 50) c
  UNION ALL SELECT 'u' || f.followee_id FROM (SELECT g.followee_id FROM follows g WHERE g.follower_id = u.id LIMIT 20) f
  UNION ALL SELECT 't' || t.name FROM (SELECT g.name FROM tag_follows g WHERE g.user_id = u.id LIMIT 20) t) x`

	// The posts of the member's last five editions. They cover the time that recent posts are from (Schedule.window).
	takenBy = `SELECT json_group_array(j.value) FROM (
  SELECT m.posts FROM member_editions m WHERE m.user_id = u.id ORDER BY m.number DESC LIMIT 5) r CROSS JOIN json_each(r.posts) j`

	// Members from where the last step ended, in the order of users_seen. A member who comes back is read a second time, without sources,
	// because they have their edition.
	nextMembers = `SELECT u.id, u.seen_at,
  iif(EXISTS (SELECT 1 FROM member_editions h WHERE h.user_id = u.id AND h.number = :number), '[]', (` + sourcesOf + `)), (` + takenBy + `)
FROM users u WHERE (u.seen_at, u.id) > (SELECT e.members_seen, e.members_last FROM editions e WHERE e.number = :number)
ORDER BY u.seen_at, u.id LIMIT :members`

	// The posts of sources since a time: the hottest of a community (posts_hot), the newest of a member (posts_by) and of a tag (post_tags).
	offeredBy       = offered + `, j.value FROM json_each(:sources) j`
	communityOffers = offeredBy + ` CROSS JOIN posts p ON p.id IN (SELECT n.id FROM posts n
  WHERE n.community_id = substr(j.value, 2) + 0 AND n.status = 'published' ORDER BY n.hot DESC LIMIT :each)` + presentable +
		` AND p.created_at > :since`
	memberOffers = offeredBy + ` CROSS JOIN posts p ON p.id IN (SELECT n.id FROM posts n WHERE n.author_id = substr(j.value, 2) + 0
  AND n.author_id IS NOT NULL AND n.status = 'published' AND n.created_at > :since ORDER BY n.created_at DESC LIMIT :each)` + presentable
	tagOffers = offeredBy + ` CROSS JOIN tag_keys k ON k.name = substr(j.value, 2)
CROSS JOIN posts p ON p.id IN (SELECT n.post_id FROM post_tags n
  WHERE n.key_id = k.id AND n.created_at > :since ORDER BY n.created_at DESC, n.post_id DESC LIMIT :each)` + presentable

	// Nothing is stored for an account that was deleted meanwhile.
	insertOwn = `INSERT INTO member_editions (user_id, number, posts, quote)
SELECT u.id, :number, j.value ->> 1, nullif(j.value ->> 2, 0) FROM json_each(:rows) j CROSS JOIN users u ON u.id = j.value ->> 0
WHERE u.username <> '' ON CONFLICT DO NOTHING`
	advance = `UPDATE editions SET members_seen = :seen, members_last = :last
WHERE number = :number AND (members_seen, members_last) < (:seen, :last)`

	// Index member_editions_age.
	purgeOwn = `DELETE FROM member_editions WHERE (user_id, number) IN (
  SELECT m.user_id, m.number FROM member_editions m WHERE m.number < :oldest ORDER BY m.number LIMIT :step)`
)

// offersOf are the statements that read the posts of sources, by the letter of a source.
var offersOf = map[byte]string{'c': communityOffers, 'u': memberOffers, 't': tagOffers}

// reader is a member whose edition a step makes.
type reader struct {
	id      data.ID
	seenAt  time.Time
	sources []string
	taken   []data.ID // posts of their editions before
}

// MakeForMembers makes editions beside the site's last one, for members who were here within a week of it or come later, some at a time.
// The next run continues. A job calls it every few minutes; two runs at a time do no harm. Unavailable.
func (s *Store) MakeForMembers(ctx context.Context, schedule Schedule) error {
	due := schedule.Last(s.Source.Now())
	if due == 0 {
		return nil
	}
	pool := map[string][]hotCandidate{}
	for range memberSteps {
		if more, err := s.makeForSome(ctx, due, schedule.Time(due).Add(-schedule.window()), pool); err != nil || !more {
			return err
		}
	}
	return nil
}

// Purge deletes members' editions that are older than memberLife, some at a time. The next run continues. Unavailable.
func (s *Store) Purge(ctx context.Context) error {
	oldest := numberOf(s.Source.Now().Add(-memberLife).Truncate(dayLength), 0)
	return s.DB.Steps(ctx, purgeSteps, func(w *data.Write) func() bool {
		purged := w.Do(purgeOwn, data.Args{"oldest": int64(oldest), "step": purgeStep})
		return func() bool { return purged.Rows == purgeStep }
	})
}

// makeForSome is a step of MakeForMembers. pool has the posts of the sources that the run has read. more reports whether a step is left.
func (s *Store) makeForSome(ctx context.Context, number Number, since time.Time, pool map[string][]hotCandidate) (more bool, err error) {
	var list []reader
	r := s.DB.Read()
	r.Find(nextMembers, data.Args{"number": int64(number), "members": memberStep}, func(row *data.Row) {
		m := reader{id: row.ID(), seenAt: row.Time()}
		row.Fail(json.Unmarshal([]byte(row.Text()), &m.sources))
		row.Fail(json.Unmarshal([]byte(row.Text()), &m.taken))
		list = append(list, m)
	})
	if err := r.Run(ctx); err != nil || len(list) == 0 {
		return false, err
	}
	read := len(list)
	if list, err = s.findOffers(ctx, list, since, pool); err != nil {
		return false, err
	}
	chosen, leads := make([][]candidate, len(list)), []data.ID{}
	for i, m := range list {
		if chosen[i] = chooseFor(m, pool); len(chosen[i]) > 0 {
			leads = append(leads, chosen[i][0].id)
		}
	}
	quotes, err := s.findQuotes(ctx, leads)
	if err != nil {
		return false, err
	}
	rows := [][3]any{}
	for i, m := range list {
		if len(chosen[i]) > 0 {
			rows = append(rows, [3]any{int64(m.id), data.JSONIDs(idsOf(chosen[i])), int64(quotes[chosen[i][0].id])})
		}
	}
	text, _ := json.Marshal(rows) // encoding texts and integers can't fail
	last := list[len(list)-1]
	w := s.DB.Write()
	w.Do(insertOwn, data.Args{"number": int64(number), "rows": string(text)})
	w.Do(advance, data.Args{"number": int64(number), "seen": last.seenAt, "last": last.id})
	return read == memberStep || len(list) < read, w.Run(ctx)
}

// findOffers reads the posts of sources that are not in the pool yet. It returns the members whose sources are in the pool now: all, or
// those before the step has read enough.
func (s *Store) findOffers(ctx context.Context, list []reader, since time.Time, pool map[string][]hotCandidate) ([]reader, error) {
	missing, n := map[byte][]string{}, 0
	for i, m := range list {
		if n >= sourceStep {
			list = list[:i]
			break
		}
		for _, source := range m.sources {
			if _, known := pool[source]; !known {
				pool[source], n = nil, n+1
				missing[source[0]] = append(missing[source[0]], source)
			}
		}
	}
	r := s.DB.Read()
	for kind, sources := range missing {
		r.FindAll(offersOf[kind], data.Args{"sources": sources, "since": since, "each": perSource}, func(row *data.Row) {
			if c, own := scanCandidate(row); own {
				source := row.Text()
				pool[source] = append(pool[source], c)
			}
		})
	}
	return list, r.Run(ctx)
}

// chooseFor chooses the posts of a member's edition; none if there are too few.
func chooseFor(m reader, pool map[string][]hotCandidate) []candidate {
	taken := map[data.ID]bool{}
	for _, id := range m.taken {
		taken[id] = true
	}
	var offers []hotCandidate
	for _, source := range m.sources {
		for _, c := range pool[source] {
			if !taken[c.id] { // before, or from another source
				taken[c.id] = true
				offers = append(offers, c)
			}
		}
	}
	chosen := choose(sorted(offers), nil, time.Time{})
	if len(chosen) < fewest {
		return nil
	}
	lead(chosen, nil)
	return chosen
}
