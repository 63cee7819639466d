package worker

import (
	"context"
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
	appealed, err := a.modmail.Appealed(ctx, *c.actor, id)
	if err == nil {
		err = j.Validate()
	}
	if err == nil {
		err = a.carryOut(c, appealed, j.Verdict)
	}
	if err == nil {
		err = a.modmail.Settle(ctx, *c.actor, id, j)
	}
	if err != nil {
		return a.refuseMessage(c, err)
	}
	a.told(c)
	return c.done(conversationURL(id), map[string]any{"id": id, "verdict": j.Verdict, "permalink": conversationURL(id)})
}

// carryOut does what follows from a verdict: the log says that the decision stands, or it is taken back.
func (a *App) carryOut(c *call, of *modmail.Appealed, verdict modmail.Verdict) error {
	ctx := c.r.Context()
	r := a.DB.Read()
	d := modlog.FindDecision(r, a.DB, of.Decision)
	if err := r.Run(ctx); err != nil {
		return err
	}
	switch {
	case d.ID == 0:
		return errNoDecision
	case verdict == modmail.Upheld:
		return a.uphold(ctx, *c.actor, d)
	case d.Undone, !d.Until.IsZero() && !d.Until.After(a.Source.Now()): // there is nothing left to take back
		return nil
	}
	if d.Action == modlog.Remove {
		done, err := a.moderation.Decide(ctx, *c.actor, moderation.Decision{Community: d.Community, Action: modlog.Approve}, d.Target)
		if err == nil {
			a.nudgeDecided(c, modlog.Approve, d.Target)
			a.nudgeTold(c, []data.ID{done.Entry}, []data.ID{d.Target})
		}
		return err
	}
	if slices.Contains(suspends, d.Action) {
		entry, err := a.users.TakeBack(ctx, *c.actor, d.Author, d.ID)
		if err == nil && entry != 0 {
			a.nudgeTold(c, []data.ID{entry}, nil)
		}
		return err
	}
	done, err := a.bans.Decide(ctx, *c.actor, bans.Decision{Community: d.Community, Name: of.Member, Action: bans.Lift, Only: of.Decision})
	if err == nil {
		a.nudgeTold(c, done.Entries, nil)
	}
	return err
}

// uphold has the log say that a decision stands.
func (a *App) uphold(ctx context.Context, actor data.Actor, d *modlog.Decision) error {
	where := data.HomeOfID(d.ID)
	if d.Community == "" {
		where = data.Directory
	}
	w := a.DB.Write(where)
	modlog.AddUphold(w, a.Source, actor, d)
	return w.Run(ctx)
}
