package post

import (
	"context"
	"errors"

	"plaza/data"
	"plaza/worker/request"
)

// ConsumeLinks looks at the links of some posts. Those that are too many for one delivery go back into the queue as
// new messages: a message that only waits for its turn must not become a dead letter. It returns the posts whose
// messages are to be delivered again.
func (h *Handlers) ConsumeLinks(ctx context.Context, posts []data.ID) (again []data.ID, err error) {
	if most := h.Looks.AtOnce(); len(posts) > most {
		if err = h.Queue.Send(ctx, request.QueueEvents, data.Messages(request.LinkWord, posts[most:]...)...); err != nil {
			again = append(again, posts[most:]...)
		}
		posts = posts[:most]
	}
	missed, failed := h.Looks.Look(ctx, posts)
	return append(again, missed...), errors.Join(err, failed)
}
