package worker

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/mails"
	"plaza/data/outbox"
)

// Names of the queues, as bound in wrangler.toml.
const (
	QueueVotes  = data.QueueVotes
	QueueEvents = data.QueueEvents
)

// Queue sends messages. Send returns once the queue has taken all of them; an error means that some may not have
// arrived, and sending again must be harmless.
type Queue interface {
	Send(ctx context.Context, queue string, bodies ...string) error
}

// Message is one delivery of a queue's message; deliveries may repeat.
type Message struct {
	ID       string
	Body     string
	Attempts int // deliveries by this queue so far, this one included
}

// Words of the events queue's messages that concern an id.
const (
	linkWord     = string(outbox.WorkLink)
	tellWord     = string(outbox.WorkTell)
	amendWord    = string(outbox.WorkAmend)
	decidedWord  = string(outbox.WorkDecided)
	reportedWord = string(outbox.WorkReported)
	withheldWord = string(outbox.WorkWithheld)
	clearWord    = string(outbox.WorkClear)
	judgedWord   = string(outbox.WorkJudged)
	mailWord     = mails.Word
	pushWord     = "push"
	leaveWord    = "leave" // an account that is deleted

	timelineWord = string(outbox.WorkTimeline)
	fillWord     = string(outbox.WorkFill)
	rebuildWord  = string(outbox.WorkRebuild)
	renameWord   = string(outbox.WorkRename)
	voidWord     = string(outbox.WorkVoid)
	blocksWord   = string(outbox.WorkBlocks)
	copyWord     = string(outbox.WorkCommunity)
	branchWord   = string(outbox.WorkBranch)
)

func hotMessage(scope string) string { return "hot " + scope }

// cutMessage returns the word of a message and what it concerns.
func cutMessage(body string) (word, about string) {
	word, about, _ = strings.Cut(body, " ")
	return word, about
}

// send gives messages to a queue for the transaction that has asked for them (data.DB.Send). What they are about is in the database
// already: should they be lost, the sweep finds it.
func (a *App) send(ctx context.Context, queue string, bodies ...string) {
	if err := a.Queue.Send(ctx, queue, bodies...); err != nil {
		a.Log.WarnContext(ctx, "queue not reached", "queue", queue, "messages", len(bodies), "error", err)
	}
}

// deadSuffix is what the name of a queue's dead-letter queue ends in (wrangler.toml).
const deadSuffix = "-dead"
