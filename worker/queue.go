package worker

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/outbox"
)

// Names of the queues, as bound in wrangler.toml.
const (
	QueueVotes  = "plaza-votes"
	QueueEvents = "plaza-events"
)

// Queue sends messages. Send returns once the queue has taken all of them; an
// error means that some may not have arrived, and sending again must be harmless.
type Queue interface {
	Send(ctx context.Context, queue string, bodies ...string) error
}

// Message is one delivery of a queue's message; deliveries may repeat.
type Message struct {
	ID       string
	Body     string
	Attempts int // deliveries by this queue so far, this one included
}

// Messages are a word and what it concerns. They only nudge: the truth is in the
// database, so any of them may be lost, repeated or late.
func voteMessage(target data.ID) string { return "vote " + target.Text() }

func linkMessage(post data.ID) string  { return string(outbox.WorkLink) + " " + post.Text() }
func countMessage(post data.ID) string { return "count " + post.Text() }

func cutMessage(body string) (w, a string) { w, a, _ = strings.Cut(body, " "); return w, a }

// nudgeVotes tells the votes consumer of targets that were voted on together.
func (a *App) nudgeVotes(ctx context.Context, targets []data.ID) {
	bodies := make([]string, len(targets))
	for i, target := range targets {
		bodies[i] = voteMessage(target)
	}
	if err := a.Queue.Send(ctx, QueueVotes, bodies...); err != nil {
		a.Log.WarnContext(ctx, "votes queue not reached", "targets", len(targets), "error", err)
	}
}

// nudge tells the votes consumer that something changed. What changed is in the
// database already; should the message be lost, the sweep finds it.
func (a *App) nudge(c *call, bodies ...string) {
	if err := a.Queue.Send(c.r.Context(), QueueVotes, bodies...); err != nil {
		a.Log.WarnContext(c.r.Context(), "votes queue not reached", "request", c.id, "error", err)
	}
}
