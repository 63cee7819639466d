package votes

import (
	"context"
	"encoding/json"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/posts"
	"plaza/data/rights/bans"
)

// The statements that record votes. :votes is a JSON array of them (encodeVotes), with at most one vote of a member on a target.
var (
	voteRows = `(SELECT key AS n, value->>'target' AS target, value->>'user' AS user, value->>'session' AS session, value->>'issued' AS issued,
  value->>'value' AS value, value->>'network' AS network, value->>'referrer' AS referrer, value->>'asked' AS asked
  FROM json_each(:votes)) g`
	// data.LiveSession for the voter of each vote.
	liveVoter = `NOT EXISTS (SELECT 1 FROM revocations r WHERE r.subject IN (g.user, g.session) AND r.before > g.issued)`

	castVotesOnPosts = castVotes + `posts t ON t.id = g.target CROSS JOIN posts p ON p.id = t.id WHERE t.status = 'published' AND ` +
		posts.Open + ` AND NOT ` + bans.VoterBanned("p.community_id") + castVote
	// A comment in a locked thread can be voted on. A comment on a removed, deleted or archived post can't.
	castVotesOnComments = castVotes + `comments t ON t.id = g.target CROSS JOIN posts p ON p.id = t.post_id
WHERE t.status = 'published' AND p.status NOT IN ('removed', 'deleted', 'archived') AND ` + posts.Open + ` AND NOT ` +
		bans.VoterBanned("p.community_id") + castVote
	// It does nothing for a vote that is stored already, so that it may be sent twice, nor for withdrawing a vote that was never cast.
	//
	// It also does nothing for a vote that was cast before the stored one: a delayed transaction may arrive after the voter has the response
	// to a later vote.
	castVotes = `INSERT INTO votes (target_id, user_id, value, updated_at, asked_at)
SELECT t.id, g.user, g.value, ` + data.DatabaseNow + `, g.asked FROM ` + voteRows + ` CROSS JOIN `
	castVote = ` AND ` + liveVoter + `
  AND (g.value <> 0 OR EXISTS (SELECT 1 FROM votes v WHERE v.target_id = g.target AND v.user_id = g.user))
ON CONFLICT (target_id, user_id) DO UPDATE SET value = excluded.value, asked_at = excluded.asked_at,
  updated_at = iif(value = excluded.value, updated_at, excluded.updated_at)
WHERE asked_at < excluded.asked_at OR asked_at = excluded.asked_at AND value <> excluded.value`

	// Only for votes that were just stored. A vote that was stored before has its origin already.
	createOrigins = `INSERT INTO vote_origins (part, target_id, created_at, user_id, value, network, referrer)
SELECT v.updated_at / ` + originPartSQL + `, v.target_id, v.updated_at, v.user_id, v.value, g.network, g.referrer
FROM ` + voteRows + ` CROSS JOIN votes v ON v.target_id = g.target AND v.user_id = g.user
WHERE v.asked_at = g.asked AND v.value = g.value AND v.value <> 0 ON CONFLICT DO NOTHING`

	statesOnPosts = `SELECT g.n, ` + posts.StatusNow + voteState + ` CROSS JOIN posts t ON t.id = g.target
  AND t.status NOT IN ('draft', 'scheduled') CROSS JOIN posts p ON p.id = t.id` + voterVote
	statesOnComments = `SELECT g.n, iif(` + posts.StatusNow + ` IN ('removed', 'deleted', 'archived'), ` + posts.StatusNow + `, t.status)` +
		voteState + `
CROSS JOIN comments t ON t.id = g.target CROSS JOIN posts p ON p.id = t.post_id` + voterVote
	// data.OwnVote reads the last four columns, for each voter. Primary keys.
	voteState = `, ` + bans.VoterMine("p.community_id") + `, ` + liveVoter +
		`, p.community_name, p.slug, v.asked_at, t.ups, t.downs, v.value, v.status,
  (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = t.id AND d.user_id = g.user),
  (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = t.id AND d.user_id = g.user) FROM ` + voteRows
	voterVote = ` LEFT JOIN votes v ON v.target_id = t.id AND v.user_id = g.user`
)

// recordAll records votes in one transaction (record). If a slot of them moves to another shard, it records the votes of each slot in a
// transaction of its own, so that only those of the moving slot fail.
func (s *Store) recordAll(ctx context.Context, home data.Where, votes []*pendingVote) error {
	err := s.record(ctx, home, votes)
	if !data.IsMoving(err) {
		return err
	}
	bySlot := map[int][]*pendingVote{}
	for _, v := range votes {
		bySlot[v.target.Slot()] = append(bySlot[v.target.Slot()], v)
	}
	for _, ofSlot := range bySlot {
		failed := err
		if len(bySlot) > 1 {
			failed = s.record(ctx, home, ofSlot)
		}
		for _, v := range ofSlot {
			v.failed = failed
		}
	}
	return nil
}

// record writes votes in one transaction on their shard and sets what their voters see. Run requests the delta run of their targets before
// any voter gets a response.
//
// Triggers do the rest. votes_cast and votes_changed add the change of a new or changed vote to the row of voter and target in
// vote_deltas, where ApplyDeltas finds it. votes_replaced deletes the origin of the previous vote.
func (s *Store) record(ctx context.Context, home data.Where, votes []*pendingVote) error {
	var onPosts, onComments []*pendingVote
	for _, v := range votes {
		if v.target.IsComment() {
			onComments = append(onComments, v)
		} else {
			onPosts = append(onPosts, v)
		}
	}
	w := s.DB.WriteAt(home)
	s.recordOn(w, castVotesOnPosts, statesOnPosts, onPosts)
	s.recordOn(w, castVotesOnComments, statesOnComments, onComments)
	rights := s.findRights(ctx, w, home, votes)
	err := w.Run(ctx)
	viewers := rights()
	if err != nil {
		return err
	}
	for _, v := range votes {
		if viewer := viewers[v.UserID]; viewer != nil {
			v.state.Moderated = viewer.Approves(v.community)
		}
	}
	return nil
}

// recordOn adds the statements for votes on posts, or on comments.
func (s *Store) recordOn(w *data.Write, cast, states string, votes []*pendingVote) {
	if len(votes) == 0 {
		return
	}
	list := encodeVotes(votes)
	w.Do(cast, data.Args{"votes": list, "now": s.Source.DatabaseNow()})
	w.Do(createOrigins, data.Args{"votes": list})
	w.Find(states, data.Args{"votes": list, "now": s.Source.DatabaseNow()}, func(r *data.Row) {
		if n := r.Int(); n >= 0 && n < int64(len(votes)) {
			votes[n].scan(r)
			w.EnqueueVoteDeltas(votes[n].target)
		}
	})
}

// scan reads the columns after the first of statesOnPosts or statesOnComments.
func (v *pendingVote) scan(r *data.Row) {
	v.exists = true
	v.status = r.Text()
	v.ban.Scan(r)
	v.live = r.Bool()
	post := posts.Post{Community: r.Text(), Slug: r.Text()}
	v.community = post.Community
	if v.state.URL = post.URL(); v.target.IsComment() {
		v.state.URL += "/" + v.target.Text()
	}
	v.storedAt = r.Int()
	v.state.Ups, v.state.Downs = r.Int(), r.Int()
	mine, ups, downs := data.OwnVote(r)
	v.state.Mine, v.state.Ups, v.state.Downs = mine, v.state.Ups+ups, v.state.Downs+downs
}

// encodeVotes returns the argument :votes. SQLite reads its integers exactly; its texts are host names and networks.
func encodeVotes(votes []*pendingVote) string {
	type vote struct {
		Target   int64  `json:"target"`
		User     int64  `json:"user"`
		Session  int64  `json:"session"`
		Issued   int64  `json:"issued"`
		Value    int    `json:"value"`
		Network  string `json:"network"`
		Referrer string `json:"referrer"`
		Asked    int64  `json:"asked"`
	}
	list := make([]vote, len(votes))
	for i, v := range votes {
		list[i] = vote{int64(v.target), int64(v.UserID), int64(v.SessionID), v.IssuedAt.UnixMilli(), v.value, v.Origin.Network, v.Origin.Referrer,
			v.castAt}
	}
	text, _ := json.Marshal(list) // encoding numbers and texts can't fail
	return string(text)
}

// voterRights reads which communities members moderate. Users by primary key, and accounts.Moderated.
const voterRights = `SELECT u.id, u.admin, ` + accounts.Moderated + ` FROM json_each(:voters) j CROSS JOIN users u ON u.id = j.value`

// findRights reads from the directory which communities the voters moderate: in the transaction itself if the shard is the same database,
// otherwise concurrently. Call the returned function after the transaction; it waits for the result. If the directory does not respond,
// no voter counts as a moderator, which only changes the counts they see.
func (s *Store) findRights(ctx context.Context, w *data.Write, home data.Where, votes []*pendingVote) func() map[data.ID]*accounts.Viewer {
	voters := make([]data.ID, len(votes))
	for i, v := range votes {
		voters[i] = v.UserID
	}
	args := data.Args{"voters": voters}
	found := map[data.ID]*accounts.Viewer{}
	scan := func(r *data.Row) {
		id, viewer := r.ID(), &accounts.Viewer{}
		viewer.ScanRights(r)
		found[id] = viewer
	}
	if s.DB.InDirectory(home) {
		w.Find(voterRights, args, scan)
		return func() map[data.ID]*accounts.Viewer { return found }
	}
	r := s.DB.Read()
	r.Find(voterRights, args, scan)
	finished := make(chan struct{})
	go func() {
		_ = r.Run(ctx)
		close(finished)
	}()
	return func() map[data.ID]*accounts.Viewer {
		<-finished
		return found
	}
}
