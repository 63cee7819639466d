package data

import (
	"context"
	"slices"
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
func (w *Write) FoldVotes(targets ...ID) { w.askSoon(WordVote, targets) }

// FoldComments asks for the comments of posts to be counted. The sweep finds them in count_deltas.
func (w *Write) FoldComments(posts ...ID) { w.askSoon(WordCount, posts) }

// askSoon is Ask for what the job of each minute finds as well.
func (w *Write) askSoon(word string, about []ID) {
	if !w.db.VotesByMinute {
		w.Ask(QueueVotes, word, about...)
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
}

// hand gives the messages of a committed transaction to DB.Send.
func (db *DB) hand(ctx context.Context, m *messages) {
	if db.Send == nil {
		return
	}
	for _, queue := range m.queues {
		db.Send(ctx, queue, m.bodies[queue]...)
	}
}
