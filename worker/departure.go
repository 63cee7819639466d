package worker

import (
	"context"
	"net/http"

	"plaza/data"
	"plaza/data/departures"
	"plaza/data/mails"
	"plaza/mail"
	"plaza/render"
)

// showLeave is the page on which members delete their account.
func (a *App) showLeave(c *call) error {
	if _, kept := c.r.URL.Query()["kept"]; kept {
		c.notice = "You keep your account: by logging in you took back its deletion."
	}
	return a.leavePage(c, http.StatusOK, c.typed("content", "alone"))
}

func (a *App) leavePage(c *call, status int, f render.Form) error {
	r := c.read()
	alone := a.departures.FindAlone(r, *c.actor)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.LeavePage{Frame: c.frame("Delete your account", "", ""), Form: f, Alone: *alone}
	p.NoIndex = true
	return show(c, status, render.Leave, p)
}

// leave begins the deletion of the member's account: all sessions end, and a mail says so.
func (a *App) leave(c *call) error {
	err := a.departures.Ask(c.r.Context(), *c.actor, c.value("content"), c.value("alone") == "1")
	if err == nil {
		err = a.sessions.EndAll(c.r.Context(), c.actor.UserID)
	}
	if err != nil {
		return a.refuseLeave(c, err)
	}
	http.SetCookie(c.w, endedCookie())
	return c.done("/login?left", map[string]any{"ok": true})
}

func (a *App) refuseLeave(c *call, err error) error {
	if c.actor == nil || c.wantsJSON() || !formCanSay(err) {
		return err
	}
	return a.leavePage(c, formStatus(err), wrong(c.typed("content", "alone"), err))
}

// leavingLetter tells a member that the account is to be deleted, and how to keep it.
func (a *App) leavingLetter(_ context.Context, m *mails.Waiting) (*mail.Letter, error) {
	until := m.LeftAt.Add(departures.Grace).UTC().Format("2 January 2006")
	return &mail.Letter{
		Subject: "Your account at " + a.siteName() + " will be deleted",
		Parts: []mail.Part{
			mail.Paragraph("Somebody who was logged in as " + m.Username + " has asked for the deletion of this account. It is logged out everywhere, and will be deleted on " + until + "."),
			mail.Paragraph("To keep it, log in before that day. If it was not you who asked, choose a new password as well."),
			mail.Button{Label: "Log in and keep the account", URL: a.SiteURL + "/login"},
		},
		Why: "You get this because this is the address of the account " + m.Username + " at " + a.SiteURL + ".",
	}, nil
}

// sweepDepartures has departures begun whose time has come, and those go on whose message may be lost.
func (a *App) sweepDepartures(ctx context.Context) error {
	due, err := a.departures.FindDue(ctx)
	if err != nil || len(due) == 0 {
		return err
	}
	return a.Queue.Send(ctx, QueueEvents, data.Messages(leaveWord, due...)...)
}

// consumeDepartures carries departures on, one of them a delivery. What is left is sent again as a new message, because
// a message that only waits must not become a dead letter. Should that be lost, the sweep sends it.
func (a *App) consumeDepartures(ctx context.Context, ids []data.ID) ([]data.ID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	more, err := a.departures.Go(ctx, ids[0])
	rest := ids[1:]
	if err != nil {
		rest = ids
	}
	bodies := data.Messages(leaveWord, ids[1:]...)
	if more && err == nil {
		bodies = append(bodies, data.Message(leaveWord, ids[0]))
	}
	if len(bodies) > 0 && a.Queue.Send(ctx, QueueEvents, bodies...) != nil {
		return rest, err // else the sweep
	}
	if err != nil {
		return ids[:1], err
	}
	return nil, nil
}
