package worker

import (
	"context"
	"net/http"

	"plaza/data"
	"plaza/data/deadletters"
	"plaza/render"
)

// deadSuffix is what the name of a queue's dead-letter queue ends in (wrangler.toml).
const deadSuffix = "-dead"

// consumeDead keeps messages that failed again and again. They are acknowledged only
// when they are stored.
func (a *App) consumeDead(ctx context.Context, queue string, messages []Message) error {
	letters := make([]deadletters.Letter, len(messages))
	for i, m := range messages {
		a.Log.ErrorContext(ctx, "dead message", "queue", queue, "message", m.ID, "body", m.Body)
		letters[i] = deadletters.Letter{Queue: queue, MessageID: m.ID, Body: m.Body}
	}
	return a.letters.Create(ctx, letters)
}

// deadLettersPage is how many letters a page lists.
const deadLettersPage = 50

const deadLettersURL = "/admin/dead-letters"

func (a *App) showDeadLetters(c *call) error {
	before, err := optionalID(c.r.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	r := c.read(a)
	list := a.letters.Find(r, before, deadLettersPage+1)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.DeadLettersPage{Frame: c.frame(a, "Dead letters", "", "")}
	p.NoIndex = true
	if before != 0 {
		p.FirstURL = deadLettersURL
	}
	letters := *list
	if len(letters) > deadLettersPage {
		letters = letters[:deadLettersPage]
		p.NextURL = deadLettersURL + "?before=" + letters[deadLettersPage-1].ID.Text()
	}
	for _, l := range letters {
		p.Letters = append(p.Letters, render.DeadLetter{ID: l.ID.Text(), Queue: l.Queue, MessageID: l.MessageID, Body: l.Body,
			FailedAt: l.FailedAt, LastAt: l.LastAt, ReplayedAt: l.ReplayedAt})
	}
	return show(c, http.StatusOK, render.DeadLetters, p)
}

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
		err = a.letters.Replay(c.r.Context(), *c.actor, id, func(l deadletters.Letter) error { return send(l.Queue, []string{l.Body}) })
	case "delete":
		err = a.letters.Delete(c.r.Context(), *c.actor, id)
	case "replay-all": // up to the id
		n, more, err = a.letters.ReplayAll(c.r.Context(), *c.actor, id, send)
		answer = map[string]any{"replayed": n, "more": more}
	case "delete-all":
		n, more, err = a.letters.DeleteAll(c.r.Context(), *c.actor, id)
		answer = map[string]any{"deleted": n, "more": more}
	default:
		err = &data.Error{Code: data.Invalid, Field: "action", Message: "Messages can be replayed or deleted."}
	}
	if err != nil {
		return err
	}
	return c.done(deadLettersURL, answer)
}
