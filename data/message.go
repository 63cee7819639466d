package data

import (
	"context"
	"slices"
	"time"
)

// Names of the queues, as bound in wrangler.toml.
const (
	QueueVotes  = "plaza-votes"
	QueueEvents = "plaza-events"
)

// Message returns the body of a message: a word, which says what is to be done, and the id that it concerns. Messages only ask for work
// that is in a database already, so any of them may be lost, repeated or late.
func Message(word string, about ID) string { return word + " " + about.Text() }

// Messages returns the bodies of messages of one word.
func Messages(word string, about ...ID) []string {
	bodies := make([]string, len(about))
	for i, id := range about {
		bodies[i] = Message(word, id)
	}
	return bodies
}

// Ask has Run send a message for each id to a queue. It may be called before Run, and by what scans rows.
func (w *Write) Ask(queue, word string, about ...ID) {
	for _, id := range about {
		w.asked.add(queue, Message(word, id))
	}
}

// Fold asks for the votes of posts and comments to be folded. A fold also puts a post into the hot sets or takes it out, and ranks the
// answers to a comment, even if there are no votes. No sweep finds that.
func (w *Write) Fold(targets ...ID) { w.Ask(QueueVotes, WordVote, targets...) }

// FoldVotes is Fold for posts and comments of which the same transaction leaves rows in vote_deltas, where the sweep finds them.
func (w *Write) FoldVotes(targets ...ID) { w.foldSoon(WordVote, targets) }

// FoldComments asks for the comments of posts to be counted. The sweep finds them in count_deltas.
func (w *Write) FoldComments(posts ...ID) { w.foldSoon(WordCount, posts) }

// foldSoon is Ask for what the sweep finds as well. A message of the same second may do (DB.FoldEvery).
func (w *Write) foldSoon(word string, about []ID) {
	if w.db.VotesByMinute {
		return
	}
	for _, id := range about {
		w.asked.folds = append(w.asked.folds, Message(word, id))
	}
}

// Words of the messages of the votes queue that concern an id.
const (
	WordVote  = "vote"
	WordCount = "count"
)

// messages are those of one transaction, in the order in which they were asked for, none twice.
type messages struct {
	queues []string
	bodies map[string][]string
	folds  []string // those of foldSoon
}

func (m *messages) add(queue, body string) {
	if m.bodies == nil {
		m.bodies = map[string][]string{}
	}
	if !slices.Contains(m.queues, queue) {
		m.queues = append(m.queues, queue)
	}
	if !slices.Contains(m.bodies[queue], body) {
		m.bodies[queue] = append(m.bodies[queue], body)
	}
}

func (m *messages) take(other *messages) {
	for _, queue := range other.queues {
		for _, body := range other.bodies[queue] {
			m.add(queue, body)
		}
	}
	m.folds = append(m.folds, other.folds...)
}

// hand gives the messages of a committed transaction to DB.Send.
func (db *DB) hand(ctx context.Context, m *messages) {
	if db.Send == nil {
		return
	}
	for _, body := range db.folds.due(m.folds, time.Now(), db.FoldEvery) {
		m.add(QueueVotes, body)
	}
	for _, queue := range m.queues {
		db.Send(ctx, queue, m.bodies[queue]...)
	}
}
