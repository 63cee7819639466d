package worker

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/data/delivery/outbox"
	"plaza/data/moderation/transparency"
	"plaza/data/pace/deadline"
	"plaza/data/site/health"
	"plaza/data/site/metrics"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/worker/request"
)

// viewsEvery is after how many minutes views are added to the databases. A post that many people look at is written once in that time.
const viewsEvery = 5

// countAt is when decisions and common words are counted, in UTC. A site that never counted such words does so in each hour.
var countAt = struct{ hour, minute int }{4, 30}

// Scheduled is called each minute, and runs the jobs that are due. A job that fails does not stop the others. The
// error joins the errors of all jobs.
func (a *App) Scheduled(ctx context.Context, at time.Time) error {
	began := time.Now()
	measured, rows := hrana.WithMeter(ctx)
	measured, commands := upstash.WithMeter(measured)
	again, err := a.scheduled(measured, at)
	took := time.Since(began)
	if again {
		err = errors.Join(err, a.sweepAgain(measured, a.SweepAgain-took))
	}
	a.stores.metrics.Count(func(b *metrics.Batch) {
		n := b.Of(metrics.Cron)
		n.Made++
		n.Times.Add(took)
		if err != nil {
			n.AddFailure(err)
		}
		n.AddCost(rows, commands)
	})
	a.server.SaveMetrics(ctx)
	return err
}

// scheduled runs the jobs that are due, as Scheduled says. again asks for sweepAgain: a database was away, or work is due before the next
// minute.
func (a *App) scheduled(ctx context.Context, at time.Time) (again bool, _ error) {
	lost := a.knowSlots(ctx) // jobs that need it fail
	sweep := func(ctx context.Context) (err error) { again, err = a.sweepOutbox(ctx); return err }
	jobs := []func(context.Context) error{
		a.sweepVotes, a.stores.hot.Distrust, a.stores.publishing.PublishDue, sweep, a.sweepMails, a.account.SweepDeletions,
		a.stores.suspensions.EndSuspensions, a.stores.accounts.CopyKarma, a.stores.inbox.Purge, a.stores.visits.Purge, a.view.LeaveInboxMails,
		a.view.SendPushes, a.stores.inbox.PurgeMailed, a.stores.communities.AgeWeeks, a.stores.reports.CopyCounts,
		a.stores.settings.CopySettings, a.stores.votes.PurgeBallots, a.stores.posts.AgePosts, a.stores.search.Purge,
		a.stores.notices.Settle,
		func(ctx context.Context) error { a.admin.WatchSchema(ctx, at); return nil },
	}
	if at.Minute() == 0 {
		jobs = append(jobs, a.stores.posts.PurgeDeletedDrafts, a.stores.sessions.Purge, a.stores.sessions.PurgeList,
			a.stores.sessions.PurgeTokens, a.stores.deletion.Purge, a.stores.sessions.PurgeNetworks, a.stores.credentials.PurgeLinks,
			a.stores.calls.Purge,
			a.stores.mails.Purge, a.stores.deadLetters.Purge, a.stores.settings.Purge, a.stores.rules.Purge, a.stores.reports.Purge,
			a.stores.bans.Purge, a.stores.onetime.Purge, a.sweepPictures, a.stores.notices.Purge, a.stores.metrics.Purge,
			a.purgeMade)
	}
	if at.Minute()%metricsEvery == 0 {
		jobs = append(jobs, a.countWaiting, a.stores.metrics.Compact)
	}
	if at.Minute() == countAt.minute {
		jobs = append(jobs, func(ctx context.Context) error { return a.stores.search.CountCommon(ctx, at.Hour() != countAt.hour) })
		if at.Hour() == countAt.hour {
			jobs = append(jobs, func(ctx context.Context) error { return transparency.Recount(ctx, a.DB, a.Source) })
		}
	}
	if at.Minute()%viewsEvery == 0 {
		jobs = append(jobs, a.stores.views.Flush)
	}
	err, away := lost, false
	for _, job := range jobs {
		failed := attempt(ctx, job)
		err, away = errors.Join(err, failed), away || data.ErrorCode(failed) == data.Unavailable
	}
	return a.SweepAgain > 0 && (again || away), err
}

// sweepAgain waits, and then looks once more for what waits for a database. The wait is part of this job's event, so it costs nothing, and
// a site that is well has none.
func (a *App) sweepAgain(ctx context.Context, wait time.Duration) error {
	sleep := a.Sleep
	if sleep == nil {
		sleep = deadline.DefaultSleep
	}
	if err := sleep(ctx, max(wait, 0)); err != nil {
		return nil // the next minute looks
	}
	err := a.knowSlots(ctx)
	sweep := func(ctx context.Context) error { _, err := a.sweepOutbox(ctx); return err }
	for _, job := range []func(context.Context) error{a.sweepVotes, a.stores.publishing.PublishDue, sweep, a.account.SweepDeletions} {
		err = errors.Join(err, attempt(ctx, job))
	}
	return err
}

// sweepPictures deletes pictures that nothing has used for a day.
func (a *App) sweepPictures(ctx context.Context) error {
	if !a.Pictures.Bound() {
		return nil
	}
	return a.stores.pictures.Sweep(ctx, a.Pictures)
}

// purgeMade forgets what forms have made.
func (a *App) purgeMade(ctx context.Context) error { return a.DB.PurgeMade(ctx, a.Source) }

// attempt does a job. A panic is returned as its error.
func attempt(ctx context.Context, job func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return job(ctx)
}

// sweepAge is how old votes and comments must be that were not folded, before the sweep sends their messages again.
const sweepAge = time.Minute

// sweepVotes sends the messages of votes and comments again that were not folded for sweepAge. With VotesByMinute it folds all that wait.
func (a *App) sweepVotes(ctx context.Context) error {
	if a.VotesByMinute {
		return a.countVotes(ctx)
	}
	p, err := a.stores.votes.FindPending(ctx, sweepAge)
	bodies := append(data.Messages(data.WordVote, p.Targets...), data.Messages(data.WordCount, p.Posts...)...)
	if len(bodies) == 0 {
		return err
	}
	return errors.Join(err, a.Queue.Send(ctx, request.QueueVotes, bodies...))
}

// countRounds bounds how often one run of the job looks for votes and comments to count. The next run goes on.
const countRounds = 10

// countVotes folds votes and comments that wait. It goes on as long as some are folded. What a database refuses is left to the next run.
func (a *App) countVotes(ctx context.Context) error {
	var refused votes.Pending
	var all error
	for range countRounds {
		p, err := a.stores.votes.FindPending(ctx, 0)
		p.Targets = slices.DeleteFunc(p.Targets, func(id data.ID) bool { return slices.Contains(refused.Targets, id) })
		p.Posts = slices.DeleteFunc(p.Posts, func(id data.ID) bool { return slices.Contains(refused.Posts, id) })
		if len(p.Targets)+len(p.Posts) == 0 {
			return errors.Join(all, err)
		}
		left, failed := a.stores.votes.Fold(ctx, p)
		all = errors.Join(all, err, failed)
		refused.Targets = append(refused.Targets, left.Refused.Targets...)
		refused.Posts = append(refused.Posts, left.Refused.Posts...)
		failures := len(left.Refused.Targets) + len(left.Refused.Posts) + len(left.Rest.Targets) + len(left.Rest.Posts)
		if failures >= len(p.Targets)+len(p.Posts) {
			return all
		}
	}
	return all
}

// sweepOutbox sends the messages of work that is due: it was not done in time, or it failed before. more says that other work is due after
// SweepAgain or earlier.
func (a *App) sweepOutbox(ctx context.Context) (more bool, err error) {
	due, more, err := a.stores.outbox.FindDue(ctx, a.SweepAgain)
	var bodies []string
	var unknown []outbox.Due // their messages become dead letters, and are not sent again for a day
	for _, d := range due {
		bodies = append(bodies, string(d.Work)+" "+d.Subject.Text())
		if !d.Work.Known() {
			unknown = append(unknown, d)
		}
	}
	if len(bodies) == 0 {
		return more, err
	}
	if failed := a.Queue.Send(ctx, request.QueueEvents, bodies...); failed != nil {
		return more, errors.Join(err, failed)
	}
	return more, errors.Join(err, a.stores.outbox.Postpone(ctx, unknown))
}

// metricsEvery is after how many minutes the job notes how much waits, and merges what instances have counted.
const metricsEvery = int(metrics.Span / time.Minute)

// countWaiting notes how much waits in all databases that answer.
func (a *App) countWaiting(ctx context.Context) error {
	r := a.DB.Read()
	r.AllowMissing()
	list := health.FindWork(r, a.DB)
	err := r.Run(ctx)
	var deltas, work int64
	for _, waiting := range list {
		deltas, work = deltas+int64(waiting.Deltas), work+int64(waiting.Outbox)
	}
	a.stores.metrics.Count(func(b *metrics.Batch) {
		b.Deltas, b.Outbox = max(b.Deltas, deltas), max(b.Outbox, work)
	})
	return err
}

// counted is a Background that counts what its tasks cost.
func counted(background request.Background, store *metrics.Store) request.Background {
	return func(ctx context.Context, task func(context.Context)) {
		background(ctx, func(ctx context.Context) {
			ctx, rows := hrana.WithMeter(ctx)
			ctx, commands := upstash.WithMeter(ctx)
			task(ctx)
			store.Count(func(b *metrics.Batch) {
				n := b.Of(metrics.Background)
				n.Made++
				n.AddCost(rows, commands)
			})
		})
	}
}
