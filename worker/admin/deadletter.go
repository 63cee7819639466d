package admin

import (
	"context"
	"net/http"

	"plaza/data"
	"plaza/data/events/deadletters"
	pages "plaza/render/admin"
	"plaza/worker/queue"
	"plaza/worker/request"
)

// ConsumeDead stores dead letters. They are acknowledged only when they are stored.
func (h *Handlers) ConsumeDead(ctx context.Context, queue string, messages []queue.Message) error {
	dead := make([]deadletters.Message, len(messages))
	for i, m := range messages {
		h.Log.ErrorContext(ctx, "dead letter", "queue", queue, "message", m.ID, "body", m.Body)
		dead[i] = deadletters.Message{Queue: queue, MessageID: m.ID, Body: m.Body}
	}
	return h.DeadLetters.Create(ctx, dead)
}

// deadLettersPage is how many dead letters a page lists.
const deadLettersPage = 50

// ShowDeadLetters lists dead letters, for administrators.
func (h *Handlers) ShowDeadLetters(c *request.Call) error {
	before, err := request.OptionalID(c.R.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	r := c.Read()
	list := h.DeadLetters.Find(r, before, deadLettersPage)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.DeadLettersPage{Frame: c.Frame("Dead letters")}
	if before != 0 {
		p.FirstURL = request.DeadLettersURL
	}
	if next := list.Next(); !next.IsZero() {
		p.NextURL = request.DeadLettersURL + "?before=" + next.ID.Text()
	}
	for _, m := range list.Items() {
		p.DeadLetters = append(p.DeadLetters, pages.DeadLetter{ID: m.ID.Text(), Queue: m.Queue, MessageID: m.MessageID, Body: m.Body,
			FailedAt: m.FailedAt, LastAt: m.LastAt, ReplayedAt: m.ReplayedAt})
	}
	return request.Show(c, http.StatusOK, pages.DeadLetters, p)
}

// DecideDeadLetter replays or deletes a dead letter, or all of them up to one.
func (h *Handlers) DecideDeadLetter(c *request.Call) error {
	id, err := data.ParseID(c.Value("id"))
	if err != nil {
		return err
	}
	send := func(queue string, bodies []string) error {
		if err := h.Queue.Send(c.R.Context(), queue, bodies...); err != nil {
			return &data.Error{Code: data.Unavailable, Message: "The queue can't be reached right now. What it did not take is still here.",
				Err: err}
		}
		return nil
	}
	result := map[string]any{"id": id}
	var n int
	var more bool
	switch c.Value("action") {
	case "replay":
		err = h.DeadLetters.Replay(c.R.Context(), *c.Actor, id, func(m deadletters.Message) error { return send(m.Queue, []string{m.Body}) })
	case "delete":
		err = h.DeadLetters.Delete(c.R.Context(), *c.Actor, id)
	case "replay-all": // up to the id
		n, more, err = h.DeadLetters.ReplayAll(c.R.Context(), *c.Actor, id, send)
		result = map[string]any{"replayed": n, "more": more}
	case "delete-all":
		n, more, err = h.DeadLetters.DeleteAll(c.R.Context(), *c.Actor, id)
		result = map[string]any{"deleted": n, "more": more}
	default:
		err = &data.Error{Code: data.Invalid, Field: "action", Message: "Messages can be replayed or deleted."}
	}
	if err != nil {
		return err
	}
	return c.Done(request.DeadLettersURL, result)
}
