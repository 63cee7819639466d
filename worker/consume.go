package worker

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/data/events/outbox"
	"plaza/data/pace/deadline"
	"plaza/data/site/metrics"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/worker/request"
)

// Consume handles a batch of deliveries. It returns the indexes of messages that are to be delivered again; an error
// asks for all of them. A message that no consumer understands is delivered again until the platform moves it to the
// dead-letter queue.
func (a *App) Consume(ctx context.Context, queue string, messages []request.Message) (retry []int, err error) {
	came := time.Now()
	measured, rows := hrana.WithMeter(ctx)
	measured, commands := upstash.WithMeter(measured)
	retry, err = a.consume(measured, queue, messages)
	a.stores.metrics.Count(func(b *metrics.Batch) {
		n := b.Of(classOfQueue(queue))
		n.Handled += int64(len(messages))
		n.Failed += int64(len(retry))
		if err != nil {
			n.Failed += int64(len(messages))
		}
		for _, m := range messages {
			if m.Attempts == 1 && !m.SentAt.IsZero() { // others were late on purpose
				n.Times.Add(max(came.Sub(m.SentAt), 0))
			}
		}
		n.AddCost(rows, commands)
	})
	a.server.SaveMetrics(ctx)
	return retry, err
}

// classOfQueue is what the messages of a queue are counted as. Dead letters count with the queue that they were in.
func classOfQueue(queue string) metrics.Class {
	if strings.TrimSuffix(queue, request.DeadSuffix) == request.QueueVotes {
		return metrics.Votes
	}
	return metrics.Events
}

// slotsWait bounds how long consumers and jobs wait to hear where slots are.
const slotsWait = 2 * time.Second

// knowSlots reads where slots are, if that was read more than half a minute ago. An instance that serves no pages has to hear that one has
// moved, too. With an error nothing may be done: on its old shard, what has moved looks as if it were gone.
func (a *App) knowSlots(ctx context.Context) error {
	return a.DB.RecentSlots(deadline.ForPart(ctx, slotsWait))
}

// consume handles a batch, as Consume says.
func (a *App) consume(ctx context.Context, queue string, messages []request.Message) (retry []int, err error) {
	if queue == request.QueueVotes || queue == request.QueueEvents {
		if err := a.knowSlots(ctx); err != nil {
			a.Log.WarnContext(ctx, "where slots are is not known", "queue", queue, "messages", len(messages), "error", err)
			for i, m := range messages {
				if m.Attempts < retries { // then the retry job finds the work
					retry = append(retry, i)
				}
			}
			return retry, nil
		}
	}
	switch queue {
	case request.QueueVotes:
		return a.consumeVotes(ctx, messages)
	case request.QueueEvents:
		return a.consumeEvents(ctx, messages)
	}
	if alive, ok := strings.CutSuffix(queue, request.DeadSuffix); ok {
		return nil, a.admin.ConsumeDead(ctx, alive, messages)
	}
	return nil, fmt.Errorf("no consumer for queue %q", queue)
}

// retries is how often a message is delivered while a database or Redis can't be reached. Then it is acknowledged:
// the retry job finds in the databases what is still to do. So an outage makes no dead letters. It is less than the
// deliveries that wrangler.toml allows.
const retries = 4

// consumeVotes applies what is pending for the targets of a batch, in one transaction a shard. The message of a target
// that the database refuses is delivered again until it is a dead letter; messages of other targets are not.
func (a *App) consumeVotes(ctx context.Context, messages []request.Message) (retry []int, err error) {
	var p votes.Pending
	votes, counts := map[data.ID]int{}, map[data.ID]int{} // index of the first message of each
	for i, m := range messages {
		word, arg := request.CutMessage(m.Body)
		id, err := data.ParseID(arg)
		switch {
		case err != nil || word != "vote" && word != "count":
			retry = append(retry, i)
		case word == "vote":
			if _, twice := votes[id]; !twice {
				p.Targets, votes[id] = append(p.Targets, id), i
			}
		default:
			if _, twice := counts[id]; !twice {
				p.Posts, counts[id] = append(p.Posts, id), i
			}
		}
	}
	remaining, err := a.stores.votes.ApplyDeltas(ctx, p)
	if err != nil {
		a.Log.ErrorContext(ctx, "votes not applied, or sets not written", "messages", len(messages),
			"refused", remaining.Refused, "unavailable", len(remaining.Rest.Targets)+len(remaining.Rest.Posts), "error", err)
	}
	again := func(ids []data.ID, came map[data.ID]int, tries int) {
		for _, id := range ids {
			if i := came[id]; messages[i].Attempts < tries && !slices.Contains(retry, i) {
				retry = append(retry, i)
			}
		}
	}
	again(remaining.Refused.Targets, votes, math.MaxInt)
	again(remaining.Refused.Posts, counts, math.MaxInt)
	again(remaining.Rest.Targets, votes, retries)
	again(remaining.Rest.Posts, counts, retries)
	return retry, nil
}

// consumer does the jobs of messages with a word, and returns which of them must be sent again.
type consumer struct {
	word    string
	consume func(context.Context, []data.ID) ([]data.ID, error)
}

// consumers are all that have ids. Those that wait for other people's servers are last.
func (a *App) consumers() []consumer {
	return []consumer{
		{string(outbox.JobRevokeSessions), a.consumeRevokeSessions},
		{string(outbox.JobBlocks), a.consumeBlocks},
		{string(outbox.JobCommunity), a.consumeCopy},
		{string(outbox.JobInviteTree), a.admin.ConsumeInviteTree},
		{string(outbox.JobClear), a.moderation.ConsumeClear},
		{string(outbox.JobVerdict), a.moderation.ConsumeVerdict},
		{string(outbox.JobTimeline), a.listing.ConsumeTimeline},
		{string(outbox.JobBackfill), a.listing.ConsumeBackfill},
		{string(outbox.JobRebuild), a.listing.ConsumeRebuild},
		{string(outbox.JobRename), a.account.ConsumeRename},
		{string(outbox.JobForget), a.moderation.ConsumeForget},
		{string(outbox.JobNotify), a.inbox.ConsumeNotify},
		{string(outbox.JobUpdate), a.inbox.ConsumeUpdate},
		{string(outbox.JobDecided), a.inbox.ConsumeDecided},
		{string(outbox.JobReported), a.inbox.ConsumeReported},
		{string(outbox.JobNotPublished), a.inbox.ConsumeNotPublished},
		{string(outbox.JobQuarantined), a.inbox.ConsumeQuarantined},
		{request.DeleteAccountWord, a.account.ConsumeDeleteAccount},
		{request.MailWord, a.consumeMails},
		{request.PushWord, a.inbox.ConsumePushes},
		{string(outbox.JobLink), a.post.ConsumeLinks},
	}
}

// consumeEvents writes copies into databases that were unavailable, notifies members, rebuilds hot sets, writes timelines,
// sends mails and pushes, and looks at links. Messages that say the same are handled once.
func (a *App) consumeEvents(ctx context.Context, messages []request.Message) (retry []int, err error) {
	came := map[string]int{} // index of the first message of each
	ids := map[string][]data.ID{}
	var sets []string
	consumers := a.consumers()
	var unavailable []outbox.Due
	for i, m := range messages {
		if _, twice := came[m.Body]; twice {
			continue
		}
		came[m.Body] = i
		switch word, arg := request.CutMessage(m.Body); word {
		case "hot":
			sets = append(sets, arg)
		default:
			id, err := data.ParseID(arg)
			if err != nil || !slices.ContainsFunc(consumers, func(c consumer) bool { return c.word == word }) {
				retry = append(retry, i)
				continue
			}
			ids[word] = append(ids[word], id)
		}
	}
	for _, n := range a.listing.RebuildSets(ctx, sets) {
		if i := came[request.HotMessage(sets[n])]; messages[i].Attempts < retries { // after that, pages ask for it again
			retry = append(retry, i)
		}
	}
	for _, c := range consumers {
		again, err := c.consume(ctx, ids[c.word])
		if err != nil {
			a.Log.WarnContext(ctx, "events not handled", "kind", c.word, "of", len(ids[c.word]), "again", len(again), "error", err)
		}
		// Tries of links are counted in any case: most fail because of the servers of others.
		if data.ErrorCode(err) == data.Unavailable && outbox.Job(c.word) != outbox.JobLink {
			for _, id := range ids[c.word] {
				unavailable = append(unavailable, outbox.Due{Job: outbox.Job(c.word), Subject: id})
			}
		}
		for _, id := range again {
			if i := came[c.word+" "+id.Text()]; messages[i].Attempts < retries {
				retry = append(retry, i)
			}
		}
	}
	// Rows of finished work are deleted already. Databases that are unavailable now are not reached: their work was not begun.
	_ = a.stores.outbox.Return(deadline.ForPart(ctx, returnTime), unavailable)
	return retry, nil
}

// returnTime bounds how long a batch waits to return work.
const returnTime = 2 * time.Second
