package moderation

import (
	"context"
	"errors"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/moderation/appeals"
	"plaza/data/moderation/modmail"
	"plaza/locale"
	"plaza/worker/decision"
	"plaza/worker/request"
)

// Appeal begins a conversation in which a member appeals against a decision about something of theirs.
func (h *Handlers) Appeal(c *request.Call) error {
	id, err := data.ParseID(c.R.PathValue("decision"))
	if err != nil {
		return err
	}
	conversation, err := h.Appeals.Begin(c.R.Context(), *c.Actor, id, appealSubject, c.Value("text"))
	if err != nil {
		return h.RefuseAppeal(c, err)
	}
	h.SendNotifications(c)
	return c.Done(request.ConversationURL(conversation),
		map[string]any{"id": conversation, "permalink": request.ConversationURL(conversation)})
}

// appealSubject is the subject of an appeal's conversation, in English, because it is stored and several people read it.
func appealSubject(d *modlog.Entry) string {
	if what := decision.Text(d.Action, d.Comment != 0, d.Community, true); what != "" {
		return locale.With("Appeal: {}", what).String()
	}
	return ""
}

// RefuseAppeal shows the decision again, with what was typed.
func (h *Handlers) RefuseAppeal(c *request.Call, err error) error {
	if errors.Is(err, appeals.ErrNoDecision) {
		return err
	}
	return request.RefuseFound(c, err, h.decisionPage, []string{"text"})
}

// DecideAppeal upholds or overturns a decision, and notifies the member.
func (h *Handlers) DecideAppeal(c *request.Call) error {
	id, err := data.ParseID(c.R.PathValue("conversation"))
	if err != nil {
		return err
	}
	j := modmail.AppealDecision{Verdict: modmail.Verdict(c.Value("verdict")), Text: c.Value("text")}
	if err := h.Appeals.Decide(c.R.Context(), *c.Actor, id, j); err != nil {
		return h.RefuseMessage(c, err)
	}
	h.SendNotifications(c)
	return c.Done(onward(c, id, string(j.Verdict)), map[string]any{"id": id, "verdict": j.Verdict, "permalink": request.ConversationURL(id)})
}

// ConsumeVerdict carries out the verdicts about appeals that messages contain.
func (h *Handlers) ConsumeVerdict(ctx context.Context, messages []data.ID) ([]data.ID, error) {
	var err error
	for _, message := range messages {
		err = errors.Join(err, h.Appeals.CarryOut(ctx, message))
	}
	return nil, err
}
