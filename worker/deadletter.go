package worker

import (
	"context"
	"net/http"

	"plaza/data"
	"plaza/data/deadletters"
	"plaza/render"
)

// consumeDead stores dead letters. They are acknowledged only when they are stored.
func (a *App) consumeDead(ctx context.Context, queue string, messages []Message) error {
	dead := make([]deadletters.Message, len(messages))
	for i, m := range messages {
		a.Log.ErrorContext(ctx, "dead message", "queue", queue, "message", m.ID, "body", m.Body)
		dead[i] = deadletters.Message{Queue: queue, MessageID: m.ID, Body: m.Body}
	}
	return a.deadLetters.Create(ctx, dead)
}

// deadLettersPage is how many dead letters a page lists.
const deadLettersPage = 50

// showDeadLetters lists dead letters, for administrators.
func (a *App) showDeadLetters(c *call) error {
	before, err := optionalID(c.r.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	r := c.read()
	list := a.deadLetters.Find(r, before, deadLettersPage+1)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.DeadLettersPage{Frame: c.frame("Dead letters", "", "")}
	p.NoIndex = true
	if before != 0 {
		p.FirstURL = deadLettersURL
	}
	dead := *list
	if len(dead) > deadLettersPage {
		dead = dead[:deadLettersPage]
		p.NextURL = deadLettersURL + "?before=" + dead[deadLettersPage-1].ID.Text()
	}
	for _, m := range dead {
		p.Letters = append(p.Letters, render.DeadLetter{ID: m.ID.Text(), Queue: m.Queue, MessageID: m.MessageID, Body: m.Body,
			FailedAt: m.FailedAt, LastAt: m.LastAt, ReplayedAt: m.ReplayedAt})
	}
	return show(c, http.StatusOK, render.DeadLetters, p)
}

// decideDeadLetter replays or deletes a dead letter, or all of them up to one.
func (a *App) decideDeadLetter(c *call) error {
	id, err := data.ParseID(c.value("id"))
	if err != nil {
		return err
	}
	send := func(queue string, bodies []string) error {
		if err := a.Queue.Send(c.r.Context(), queue, bodies...); err != nil {
			return &data.Error{Code: data.Unavailable, Message: "The queue can't be reached right now. What it did not take is still here.", Err: err}
		}
		return nil
	}
	answer := map[string]any{"id": id}
	var n int
	var more bool
	switch c.value("action") {
	case "replay":
		err = a.deadLetters.Replay(c.r.Context(), *c.actor, id, func(m deadletters.Message) error { return send(m.Queue, []string{m.Body}) })
	case "delete":
		err = a.deadLetters.Delete(c.r.Context(), *c.actor, id)
	case "replay-all": // up to the id
		n, more, err = a.deadLetters.ReplayAll(c.r.Context(), *c.actor, id, send)
		answer = map[string]any{"replayed": n, "more": more}
	case "delete-all":
		n, more, err = a.deadLetters.DeleteAll(c.r.Context(), *c.actor, id)
		answer = map[string]any{"deleted": n, "more": more}
	default:
		err = &data.Error{Code: data.Invalid, Field: "action", Message: "Messages can be replayed or deleted."}
	}
	if err != nil {
		return err
	}
	return c.done(deadLettersURL, answer)
}
