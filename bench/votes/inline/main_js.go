//go:build js && wasm

// Command inline is a build of the site that counts inside the request: what a vote sends to its queue is consumed before the voter gets an
// answer, so counters, ranks and sets are up to date by then. bench/votes.mjs measures the site against it. It is never deployed.
package main

import (
	"context"

	"plaza/worker/edge"
	"plaza/worker/edge/setup"
	"plaza/worker/request"
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

func (q *inlineQueue) Send(ctx context.Context, queue string, bodies ...string) error {
	if queue != request.QueueVotes {
		return nil // sets are made anew before the measuring, by the other build
	}
	messages := make([]request.Message, len(bodies))
	for i, body := range bodies {
		messages[i] = request.Message{ID: body, Body: body, Attempts: 1}
	}
	_, err := q.site.Consume(ctx, queue, messages)
	return err
}
