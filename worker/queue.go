package worker

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/outbox"
)

// Names of the queues, as bound in wrangler.toml.
const (
	QueueVotes  = "plaza-votes"
	QueueEvents = "plaza-events"
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
	mailWord     = "mail"
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

// Messages are a word and what it concerns. They only nudge: the truth is in the database, so any of them may be
// lost, repeated or late.
func voteMessage(target data.ID) string     { return "vote " + target.Text() }
func countMessage(post data.ID) string      { return "count " + post.Text() }
func hotMessage(scope string) string        { return "hot " + scope }
func linkMessage(post data.ID) string       { return linkWord + " " + post.Text() }
func tellMessage(id data.ID) string         { return tellWord + " " + id.Text() }
func amendMessage(id data.ID) string        { return amendWord + " " + id.Text() }
func decidedMessage(entry data.ID) string   { return decidedWord + " " + entry.Text() }
func reportedMessage(target data.ID) string { return reportedWord + " " + target.Text() }
func clearMessage(entry data.ID) string     { return clearWord + " " + entry.Text() }
func mailMessage(id data.ID) string         { return mailWord + " " + id.Text() }
func pushMessage(id data.ID) string         { return pushWord + " " + id.Text() }
func leaveMessage(user data.ID) string      { return leaveWord + " " + user.Text() }

func timelineMessage(post data.ID) string  { return timelineWord + " " + post.Text() }
func fillMessage(member data.ID) string    { return fillWord + " " + member.Text() }
func rebuildMessage(member data.ID) string { return rebuildWord + " " + member.Text() }
func renameMessage(member data.ID) string  { return renameWord + " " + member.Text() }
func branchMessage(id data.ID) string      { return branchWord + " " + id.Text() }

// cutMessage returns the word of a message and what it concerns.
func cutMessage(body string) (word, about string) {
	word, about, _ = strings.Cut(body, " ")
	return word, about
}

// nudgeVotes tells the votes consumer of targets with new votes. Should the message be lost, the sweep finds them.
func (a *App) nudgeVotes(ctx context.Context, targets []data.ID) {
	bodies := make([]string, len(targets))
	for i, target := range targets {
		bodies[i] = voteMessage(target)
	}
	if err := a.Queue.Send(ctx, QueueVotes, bodies...); err != nil {
		a.Log.WarnContext(ctx, "votes queue not reached", "targets", len(targets), "error", err)
	}
}

// nudge sends messages to the votes consumer. What they are about is in the database already: should they be lost,
// the sweep finds it.
func (a *App) nudge(c *call, bodies ...string) {
	if err := a.Queue.Send(c.r.Context(), QueueVotes, bodies...); err != nil {
		a.Log.WarnContext(c.r.Context(), "votes queue not reached", "request", c.id, "error", err)
	}
}
