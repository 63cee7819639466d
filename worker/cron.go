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
	"plaza/data/events/outbox"
	"plaza/data/moderation/transparency"
	"plaza/data/pace/deadline"
	"plaza/data/site/health"
	"plaza/data/site/metrics"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/worker/listing"
	"plaza/worker/request"
)

// viewsEvery is the interval, in minutes, at which views are added to the databases. In that time, a busy post is written only once.
const viewsEvery = 5

// editionsEvery is the interval, in minutes, at which the job checks whether an edition is due, and makes some of the members' own.
const editionsEvery = 5

// countAt is when decisions and common words are counted, in UTC. Shards that never counted such words do so at that minute of each hour.
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
		err = errors.Join(err, a.retryAgain(measured, a.RetryAgain-took))
	}
	a.stores.metrics.Count(func(b *metrics.Batch) {
		n := b.Of(metrics.Cron)
		n.Handled++
		n.Times.Add(took)
		if err != nil {
			n.AddFailure(err)
		}
		n.AddCost(rows, commands)
	})
	a.server.SaveMetrics(ctx)
	return err
}

// scheduled is Scheduled without the metrics. again asks for retryAgain: a database was unavailable, or a job is due before the next
// minute.
func (a *App) scheduled(ctx context.Context, at time.Time) (again bool, _ error) {
	slotsErr := a.knowSlots(ctx) // jobs that need the slots fail
	retry := func(ctx context.Context) (err error) { again, err = a.retryOutbox(ctx); return err }
	jobs := []func(context.Context) error{
		a.retryVotes, a.stores.hot.Invalidate, a.stores.publishing.PublishDue, retry, a.retryMails, a.account.RetryDeletions,
		a.stores.suspensions.EndSuspensions, a.stores.accounts.CopyKarma, a.stores.inbox.Purge, a.stores.visits.Purge, a.view.EnqueueInboxMails,
		a.view.SendPushes, a.stores.inbox.PurgeMailed, a.stores.communities.AgeWeeks, a.stores.reports.CopyCounts,
		a.stores.settings.CopySettings, a.stores.votes.PurgeOrigins, a.stores.posts.AgePosts, a.stores.search.Purge,
		a.stores.legalNotices.FinishDecided,
		func(ctx context.Context) error { a.admin.WatchSchema(ctx, at); return nil },
	}
	if at.Minute() == 0 {
		jobs = append(jobs, a.stores.posts.PurgeDeletedDrafts, a.stores.sessions.Purge, a.stores.sessions.PurgeList,
			a.stores.sessions.PurgeTokens, a.stores.deletion.Purge, a.stores.sessions.PurgeNetworks, a.stores.credentials.PurgeLinks,
			a.stores.calls.Purge,
			a.stores.mails.Purge, a.stores.deadLetters.Purge, a.stores.settings.Purge, a.stores.rules.Purge, a.stores.reports.Purge,
			a.stores.bans.Purge, a.stores.onetime.Purge, a.sweepPictures, a.stores.legalNotices.Purge, a.stores.metrics.Purge,
			a.stores.editions.Purge, a.purgeKeys)
	}
	if at.Minute()%metricsEvery == 0 {
		jobs = append(jobs, a.countWaiting, a.stores.metrics.Compact)
	}
	if at.Minute()%editionsEvery == 0 {
		jobs = append(jobs, func(ctx context.Context) error {
			if err := a.stores.settings.Refresh(ctx); err != nil {
				return err
			}
			schedule := listing.EditionSchedule(a.stores.settings.Now())
			return errors.Join(a.stores.editions.Make(ctx, schedule), a.stores.editions.MakeForMembers(ctx, schedule))
		})
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
	err, unavailable := slotsErr, false
	for _, job := range jobs {
		failed := attempt(ctx, job)
		err, unavailable = errors.Join(err, failed), unavailable || data.ErrorCode(failed) == data.Unavailable
	}
	return a.RetryAgain > 0 && (again || unavailable), err
}

// retryAgain waits, and then retries once more what waits for a database. The wait is part of this job's event, so it costs nothing, and
// happens only if there is something to retry.
func (a *App) retryAgain(ctx context.Context, wait time.Duration) error {
	sleep := a.Sleep
	if sleep == nil {
		sleep = deadline.DefaultSleep
	}
	if err := sleep(ctx, max(wait, 0)); err != nil {
		return nil // the job of the next minute retries it
	}
	err := a.knowSlots(ctx)
	retry := func(ctx context.Context) error { _, err := a.retryOutbox(ctx); return err }
	for _, job := range []func(context.Context) error{a.retryVotes, a.stores.publishing.PublishDue, retry, a.account.RetryDeletions} {
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

// purgeKeys deletes old idempotency keys.
func (a *App) purgeKeys(ctx context.Context) error { return a.DB.PurgeIdempotencyKeys(ctx, a.Source) }

// attempt runs a job. It returns a panic as an error.
func attempt(ctx context.Context, job func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return job(ctx)
}

// retryAfter is the age from which the retry job sends the messages of pending votes and comments again.
const retryAfter = time.Minute

// retryVotes sends the messages of votes and comments again that have been pending for retryAfter. With VotesByMinute it applies all that
// are pending instead.
func (a *App) retryVotes(ctx context.Context) error {
	if a.VotesByMinute {
		return a.countVotes(ctx)
	}
	p, err := a.stores.votes.FindPending(ctx, retryAfter)
	bodies := append(data.Messages(data.WordVote, p.Targets...), data.Messages(data.WordCount, p.Posts...)...)
	if len(bodies) == 0 {
		return err
	}
	return errors.Join(err, a.Queue.Send(ctx, data.QueueVotes, bodies...))
}

// countRounds bounds how often one run of the job looks for votes and comments to count. The next run goes on.
const countRounds = 10

// countVotes applies pending votes and comments. It goes on as long as some are applied. What a database refuses is left to the next run.
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
		remaining, failed := a.stores.votes.ApplyDeltas(ctx, p)
		all = errors.Join(all, err, failed)
		refused.Targets = append(refused.Targets, remaining.Refused.Targets...)
		refused.Posts = append(refused.Posts, remaining.Refused.Posts...)
		failures := len(remaining.Refused.Targets) + len(remaining.Refused.Posts) + len(remaining.Rest.Targets) + len(remaining.Rest.Posts)
		if failures >= len(p.Targets)+len(p.Posts) {
			return all
		}
	}
	return all
}

// retryOutbox sends the messages of jobs that are due: they were not done in time, or failed before. more reports whether other jobs
// become due within RetryAgain.
func (a *App) retryOutbox(ctx context.Context) (more bool, err error) {
	due, more, err := a.stores.outbox.FindDue(ctx, a.RetryAgain)
	var bodies []string
	var unknown []outbox.Due // their messages become dead letters, and are not sent again for a day
	for _, d := range due {
		bodies = append(bodies, string(d.Job)+" "+d.Subject.Text())
		if !d.Job.Known() {
			unknown = append(unknown, d)
		}
	}
	if len(bodies) == 0 {
		return more, err
	}
	if failed := a.Queue.Send(ctx, data.QueueEvents, bodies...); failed != nil {
		return more, errors.Join(err, failed)
	}
	return more, errors.Join(err, a.stores.outbox.Postpone(ctx, unknown))
}

// metricsEvery is the interval, in minutes, at which the job records the backlog, and merges the metrics of instances.
const metricsEvery = int(metrics.Span / time.Minute)

// countWaiting records the backlog of all databases that respond.
func (a *App) countWaiting(ctx context.Context) error {
	r := a.DB.Read()
	r.AllowMissing()
	list := health.FindBacklog(r, a.DB)
	err := r.Run(ctx)
	var deltas, jobs int64
	for _, waiting := range list {
		deltas, jobs = deltas+int64(waiting.Deltas), jobs+int64(waiting.Outbox)
	}
	a.stores.metrics.Count(func(b *metrics.Batch) {
		b.Deltas, b.Outbox = max(b.Deltas, deltas), max(b.Outbox, jobs)
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
				n.Handled++
				n.AddCost(rows, commands)
			})
		})
	}
}
