package worker

import (
	"context"
	"errors"
	"time"
)

// Scheduled does the work of one minute. Every job has its turn, whatever becomes of the
// others: what one can't reach is no reason to leave the rest undone.
func (a *App) Scheduled(ctx context.Context, at time.Time) error {
	jobs := []func(context.Context) error{
		a.sweepVotes, a.publishDue, a.sweepOutbox, a.communities.AgeWeeks, a.communities.CopyFounded, a.votes.PurgeBallots, a.posts.AgePosts,
	}
	if at.Minute() == 0 {
		jobs = append(jobs, a.posts.PurgeDeletedDrafts, a.sessions.Purge, a.users.PurgeNetworks, a.calls.Purge, a.purgeMade)
	}
	var err error
	for _, job := range jobs {
		err = errors.Join(err, job(ctx))
	}
	return err
}

// purgeMade forgets what forms have made.
func (a *App) purgeMade(ctx context.Context) error { return a.DB.PurgeMade(ctx, a.Source.Now()) }

// sweepAge is how long deltas may wait for their message before the sweep nudges.
const sweepAge = time.Minute

// sweepVotes nudges the votes consumer of what has waited too long.
func (a *App) sweepVotes(ctx context.Context) error {
	p, err := a.votes.FindPending(ctx, a.Source.Now().Add(-sweepAge))
	if err != nil {
		return err
	}
	var bodies []string
	for _, id := range p.Targets {
		bodies = append(bodies, voteMessage(id))
	}
	for _, id := range p.Posts {
		bodies = append(bodies, countMessage(id))
	}
	if len(bodies) == 0 {
		return nil
	}
	return a.Queue.Send(ctx, QueueVotes, bodies...)
}
