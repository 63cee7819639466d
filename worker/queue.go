package worker

import "context"

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
