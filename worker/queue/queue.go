// Package queue has what producers and consumers of the platform's queues share: messages, and how one is sent. data.QueueVotes and
// data.QueueEvents are the queues.
//
// The idea: a message may be lost or come twice. Most messages request work that a database has already, and the scheduled job sends
// them again. So a repeated message may be left out (Deduplicate). docs/inside/votes.md and docs/inside/messages.md say more.
package queue

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
)

// Queue sends messages. Send returns once the queue has accepted all of them; an error means that some may not have
// arrived, and sending again must be harmless.
type Queue interface {
	Send(ctx context.Context, queue string, bodies ...string) error
}

// Message is one delivery of a queue's message; deliveries may repeat.
type Message struct {
	ID       string
	Body     string
	Attempts int // deliveries by this queue so far, this one included
	SentAt   time.Time
}

// Words of the events queue's messages that concern an id. Those of mails are mails.Word, of jobs outbox.Kinds.
const (
	PushWord          = "push"
	DeleteAccountWord = "delete-account" // an account to delete
)

// HotMessage returns the message that requests the rebuilding of a hot set.
func HotMessage(scope string) string { return "hot " + scope }

// CutMessage returns the word of a message and what it concerns.
func CutMessage(body string) (word, about string) {
	word, about, _ = strings.Cut(body, " ")
	return word, about
}

// Publisher returns a function that sends the messages that a transaction has registered (data.DB.Send). Their jobs are in the database
// already: if the messages are lost, the retry job finds the jobs.
func Publisher(q Queue, log *slog.Logger) func(ctx context.Context, queue string, bodies ...string) {
	return func(ctx context.Context, queue string, bodies ...string) {
		if err := q.Send(ctx, queue, bodies...); err != nil {
			log.WarnContext(ctx, "queue not reached", "queue", queue, "messages", len(bodies), "error", err)
		}
	}
}

// DeadSuffix is what the name of a queue's dead-letter queue ends in (wrangler.toml).
const DeadSuffix = "-dead"

// RunJob does jobs of the outbox. Subjects that are too many for one batch go back into the queue as new messages. A job that
// fails becomes due again, and the retry job sends its message.
func RunJob(ctx context.Context, q Queue, subjects []data.ID, do func(context.Context, []data.ID) ([]data.ID, error),
	job outbox.Job) error {
	if len(subjects) == 0 {
		return nil
	}
	rest, err := do(ctx, subjects)
	if len(rest) == 0 {
		return err
	}
	return errors.Join(err, q.Send(ctx, data.QueueEvents, data.Messages(string(job), rest...)...))
}
