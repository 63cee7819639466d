package worker

import (
	"context"
	"errors"
	"fmt"

	"plaza/data"
	"plaza/data/links"
	"plaza/data/outbox"
	"plaza/unfurl"
)

func linkMessage(post data.ID) string { return string(outbox.WorkLink) + " " + post.Text() }

// linksAtOnce is how many links one delivery looks at, side by side: each may cost six
// requests (eighteen with a resolver), of the 50 that the free plan allows to a delivery.
func (a *App) linksAtOnce() int {
	if a.Resolver != "" {
		return 2
	}
	return 5
}

// askForPreview sends the message for the link of a post that has just been written; the
// sweep sends it again should it be lost.
func (a *App) askForPreview(c *call, post data.ID) {
	if err := a.Queue.Send(c.r.Context(), QueueEvents, linkMessage(post)); err != nil {
		a.Log.WarnContext(c.r.Context(), "events queue not reached", "request", c.id, "error", err)
	}
}

// consumeLinks looks at the links of some posts; those that are too many for one delivery
// go back into the queue as new messages, for whose waiting nobody is to blame. It returns
// those that are to be delivered again.
func (a *App) consumeLinks(ctx context.Context, posts []data.ID) (again []data.ID, err error) {
	if most := a.linksAtOnce(); len(posts) > most {
		var rest []string
		for _, id := range posts[most:] {
			rest = append(rest, linkMessage(id))
		}
		if err = a.Queue.Send(ctx, QueueEvents, rest...); err != nil {
			again = append(again, posts[most:]...)
		}
		posts = posts[:most]
	}
	claimed, missed, failed := a.previews.Claim(ctx, posts)
	found := a.lookAtAll(ctx, claimed)
	for _, w := range claimed {
		if err := a.keepPreview(ctx, w, found[w.URL]); err != nil {
			a.Log.WarnContext(ctx, "link preview not kept", "post", w.Post.Text(), "error", err) // it is due again later
		}
	}
	return append(again, missed...), errors.Join(err, failed)
}

type lookedAt struct {
	page unfurl.Page
	err  error
}

// lookAtAll asks for every address once, all at the same time.
func (a *App) lookAtAll(ctx context.Context, claimed []links.Work) map[string]lookedAt {
	type result struct {
		url string
		lookedAt
	}
	results, asked := make(chan result, len(claimed)), map[string]lookedAt{}
	for _, w := range claimed {
		if _, twice := asked[w.URL]; twice || !toBeAsked(w) {
			continue
		}
		asked[w.URL] = lookedAt{}
		go func() {
			r := result{url: w.URL}
			defer func() {
				if p := recover(); p != nil { // a page that breaks the reader is read once
					r.err = &linkError{reason: fmt.Sprintf("panic: %v", p), final: true}
				}
				results <- r
			}()
			r.page, r.err = a.lookAt(ctx, w.URL)
		}()
	}
	for range len(asked) {
		r := <-results
		asked[r.url] = r.lookedAt
	}
	return asked
}

func toBeAsked(w links.Work) bool { return w.URL != "" && !w.Fresh && !w.Spent }

// keepPreview ends the work of one post, unless it is to be tried again.
func (a *App) keepPreview(ctx context.Context, w links.Work, found lookedAt) error {
	switch {
	case w.URL == "" || w.Fresh:
		return a.previews.Done(ctx, w)
	case w.Spent:
		return a.previews.Fail(ctx, w, "given up")
	case found.err == nil:
		return a.previews.Save(ctx, w, links.Preview(found.page))
	}
	var e *linkError
	if known := errors.As(found.err, &e); known && e.final || w.LastTry {
		return a.previews.Fail(ctx, w, found.err.Error())
	}
	return nil // due again, later
}
