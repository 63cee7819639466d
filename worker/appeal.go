package worker

import (
	"context"
	"errors"
	"slices"

	"plaza/data"
	"plaza/data/bans"
	"plaza/data/moderation"
	"plaza/data/modlog"
	"plaza/data/modmail"
)

// appealable tells whether a decision can be appealed against.
func appealable(d *modlog.Decision) bool {
	return !d.Undone && slices.Contains([]modlog.Action{modlog.Remove, modlog.Ban, modlog.Mute, modlog.Suspend, modlog.BanSite}, d.Action)
}

// appeal begins a conversation in which a member appeals against a decision about something of theirs.
func (a *App) appeal(c *call) error {
	id, err := data.ParseID(c.r.PathValue("decision"))
	if err != nil {
		return err
	}
	r := a.DB.Read()
	d := modlog.FindDecision(r, a.DB, id)
	if err := r.Run(c.r.Context()); err != nil {
		return err
	}
	if d.Author != c.viewerID() || decisionText(d.Action, d.Comment != 0, d.Community, true) == "" {
		return errNoDecision
	}
	if !appealable(d) {
		return a.refuseAppeal(c, &data.Error{Code: data.Conflict, Message: "This can't be appealed against. It may have been taken back already."})
	}
	b := modmail.Begin{Community: d.Community, Subject: "Appeal: " + decisionText(d.Action, d.Comment != 0, d.Community, true), About: d.URL(), Text: c.value("text"), Decision: id, Decider: d.Decider}
	if data.IsProfile(d.Community) {
		b.Community = ""
	}
	conversation, err := a.modmail.Begin(c.r.Context(), *c.actor, b)
	if err != nil {
		return a.refuseAppeal(c, err)
	}
	a.told(c)
	return c.done(conversationURL(conversation), map[string]any{"id": conversation, "permalink": conversationURL(conversation)})
}

// refuseAppeal shows the decision again, with what was typed.
func (a *App) refuseAppeal(c *call, err error) error {
	if c.wantsJSON() || c.actor == nil || !formCanSay(err) {
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
	ctx := c.r.Context()
	err = a.modmail.MayJudge(ctx, *c.actor, id)
	message := data.ID(0)
	if err == nil {
		message, err = a.modmail.Settle(ctx, *c.actor, id, j)
	}
	if err != nil {
		return a.refuseMessage(c, err)
	}
	if err := a.carryOut(ctx, message); err != nil { // the sweep has it done
		a.Log.WarnContext(ctx, "verdict not carried out", "request", c.id, "message", message.Text(), "error", err)
	}
	a.told(c)
	return c.done(conversationURL(id), map[string]any{"id": id, "verdict": j.Verdict, "permalink": conversationURL(id)})
}

// consumeJudged carries out verdicts about appeals, by the messages that tell them.
func (a *App) consumeJudged(ctx context.Context, messages []data.ID) ([]data.ID, error) {
	var err error
	for _, message := range messages {
		err = errors.Join(err, a.carryOut(ctx, message))
	}
	return nil, err
}

// carryOut does what follows from a verdict that was settled, once: the log says that the decision stands, or it is taken back. It may be
// ended at any point and repeated.
func (a *App) carryOut(ctx context.Context, message data.ID) error {
	carry, err := a.modmail.Claim(ctx, message)
	if err != nil || carry == nil {
		return err
	}
	r := a.DB.Read()
	d := modlog.FindDecision(r, a.DB, carry.Decision)
	if err := r.Run(ctx); err != nil {
		return err
	}
	follow := a.takeBack
	if carry.Verdict == modmail.Upheld {
		follow = a.uphold
	}
	if err := follow(ctx, carry, d); data.ErrorCode(err) == data.NotFound || data.ErrorCode(err) == data.Conflict || data.ErrorCode(err) == data.Forbidden {
		// Another decision stands in its place, what it was about is gone, or who has judged may not decide any more.
		a.Log.WarnContext(ctx, "nothing follows from a verdict", "message", message.Text(), "error", err)
	} else if err != nil {
		return err
	}
	return a.modmail.Carried(ctx, carry)
}

// takeBack takes the decision back that an appeal was against, if it still stands.
func (a *App) takeBack(ctx context.Context, carry *modmail.Carry, d *modlog.Decision) error {
	switch {
	case d.ID == 0:
		return errNoDecision
	case d.Undone, !d.Until.IsZero() && !d.Until.After(a.Source.Now()): // there is nothing left to take back
		return nil
	case d.Action == modlog.Remove:
		_, err := a.moderation.Decide(ctx, carry.Judge, moderation.Decision{Community: d.Community, Action: modlog.Approve}, d.Target)
		return err
	case slices.Contains(suspends, d.Action):
		return a.users.TakeBack(ctx, carry.Judge, d.Author, d.ID)
	default:
		_, err := a.bans.Decide(ctx, carry.Judge, bans.Decision{Community: d.Community, Name: carry.Member, Action: bans.Lift, Only: carry.Decision})
		return err
	}
}

// uphold has the log say that a decision stands.
func (a *App) uphold(ctx context.Context, carry *modmail.Carry, d *modlog.Decision) error {
	if d.ID == 0 {
		return errNoDecision
	}
	where := data.HomeOfID(d.ID)
	if d.Community == "" {
		where = data.Directory
	}
	w := a.DB.Write(where)
	modlog.AddUphold(w, a.Source, carry.Judge, d)
	return w.Run(ctx)
}
