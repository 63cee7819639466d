package worker

import (
	"context"
	"fmt"
	"strings"

	"plaza/data"
)

// Messages are a word and what it concerns. They only nudge: the truth is in the
// database, so any of them may be lost, repeated or late.
func voteMessage(target data.ID) string    { return "vote " + target.Text() }
func countMessage(post data.ID) string     { return "count " + post.Text() }
func hotMessage(scope string) string       { return "hot " + scope }
func cutMessage(body string) (w, a string) { w, a, _ = strings.Cut(body, " "); return w, a }

// Consume handles a batch of deliveries and returns the indexes of those to deliver
// again; an error asks for all of them. What no consumer understands is delivered
// until the platform moves it to the dead-letter queue.
func (a *App) Consume(ctx context.Context, queue string, messages []Message) (retry []int, err error) {
	switch queue {
	case QueueVotes:
		return a.consumeVotes(ctx, messages)
	case QueueEvents:
		return a.consumeEvents(ctx, messages)
	}
	if alive, ok := strings.CutSuffix(queue, deadSuffix); ok {
		return nil, a.consumeDead(ctx, alive, messages)
	}
	return nil, fmt.Errorf("no consumer for queue %q", queue)
}

// consumeVotes folds what is pending for the distinct targets of a batch, in one
// transaction a shard.
func (a *App) consumeVotes(ctx context.Context, messages []Message) (retry []int, err error) {
	var p data.Pending
	seen := map[string]bool{}
	for i, m := range messages {
		word, arg := cutMessage(m.Body)
		id, errID := data.ParseID(arg)
		if errID != nil || word != "vote" && word != "count" {
			retry = append(retry, i)
			continue
		}
		if seen[m.Body] {
			continue
		}
		seen[m.Body] = true
		if word == "vote" {
			p.Targets = append(p.Targets, id)
		} else {
			p.Posts = append(p.Posts, id)
		}
	}
	return retry, a.votes.Fold(ctx, p)
}

func (a *App) consumeEvents(ctx context.Context, messages []Message) (retry []int, err error) {
	seen := map[string]bool{}
	var links []data.ID
	var linksAt []int
	for i, m := range messages {
		word, arg := cutMessage(m.Body)
		if seen[m.Body] {
			continue
		}
		seen[m.Body] = true
		switch word {
		case "hot":
			if err := a.hot.Rebuild(ctx, arg); err != nil {
				a.Log.WarnContext(ctx, "hot set not rebuilt", "scope", arg, "error", err)
				retry = append(retry, i)
			}
		case string(data.WorkLink):
			id, err := data.ParseID(arg)
			if err != nil {
				retry = append(retry, i)
				continue
			}
			links, linksAt = append(links, id), append(linksAt, i)
		default:
			retry = append(retry, i)
		}
	}
	// Last, because it waits for other people's servers.
	if err := a.consumeLinks(ctx, links); err != nil {
		a.Log.WarnContext(ctx, "links not looked at", "links", len(links), "error", err)
		retry = append(retry, linksAt...)
	}
	return retry, nil
}
