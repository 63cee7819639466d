package data

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"plaza/data/hrana"
)

// Quarantine is a case for moderators: votes that were taken out of the counters of a
// post or comment because they look like a brigade's.
type Quarantine struct {
	ID        ID
	Target    ID
	Direction int // 1 or -1
	Votes     int64
	Evidence  Evidence
	Status    string // open, released or dropped
	CreatedAt time.Time
	DecidedAt time.Time // zero while open
	DecidedBy string
	Post      Post   // its address and title alone
	Author    string // of the target
	Score     int64  // of the target, without the votes in quarantine
}

const (
	quarantineColumns = `SELECT q.id, q.target_id, q.direction, q.votes, q.evidence, q.status, q.created_at, q.decided_at, q.decided_name,
  p.community_name, p.slug, p.title, coalesce(c.author_name, p.author_name), coalesce(c.score, p.score)
FROM quarantines q LEFT JOIN comments c ON c.id = q.target_id LEFT JOIN posts p ON p.id = coalesce(c.post_id, q.target_id)
WHERE q.community_id = (SELECT id FROM communities WHERE name_key = ?1) AND q.status `
	// Indexes quarantines_waiting and quarantines_decided, in their order.
	openQuarantines    = quarantineColumns + `= 'open' AND q.id < ?2 ORDER BY q.id DESC LIMIT ?3`
	decidedQuarantines = quarantineColumns + `<> 'open' AND q.id < ?2 ORDER BY q.id DESC LIMIT ?3`
)

// FindQuarantines reads the cases of a community along with a page, newest first: up
// to limit that are open, or that are decided; older than before (0: from the newest).
func (s *VoteStore) FindQuarantines(r *Read, shard *hrana.Client, community string, open bool, before ID, limit int) *[]Quarantine {
	list := &[]Quarantine{}
	query := decidedQuarantines
	if open {
		query = openQuarantines
	}
	if before == 0 {
		before = 1<<63 - 1
	}
	r.add(shard, stmt(query, strings.ToLower(community), before, limit), func(res hrana.Result) error {
		return each(res, func(row *row) {
			q := Quarantine{ID: row.id(), Target: row.id(), Direction: int(row.int()), Votes: row.int()}
			if err := json.Unmarshal([]byte(row.text()), &q.Evidence); err != nil && row.err == nil {
				row.err = err
			}
			q.Status, q.CreatedAt = row.text(), millis(row.int())
			if ms := row.int(); ms != 0 {
				q.DecidedAt = millis(ms)
			}
			q.DecidedBy = row.text()
			q.Post.Community, q.Post.Slug, q.Post.Title = row.text(), row.text(), row.text()
			q.Author, q.Score = row.text(), row.int()
			*list = append(*list, q)
		})
	})
	return list
}

// A Decision is what becomes of the votes of a quarantine.
type Decision string

// The decisions: votes count again, as if nothing had been, or never.
const (
	Release Decision = "release"
	Drop    Decision = "drop"
)

const (
	// ?4 is a community's key and ?5 holds when the directory, being another database,
	// has been asked already.
	moderates = `(?5 OR EXISTS (SELECT 1 FROM communities k JOIN moderators m ON m.community_id = k.id WHERE k.name_key = ?4 AND m.user_id = ?1)
  OR EXISTS (SELECT 1 FROM users u WHERE u.id = ?1 AND u.admin = 1 AND u.status = 'active'))`
	mayModerate = `SELECT ` + moderates + `, ` + liveSession
	// Primary keys; the case only while it is open, so that the second time does nothing.
	thisCase    = ` q.id = ?6 AND q.community_id = (SELECT id FROM communities WHERE name_key = ?4)`
	decideVotes = `UPDATE votes SET status = ?7 WHERE status = 1 AND (target_id, user_id) IN (
  SELECT q.target_id, m.user_id FROM quarantines q CROSS JOIN quarantined_votes m ON m.quarantine_id = q.id
  WHERE` + thisCase + ` AND q.status = 'open') AND ` + liveSession + ` AND ` + moderates
	decideCase = `UPDATE quarantines AS q SET status = ?7, decided_at = ?8, decided_by = ?1, decided_name = ?9
WHERE` + thisCase + ` AND q.status = 'open' AND ` + liveSession + ` AND ` + moderates
	decidedCase = `SELECT q.target_id, q.status FROM quarantines q WHERE` + thisCase
)

// DecideQuarantine releases or drops the votes of a case of a community and returns
// the target, which is to be folded then. Who was first has decided; the same again
// changes nothing. Invalid, Unauthenticated, Forbidden (who neither moderates the
// community nor administrates the site), NotFound and Conflict (decided otherwise).
func (s *VoteStore) DecideQuarantine(ctx context.Context, a Actor, community string, id ID, d Decision) (ID, error) {
	status, vote := "released", 0
	switch d {
	case Release:
	case Drop:
		status, vote = "dropped", 2
	default:
		return 0, invalid("decision", "A decision is to release or to drop.")
	}
	shard, err := s.DB.ShardOf(ctx, community)
	if err != nil {
		return 0, err
	}
	key := strings.ToLower(community)
	asked := shard != s.DB.directory
	if asked {
		results, err := tx(ctx, s.DB.directory, stmt(mayModerate, a.args(key, false)...))
		if err != nil {
			return 0, err
		}
		if err := allowed(results[0]); err != nil {
			return 0, err
		}
	}
	results, err := tx(ctx, shard,
		stmt(decideVotes, a.args(key, asked, id, vote)...),
		stmt(decideCase, a.args(key, asked, id, status, s.Source.Now().UnixMilli(), a.Name)...),
		stmt(mayModerate, a.args(key, asked)...), stmt(decidedCase, a.args(key, asked, id)...))
	if err != nil {
		return 0, err
	}
	if err := allowed(results[2]); err != nil {
		return 0, err
	}
	if len(results[3].Rows) == 0 {
		return 0, &Error{Code: NotFound, Message: "There is no such case in this community."}
	}
	var target ID
	var is string
	if err := each(results[3], func(r *row) { target, is = r.id(), r.text() }); err != nil {
		return 0, err
	}
	if is != status {
		return 0, &Error{Code: Conflict, Message: "Another moderator was faster: these votes were " + is + " already."}
	}
	return target, nil
}

var (
	errNotModerator = &Error{Code: Forbidden, Message: "That is for the moderators of this community."}
	errNotAdmin     = &Error{Code: Forbidden, Message: "That is for the administrators of this site."}
)

// allowed reads a row of mayModerate.
func allowed(res hrana.Result) error { return admitted(res, errNotModerator) }

// admitted reads whether somebody may do something and whether their session stands;
// refused is the error of those who may not.
func admitted(res hrana.Result, refused error) error {
	var may, live bool
	err := each(res, func(r *row) { may, live = r.bool(), r.bool() })
	switch {
	case err != nil:
		return err
	case !live:
		return errSessionEnded
	case !may:
		return refused
	}
	return nil
}

// FindModerates reads along with a page whether a member moderates a community.
func (s *CommunityStore) FindModerates(r *Read, a Actor, community string) *bool {
	may := new(bool)
	r.add(s.DB.directory, stmt(mayModerate, a.args(strings.ToLower(community), false)...), func(res hrana.Result) error {
		return each(res, func(row *row) { *may = row.bool() })
	})
	return may
}
