package votes

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"plaza/data"
	"plaza/data/group"
	"plaza/data/hrana"
	"plaza/data/people"
	"plaza/data/posts"
	"plaza/data/wait"
)

// The statements of one or more votes, in one transaction. ?1 is a JSON array of them,
// ?2 comes before databaseNow; no voter votes twice on one target in it.
const (
	votesGiven = `(SELECT key AS n, json_extract(value, '$[0]') AS target, json_extract(value, '$[1]') AS user, json_extract(value, '$[2]') AS session,
  json_extract(value, '$[3]') AS issued, json_extract(value, '$[4]') AS value, json_extract(value, '$[5]') AS network, json_extract(value, '$[6]') AS referrer,
  json_extract(value, '$[7]') AS asked
  FROM json_each(?1)) b`
	// liveSession of a voter.
	liveVoter = `NOT EXISTS (SELECT 1 FROM revocations r WHERE r.subject IN (b.user, b.session) AND r.before > b.issued)`

	// The statement is a no-op for a vote that stands already, so that it may be sent
	// twice, and for a vote taken back that was never cast. The triggers on votes
	// append what changed to vote_deltas, in the same transaction.
	//
	// A vote that was asked for before the one that stands changes nothing: a transaction
	// that nobody waits for any more may still arrive, after the voter was answered about a
	// later vote.
	castVotes = `INSERT INTO votes (target_id, user_id, value, updated_at, asked_at) SELECT t.id, b.user, b.value, coalesce(?2, ` + data.OldDatabaseNow + `), b.asked FROM ` + votesGiven + ` CROSS JOIN `
	castVote  = ` AND ` + liveVoter + `
  AND (b.value <> 0 OR EXISTS (SELECT 1 FROM votes v WHERE v.target_id = b.target AND v.user_id = b.user))
ON CONFLICT (target_id, user_id) DO UPDATE SET value = excluded.value, asked_at = excluded.asked_at,
  updated_at = iif(value = excluded.value, updated_at, excluded.updated_at)
WHERE asked_at < excluded.asked_at OR asked_at = excluded.asked_at AND value <> excluded.value`
	castVotesOnPosts = castVotes + `posts t ON t.id = b.target WHERE t.status = 'published'` + castVote
	// A lock keeps nobody from voting; there is nothing to vote on where the post is gone.
	castVotesOnComments = castVotes + `comments t ON t.id = b.target CROSS JOIN posts p ON p.id = t.post_id
WHERE t.status = 'published' AND p.status NOT IN ('removed', 'deleted')` + castVote

	// Only of votes that stand. One that stood before has its ballot.
	createBallots = `INSERT INTO ballots (part, target_id, created_at, user_id, value, network, referrer)
SELECT v.updated_at / 43200000, v.target_id, v.updated_at, v.user_id, v.value, b.network, b.referrer
FROM ` + votesGiven + ` CROSS JOIN votes v ON v.target_id = b.target AND v.user_id = b.user
WHERE v.asked_at = b.asked AND v.value = b.value AND v.value <> 0 ON CONFLICT DO NOTHING`

	// The last four columns are what ownVote reads, of each voter.
	voteState = `, t.author_id, ` + liveVoter + `, community_name, slug,
  v.asked_at, t.ups, t.downs, v.value, v.status,
  (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = t.id AND d.user_id = b.user),
  (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = t.id AND d.user_id = b.user) FROM ` + votesGiven
	// What voters moderate: users by primary key, and moderatedNames.
	voterRights = `SELECT u.id, u.admin, ` + people.ModeratedNames + ` FROM json_each(?1) b CROSS JOIN users u ON u.id = b.value`

	voterVote = ` LEFT JOIN votes v ON v.target_id = t.id AND v.user_id = b.user`

	voteStatesOfPosts    = `SELECT b.n, t.status` + voteState + ` CROSS JOIN posts t ON t.id = b.target AND t.status NOT IN ('draft', 'scheduled')` + voterVote
	voteStatesOfComments = `SELECT b.n, iif(p.status IN ('removed', 'deleted'), p.status, t.status)` + voteState + ` CROSS JOIN comments t ON t.id = b.target CROSS JOIN posts p ON p.id = t.post_id` + voterVote
)

// casting is a vote on its way into the database, and what was found out there.
type casting struct {
	data.Actor
	target data.ID
	value  int
	asked  int64 // when, in milliseconds; of one voter's votes on one target the later stays

	stood     int64 // when the vote was asked for that stands now
	there     bool
	live      bool
	status    string
	state     State
	community string // its name
}

// Cast records a member's vote of 1, -1 or 0 (taken back) on a post or comment: one
// transaction on the target's shard, with whatever other votes this instance was just
// given, which also says what the voter sees now. Where the vote came from (a.Origin)
// is kept for as long as finding brigades needs it.
// Invalid, NotFound, Forbidden (removed or deleted, or the post of a comment is) and
// Unauthenticated. Should its voter have been answered about a later vote meanwhile, that
// one stays and is in the state.
func (s *Store) Cast(ctx context.Context, a data.Actor, target data.ID, value int) (State, error) {
	if value < -1 || value > 1 {
		return State{}, data.Mistake("value", "A vote is 1, -1 or 0.")
	}
	shard, err := s.DB.ShardOfID(target)
	if err != nil {
		return State{}, err
	}
	votes, vote := s.group(shard), casting{Actor: a, target: target, value: value, asked: s.Source.Now().UnixMilli()}
	b, err := votes.Do(ctx, vote)
	if err == nil && b.stood > s.Source.Now().UnixMilli() {
		// The vote that stands was given where the clock is ahead. This one is later, for
		// its voter is waiting.
		vote.asked = b.stood + 1
		b, err = votes.Do(ctx, vote)
	}
	if errors.Is(err, wait.Late{}) {
		err = data.UnavailableBecause(err)
	}
	if err != nil {
		return State{}, err
	}
	switch {
	case !b.there:
		return State{}, &data.Error{Code: data.NotFound, Field: "target", Message: "What you voted on is not there."}
	case !b.live:
		return State{}, data.ErrSessionEnded
	case b.status != "published":
		return State{}, &data.Error{Code: data.Forbidden, Field: "target", Message: "Voting here is closed."}
	}
	return b.state, nil
}

func (s *Store) group(shard *hrana.Client) *group.Group[casting] {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groups[shard]
	if g == nil {
		g = &group.Group[casting]{Most: s.Together, Now: s.Source.Now, Sleep: shard.Sleep(),
			Run:   func(ctx context.Context, votes []*casting) error { return s.castAll(ctx, shard, votes) },
			Clash: func(a, b *casting) bool { return a.target == b.target && a.UserID == b.UserID }}
		if s.groups == nil {
			s.groups = map[*hrana.Client]*group.Group[casting]{}
		}
		s.groups[shard] = g
	}
	return g
}

// castAll records votes on one shard, fills in what their voters see, and nudges.
func (s *Store) castAll(ctx context.Context, shard *hrana.Client, votes []*casting) error {
	now := s.Source.OldDatabase()
	var stmts []hrana.Stmt
	var kinds [][]*casting
	for _, comments := range []bool{false, true} {
		var list []*casting
		for _, b := range votes {
			if b.target.IsComment() == comments {
				list = append(list, b)
			}
		}
		if len(list) == 0 {
			continue
		}
		cast, look := castVotesOnPosts, voteStatesOfPosts
		if comments {
			cast, look = castVotesOnComments, voteStatesOfComments
		}
		given := jsonCastings(list)
		stmts = append(stmts, data.OldStmt(cast, given, now), data.OldStmt(createBallots, given), data.OldStmt(look, given))
		kinds = append(kinds, list)
	}
	rights := s.askRights(ctx, shard, votes, &stmts)
	results, err := data.Tx(ctx, shard, stmts...)
	moderated := rights(results)
	if err != nil {
		return err
	}
	for i, list := range kinds {
		if err := data.Each(results[3*i+2], func(r *data.Row) {
			if n := r.Int(); n >= 0 && n < int64(len(list)) {
				list[n].scan(r)
			}
		}); err != nil {
			return err
		}
	}
	if err := scanRights(moderated, votes); err != nil {
		return err
	}
	if s.Nudge != nil {
		var targets []data.ID
		for _, b := range votes {
			if b.there && !slices.Contains(targets, b.target) {
				targets = append(targets, b.target)
			}
		}
		if len(targets) > 0 {
			s.Nudge(ctx, targets)
		}
	}
	return nil
}

// askRights asks the directory what the voters moderate: in the transaction where it is the
// shard, as its last statement, otherwise at the same time. What is returned waits for
// the answer, given the transaction's results. Should the directory not answer, nobody is
// a moderator, which changes no more than the counts they are shown.
func (s *Store) askRights(ctx context.Context, shard *hrana.Client, votes []*casting, stmts *[]hrana.Stmt) func([]hrana.Result) hrana.Result {
	voters := make([]data.ID, len(votes))
	for i, b := range votes {
		voters[i] = b.UserID
	}
	ask := data.OldStmt(voterRights, data.JsonIDs(voters))
	if shard == s.DB.OldDirectory() {
		*stmts = append(*stmts, ask)
		return func(results []hrana.Result) (last hrana.Result) {
			if len(results) > 0 {
				last = results[len(results)-1]
			}
			return last
		}
	}
	answer := make(chan hrana.Result, 1)
	go func() {
		var rights hrana.Result
		if results, err := s.DB.OldDirectory().Query(ctx, ask); err == nil {
			rights = results[0]
		}
		answer <- rights
	}()
	return func([]hrana.Result) hrana.Result { return <-answer }
}

// scanRights fills in who moderates what they voted on.
func scanRights(res hrana.Result, votes []*casting) error {
	return data.Each(res, func(r *data.Row) {
		id, v := r.ID(), people.Viewer{}
		v.ScanRights(r)
		for _, b := range votes {
			if b.UserID == id {
				b.state.Moderated = v.Moderates(b.community)
			}
		}
	})
}

func (b *casting) scan(r *data.Row) {
	b.there = true
	b.status, b.state.AuthorID, b.live = r.Text(), r.ID(), r.Bool()
	post := posts.Post{Community: r.Text(), Slug: r.Text()}
	b.community = post.Community
	if b.state.URL = post.URL(); b.target.IsComment() {
		b.state.URL += "/" + b.target.Text()
	}
	b.stood = r.Int()
	b.state.Ups, b.state.Downs = r.Int(), r.Int()
	mine, ups, downs := data.OwnVote(r)
	b.state.Mine, b.state.Ups, b.state.Downs = mine, b.state.Ups+ups, b.state.Downs+downs
}

// jsonCastings is ?1 of the statements: integers as SQLite reads them exactly, and texts
// that hold host names and networks.
func jsonCastings(votes []*casting) string {
	rows := make([][]any, len(votes))
	for i, b := range votes {
		rows[i] = []any{int64(b.target), int64(b.UserID), int64(b.SessionID), b.IssuedAt.UnixMilli(), b.value, b.Origin.Network, b.Origin.Referrer, b.asked}
	}
	text, _ := json.Marshal(rows) // numbers and valid texts
	return string(text)
}
