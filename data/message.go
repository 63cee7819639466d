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

// Message returns the body of a message: a word for the work, and the id of its subject. Messages only trigger work that a database has
// already, so any of them may be lost, repeated or late.
func Message(word string, about ID) string { return word + " " + about.Text() }

// Messages returns the bodies of messages of one word.
func Messages(word string, about ...ID) []string {
	bodies := make([]string, len(about))
	for i, id := range about {
		bodies[i] = Message(word, id)
	}
	return bodies
}

// SendMessages makes Run send a message for each id to a queue. It may be called before Run, and by functions that scan rows.
func (w *Write) SendMessages(queue, word string, about ...ID) {
	for _, id := range about {
		w.messages.add(queue, Message(word, id))
	}
}

// EnqueueApply requests a delta run of posts and comments. A delta run also adds a post to the hot sets or removes it, and ranks the
// replies to a comment, even without new votes. No retry job finds that work.
func (w *Write) EnqueueApply(targets ...ID) { w.SendMessages(QueueVotes, WordVote, targets...) }

// EnqueueVoteDeltas is EnqueueApply for posts and comments with rows of the same transaction in vote_deltas, where the retry job finds
// them.
func (w *Write) EnqueueVoteDeltas(targets ...ID) { w.enqueueDeltas(WordVote, targets) }

// EnqueueCountDeltas requests the count of the comments of posts. The retry job finds them in count_deltas.
func (w *Write) EnqueueCountDeltas(posts ...ID) { w.enqueueDeltas(WordCount, posts) }

// enqueueDeltas is Ask for work that the job of each minute also finds.
func (w *Write) enqueueDeltas(word string, about []ID) {
	if !w.db.VotesByMinute {
		w.SendMessages(QueueVotes, word, about...)
	}
}

// Words of the messages of the votes queue about an id.
const (
	WordVote  = "vote"
	WordCount = "count"
)

// messages are the messages of one transaction, in the order of the calls, without duplicates.
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

func (m *messages) addAll(other *messages) {
	for _, queue := range other.queues {
		for _, body := range other.bodies[queue] {
			m.add(queue, body)
		}
	}
}

// publish sends the messages of a committed transaction by DB.Send.
func (db *DB) publish(ctx context.Context, m *messages) {
	if db.Send == nil {
		return
	}
	for _, queue := range m.queues {
		db.Send(ctx, queue, m.bodies[queue]...)
	}
}
