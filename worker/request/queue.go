package request

import (
	"context"
	"errors"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/events/mails"
	"plaza/data/events/outbox"
)

// Names of the queues, as bound in wrangler.toml.
const (
	QueueVotes  = data.QueueVotes
	QueueEvents = data.QueueEvents
)

// Queue sends messages. Publish returns once the queue has accepted all of them; an error means that some may not have
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

// Words of the events queue's messages that concern an id. Those of jobs are outbox.Kinds.
const (
	MailWord          = mails.Word
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

// Publish sends the messages that a transaction has registered to a queue (data.DB.Send). Their jobs are in the database
// already: if the messages are lost, the retry job finds the jobs.
func (s *Server) Publish(ctx context.Context, queue string, bodies ...string) {
	if err := s.Queue.Send(ctx, queue, bodies...); err != nil {
		s.Log.WarnContext(ctx, "queue not reached", "queue", queue, "messages", len(bodies), "error", err)
	}
}

// DeadSuffix is what the name of a queue's dead-letter queue ends in (wrangler.toml).
const DeadSuffix = "-dead"

// RunJob does jobs of the outbox. Subjects that are too many for one batch go back into the queue as new messages. A job that
// fails becomes due again, and the retry job sends its message.
func (s *Server) RunJob(ctx context.Context, subjects []data.ID, do func(context.Context, []data.ID) ([]data.ID, error),
	job outbox.Job) error {
	if len(subjects) == 0 {
		return nil
	}
	rest, err := do(ctx, subjects)
	if len(rest) == 0 {
		return err
	}
	return errors.Join(err, s.Queue.Send(ctx, QueueEvents, data.Messages(string(job), rest...)...))
}
