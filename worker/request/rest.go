package request

import (
	"context"
	"errors"

	"plaza/data"
)

// WithRest does work of the outbox for subjects. Those that are too many for one delivery go back into the queue as new
// messages. What fails becomes due again, and the sweep sends its message.
func (a *Server) WithRest(ctx context.Context, subjects []data.ID, do func(context.Context, []data.ID) ([]data.ID, error), word string) error {
	if len(subjects) == 0 {
		return nil
	}
	rest, err := do(ctx, subjects)
	if len(rest) == 0 {
		return err
	}
	return errors.Join(err, a.Queue.Send(ctx, QueueEvents, data.Messages(word, rest...)...))
}
