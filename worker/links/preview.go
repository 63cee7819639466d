package links

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"plaza/data"
	linkstore "plaza/data/content/links"
	"plaza/protocol/unfurl"
)

// Previews fetches the previews of the pages that posts link to.
type Previews struct {
	Client *Client
	Store  *linkstore.Store
	Log    *slog.Logger
}

// LinksAtOnce returns how many links one batch of a queue fetches, side by side: each may cost six requests (eighteen with
// a resolver), of the 50 that the free plan allows for a batch.
func (p *Previews) LinksAtOnce() int {
	if p.Client.Resolver != "" {
		return 2
	}
	return 5
}

// Fetch fetches the links of posts, at most LinksAtOnce of them, and stores the previews. It returns the posts that
// are to be tried again at once, with the error.
func (p *Previews) Fetch(ctx context.Context, posts []data.ID) (again []data.ID, err error) {
	claimed, missed, err := p.Store.Claim(ctx, posts)
	found := p.fetchAll(ctx, claimed)
	for _, w := range claimed {
		if err := p.store(ctx, w, found[w.URL]); err != nil {
			p.Log.WarnContext(ctx, "link preview not kept", "post", w.Post.Text(), "error", err) // it is due again later
		}
	}
	return missed, err
}

// fetched is the result of fetching a link.
type fetched struct {
	page unfurl.Page
	err  error
}

// fetchAll fetches every address once, all at the same time.
func (p *Previews) fetchAll(ctx context.Context, claimed []linkstore.Job) map[string]fetched {
	type result struct {
		url string
		fetched
	}
	results, byURL := make(chan result, len(claimed)), map[string]fetched{}
	for _, w := range claimed {
		if _, twice := byURL[w.URL]; twice || !isToFetch(w) {
			continue
		}
		byURL[w.URL] = fetched{}
		go func() {
			r := result{url: w.URL}
			defer func() {
				if cause := recover(); cause != nil { // a page that breaks the reader is not tried again
					r.err = &Failure{Reason: fmt.Sprintf("panic: %v", cause), Final: true}
				}
				results <- r
			}()
			r.page, r.err = p.Client.fetchPage(ctx, w.URL)
		}()
	}
	for range len(byURL) {
		r := <-results
		byURL[r.url] = r.fetched
	}
	return byURL
}

func isToFetch(w linkstore.Job) bool { return w.URL != "" && !w.Fresh && !w.Exhausted }

// store stores what was found for one post and ends its job, or leaves the job to be tried again later.
func (p *Previews) store(ctx context.Context, w linkstore.Job, found fetched) error {
	switch {
	case w.URL == "" || w.Fresh:
		return p.Store.Done(ctx, w)
	case w.Exhausted:
		return p.Store.Fail(ctx, w, "given up")
	case found.err == nil:
		return p.Store.Save(ctx, w, linkstore.Preview(found.page))
	}
	var e *Failure
	if known := errors.As(found.err, &e); known && e.Final || w.LastTry {
		return p.Store.Fail(ctx, w, found.err.Error())
	}
	return nil // due again, later
}
