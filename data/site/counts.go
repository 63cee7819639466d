package site

import "plaza/data"

// CountMax is the highest number in Counts; it means that many or more.
const CountMax = 1000

// Counts are the numbers on the administrators' page, each up to Most.
type Counts struct {
	Reports       int // waiting items of the moderators' queues
	Cases         int // open cases of quarantined votes
	DeadLetters   int // that were not replayed
	Messages      int // to the administrators, unanswered
	Conversations int // with members, waiting for the administrators
	Members       int // new in the last day
	Newcomers     int // waiting for approval
	Communities   int // created in the last week
}

const (
	// Indexes queue_items_all_new and quarantines_newest. It reads :most rows at most.
	countShard = `SELECT (SELECT count(*) FROM (SELECT 1 FROM queue_items WHERE status = 'open' LIMIT :most)),
  (SELECT count(*) FROM (SELECT 1 FROM quarantines WHERE status = 'open' LIMIT :most))`
	// Index dead_letters_waiting, primary key, indexes contact_messages_open, communities_new and conversations_status. :day is the lowest
	// id of the last day.
	countDirectory = `SELECT (SELECT count(*) FROM (SELECT 1 FROM dead_letters WHERE replayed_at IS NULL LIMIT :most)),
  (SELECT count(*) FROM (SELECT 1 FROM contact_messages WHERE answered_at IS NULL LIMIT :most)),
  (SELECT count(*) FROM (SELECT 1 FROM users WHERE id >= :day LIMIT :most)),
  (SELECT count(*) FROM (SELECT 1 FROM communities WHERE kind = 'community' AND created_at >= :week LIMIT :most)),
  (SELECT count(*) FROM (SELECT 1 FROM conversations WHERE community_id = 0 AND status = 'open' LIMIT :most)),
  (SELECT count(*) FROM (SELECT 1 FROM users WHERE waiting IS NOT NULL AND status = 'active' LIMIT :most))`
)

// Count counts along with a page. Items of a community that is being moved count twice.
func (s *Store) Count(r *data.Read) *Counts {
	n := &Counts{}
	now := s.Source.Now()
	r.FindEverywhere(countShard, data.Args{"most": CountMax}, func(row *data.Row) {
		n.Reports, n.Cases = min(n.Reports+int(row.Int()), CountMax), min(n.Cases+int(row.Int()), CountMax)
	})
	args := data.Args{"most": CountMax, "day": data.NewID(now.Add(-day), 0, data.KindPost, 0), "week": now.Add(-7 * day)}
	r.Find(countDirectory, args, func(row *data.Row) {
		n.DeadLetters, n.Messages, n.Members, n.Communities, n.Conversations, n.Newcomers = int(row.Int()), int(row.Int()), int(row.Int()),
			int(row.Int()), int(row.Int()), int(row.Int())
	})
	return n
}
