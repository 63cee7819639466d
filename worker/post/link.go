package post

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/worker/request"
)

// ConsumeLinks fetches what the links of some posts lead to. Posts that are too many for one delivery go back into the
// queue as new messages: a message that only waits for its turn must not become a dead letter. It returns the posts
// whose messages are to be delivered again.
func (h *Handlers) ConsumeLinks(ctx context.Context, posts []data.ID) (again []data.ID, err error) {
	if limit := h.LinkFetcher.LinksAtOnce(); len(posts) > limit {
		if err = h.Queue.Send(ctx, data.QueueEvents, data.Messages(string(outbox.JobLink), posts[limit:]...)...); err != nil {
			again = append(again, posts[limit:]...)
		}
		posts = posts[:limit]
	}
	missed, failed := h.LinkFetcher.Fetch(ctx, posts)
	return append(again, missed...), errors.Join(err, failed)
}

// PageTitle reads the title of the page behind a link, for the script of a post's form.
func (h *Handlers) PageTitle(c *request.Call) error {
	if err := c.Run(c.Read()); err != nil { // an ended session fetches nothing
		return err
	}
	link := strings.TrimSpace(c.Value("link"))
	if err := data.CheckAddress("link", "link", link); err != nil || link == "" {
		return data.Mistake("link", "Please write the address of a page first.")
	}
	title, err := h.Pictures.Title(c.R.Context(), c.ID, link)
	if err != nil || title == "" {
		return data.Mistake("link", "The title of this page can't be read. Please write one.")
	}
	return c.JSON(http.StatusOK, map[string]any{"title": title})
}
