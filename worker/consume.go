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
	"plaza/data/events/mails"
	"plaza/data/events/outbox"
	"plaza/data/pace/deadline"
	"plaza/data/site/metrics"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/worker/queue"
)

// Consume handles a batch of messages. It returns the indexes of messages that are to be delivered again; after an error,
// all of them are. A message that no consumer understands is delivered again until the platform moves it to the
// dead-letter queue.
func (a *App) Consume(ctx context.Context, name string, messages []queue.Message) (retry []int, err error) {
	arrived := time.Now()
	measured, rows := hrana.WithMeter(ctx)
	measured, commands := upstash.WithMeter(measured)
	retry, err = a.consume(measured, name, messages)
	a.stores.metrics.Count(func(b *metrics.Batch) {
		n := b.Of(classOfQueue(name))
		n.Handled += int64(len(messages))
		n.Failed += int64(len(retry))
		if err != nil {
			n.Failed += int64(len(messages))
		}
		for _, m := range messages {
			if m.Attempts == 1 && !m.SentAt.IsZero() { // later deliveries are delayed on purpose
				n.Times.Add(max(arrived.Sub(m.SentAt), 0))
			}
		}
		n.AddCost(rows, commands)
	})
	a.server.SaveMetrics(ctx)
	return retry, err
}

// classOfQueue returns the class of metrics for messages of a queue. Dead letters count with the queue that they were in.
func classOfQueue(name string) metrics.Class {
	if strings.TrimSuffix(name, queue.DeadSuffix) == data.QueueVotes {
		return metrics.Votes
	}
	return metrics.Events
}

// slotsWait bounds how long consumers and jobs wait for the table of slots.
const slotsWait = 2 * time.Second

// knowSlots reads the table of slots, if the last read was more than half a minute ago. An instance that serves no pages must learn of
// moved slots, too. After an error no job may run: on its old shard, a post that has moved looks as if it were deleted.
func (a *App) knowSlots(ctx context.Context) error {
	return a.DB.RecentSlots(deadline.ForPart(ctx, slotsWait))
}

// consume is Consume without the metrics.
func (a *App) consume(ctx context.Context, name string, messages []queue.Message) (retry []int, err error) {
	if name == data.QueueVotes || name == data.QueueEvents {
		if err := a.knowSlots(ctx); err != nil {
			a.Log.WarnContext(ctx, "table of slots not read", "queue", name, "messages", len(messages), "error", err)
			for i, m := range messages {
				if m.Attempts < maxDeliveries { // after that, the retry job finds its job
					retry = append(retry, i)
				}
			}
			return retry, nil
		}
	}
	switch name {
	case data.QueueVotes:
		return a.consumeVotes(ctx, messages)
	case data.QueueEvents:
		return a.consumeEvents(ctx, messages)
	}
	if source, ok := strings.CutSuffix(name, queue.DeadSuffix); ok {
		return nil, a.admin.ConsumeDead(ctx, source, messages)
	}
	return nil, fmt.Errorf("no consumer for queue %q", name)
}

// maxDeliveries is how often a message is delivered while a database or Redis can't be reached. Then it is acknowledged:
// the retry job finds in the databases what is still to do. So an outage makes no dead letters. It is less than the
// deliveries that wrangler.toml allows.
const maxDeliveries = 4

// consumeVotes applies the deltas of the targets of a batch, in one transaction for each shard. The message of a target
// that the database refuses is delivered again until it is a dead letter; messages of other targets are not.
func (a *App) consumeVotes(ctx context.Context, messages []queue.Message) (retry []int, err error) {
	var p votes.Pending
	votes, counts := map[data.ID]int{}, map[data.ID]int{} // index of the first message of each
	for i, m := range messages {
		word, arg := queue.CutMessage(m.Body)
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
		a.Log.ErrorContext(ctx, "votes not applied, or hot sets not written", "messages", len(messages),
			"refused", remaining.Refused, "unavailable", len(remaining.Rest.Targets)+len(remaining.Rest.Posts), "error", err)
	}
	again := func(ids []data.ID, first map[data.ID]int, deliveries int) {
		for _, id := range ids {
			if i := first[id]; messages[i].Attempts < deliveries && !slices.Contains(retry, i) {
				retry = append(retry, i)
			}
		}
	}
	again(remaining.Refused.Targets, votes, math.MaxInt)
	again(remaining.Refused.Posts, counts, math.MaxInt)
	again(remaining.Rest.Targets, votes, maxDeliveries)
	again(remaining.Rest.Posts, counts, maxDeliveries)
	return retry, nil
}

// consumer does the jobs of messages that begin with a word. It returns the ids whose messages must be delivered again.
type consumer struct {
	word    string
	consume func(context.Context, []data.ID) ([]data.ID, error)
}

// consumers returns the consumers of messages with an id. Those that wait for other people's servers are last.
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
		{queue.DeleteAccountWord, a.account.ConsumeDeleteAccount},
		{mails.Word, a.consumeMails},
		{queue.PushWord, a.inbox.ConsumePushes},
		{string(outbox.JobLink), a.post.ConsumeLinks},
	}
}

// consumeEvents writes copies into databases that were unavailable, notifies members, rebuilds hot sets, writes timelines,
// sends mails and pushes, and fetches link previews. Equal messages are handled once.
func (a *App) consumeEvents(ctx context.Context, messages []queue.Message) (retry []int, err error) {
	first := map[string]int{} // index of the first of equal messages
	ids := map[string][]data.ID{}
	var sets []string
	consumers := a.consumers()
	var unavailable []outbox.Due
	for i, m := range messages {
		if _, twice := first[m.Body]; twice {
			continue
		}
		first[m.Body] = i
		switch word, arg := queue.CutMessage(m.Body); word {
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
		if i := first[queue.HotMessage(sets[n])]; messages[i].Attempts < maxDeliveries { // after that, pages ask for it again
			retry = append(retry, i)
		}
	}
	for _, c := range consumers {
		again, err := c.consume(ctx, ids[c.word])
		if err != nil {
			a.Log.WarnContext(ctx, "events not handled", "kind", c.word, "of", len(ids[c.word]), "again", len(again), "error", err)
		}
		// Attempts at links count in any case: most fail because of other people's servers.
		if data.ErrorCode(err) == data.Unavailable && outbox.Job(c.word) != outbox.JobLink {
			for _, id := range ids[c.word] {
				unavailable = append(unavailable, outbox.Due{Job: outbox.Job(c.word), Subject: id})
			}
		}
		for _, id := range again {
			if i := first[c.word+" "+id.Text()]; messages[i].Attempts < maxDeliveries {
				retry = append(retry, i)
			}
		}
	}
	// Rows of finished jobs are deleted already. Databases that are unavailable now can't be written: their jobs were not begun.
	_ = a.stores.outbox.Return(deadline.ForPart(ctx, returnTime), unavailable)
	return retry, nil
}

// returnTime bounds how long a batch waits to return jobs.
const returnTime = 2 * time.Second
