//go:build js && wasm

// Command inline is a build of the site that counts votes inside the request: the message of a vote is consumed before the response, so
// counters, ranks and hot sets are up to date by then. bench/votes.mjs measures the site against it. It is never deployed.
package main

import (
	"context"

	"plaza/data"
	"plaza/worker/edge"
	"plaza/worker/edge/setup"
	"plaza/worker/queue"
)

func main() { edge.Run(newApp) }

func newApp(env setup.Environment) (setup.App, error) {
	q := &inlineQueue{}
	env.Queue = q
	site, err := setup.New(env)
	q.site = site
	return site, err
}

type inlineQueue struct{ site setup.App }

func (q *inlineQueue) Send(ctx context.Context, name string, bodies ...string) error {
	if name != data.QueueVotes {
		return nil // the other build rebuilds the sets before the measurement
	}
	messages := make([]queue.Message, len(bodies))
	for i, body := range bodies {
		messages[i] = queue.Message{ID: body, Body: body, Attempts: 1}
	}
	_, err := q.site.Consume(ctx, name, messages)
	return err
}
