package worker

import (
	"context"
	"errors"

	"plaza/data"
	"plaza/data/moderation/appeals"
	"plaza/data/modlog"
	"plaza/data/modmail"
)

// appeal begins a conversation in which a member appeals against a decision about something of theirs.
func (a *App) appeal(c *call) error {
	id, err := data.ParseID(c.r.PathValue("decision"))
	if err != nil {
		return err
	}
	conversation, err := a.appeals.Begin(c.r.Context(), *c.actor, id, appealSubject, c.value("text"))
	if err != nil {
		return a.refuseAppeal(c, err)
	}
	a.told(c)
	return c.done(conversationURL(conversation), map[string]any{"id": conversation, "permalink": conversationURL(conversation)})
}

// appealSubject is the subject of the conversation that an appeal is.
func appealSubject(d *modlog.Decision) string {
	if what := decisionText(d.Action, d.Comment != 0, d.Community, true); what != "" {
		return "Appeal: " + what
	}
	return ""
}

// refuseAppeal shows the decision again, with what was typed.
func (a *App) refuseAppeal(c *call, err error) error {
	if c.wantsJSON() || c.actor == nil || !formCanSay(err) || errors.Is(err, appeals.ErrNoDecision) {
		return err
	}
	if a.decisionPage(c, formStatus(err), wrong(c.typed("text"), err)) != nil {
		return err
	}
	return nil
}

// judgeAppeal lets a decision stand, or takes it back, and tells the member so.
func (a *App) judgeAppeal(c *call) error {
	id, err := data.ParseID(c.r.PathValue("conversation"))
	if err != nil {
		return err
	}
	j := modmail.Judgement{Verdict: modmail.Verdict(c.value("verdict")), Text: c.value("text")}
	if err := a.appeals.Judge(c.r.Context(), *c.actor, id, j); err != nil {
		return a.refuseMessage(c, err)
	}
	a.told(c)
	return c.done(conversationURL(id), map[string]any{"id": id, "verdict": j.Verdict, "permalink": conversationURL(id)})
}

// consumeJudged carries out verdicts about appeals, by the messages that tell them.
func (a *App) consumeJudged(ctx context.Context, messages []data.ID) ([]data.ID, error) {
	var err error
	for _, message := range messages {
		err = errors.Join(err, a.appeals.CarryOut(ctx, message))
	}
	return nil, err
}
