package worker

import (
	"crypto/hmac"
	"errors"
	"net/http"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/moderation/appeals"
	"plaza/data/modmail"
	"plaza/render"
)

// Who is suspended or banned can't log in, and appeals without a session: by an address that the site signs when they have shown who they
// are. It is for one member and one decision, and leads to nothing else of the account.

// limitAppealOf is how much may be written about the suspension of one member, from wherever it comes.
var limitAppealOf = limit{"appeal-of", 20, time.Hour, true}

var (
	errSuspensionLink = &data.Error{Code: data.Forbidden, Message: "It is not complete. Please log in again; you get another one there."}
	errSuspensionOver = &data.Error{Code: data.Forbidden, Message: "It was for half an hour. Please log in again; you get another one there."}
)

// bySuspensionLink reads from the address who appeals against which decision. Forbidden when this site did not make it, or too long ago.
func (a *App) bySuspensionLink(c *call) (member, decision data.ID, err error) {
	q := c.r.URL.Query()
	member, errM := data.ParseID(q.Get("member"))
	decision, errD := data.ParseID(q.Get("decision"))
	until, errU := strconv.ParseInt(q.Get("until"), 36, 64)
	switch {
	case errM != nil || errD != nil || errU != nil || !hmac.Equal([]byte(q.Get("key")), []byte(a.suspensionKey(member, decision, q.Get("until")))):
		return 0, 0, errSuspensionLink
	case !a.Source.Now().Before(time.UnixMilli(until)):
		return 0, 0, errSuspensionOver
	}
	return member, decision, nil
}

// showSuspension is the page at which who is suspended appeals, and reads what became of it.
func (a *App) showSuspension(c *call) error {
	return a.suspensionForm(c, http.StatusOK, render.Form{Values: map[string]string{}, Errors: map[string]string{}})
}

func (a *App) suspensionForm(c *call, status int, f render.Form) error {
	member, decision, err := a.bySuspensionLink(c)
	if err != nil {
		return a.suspensionPage(c, statusOf(err, c.r.Method), render.SuspensionPage{Broken: messageOf(err)})
	}
	r := c.read()
	s, appeal := a.users.FindSuspension(r, member), a.modmail.FindAppealTo(r, member, decision)
	if err := c.run(r); err != nil {
		return err
	}
	if s.Status == "active" || s.Decision != decision { // it has ended, or was replaced by another, of which this link tells nothing
		return a.suspensionPage(c, status, render.SuspensionPage{Name: s.Name, Status: "active"})
	}
	p := suspensionView(s)
	p.Form, p.Verdict, p.Messages = f, string(appeal.Verdict), messagesOf(appeal)
	if appeal.Status != modmail.Closed {
		p.FormURL = c.r.URL.RequestURI()
	}
	return a.suspensionPage(c, status, p)
}

// appealSuspension begins the appeal of somebody who is suspended, or adds to it.
func (a *App) appealSuspension(c *call) error {
	member, decision, err := a.bySuspensionLink(c)
	if err != nil {
		return a.refuseSuspension(c, err)
	}
	if err := a.limitTries(c, limitAppealOf, member.Text()); err != nil {
		return a.refuseSuspension(c, err)
	}
	conversation, err := a.appeals.BeginSuspended(c.r.Context(), member, decision, appealSubject, c.value("text"))
	if errors.Is(err, appeals.ErrNoDecision) {
		return errSuspensionLink
	}
	if err != nil {
		return a.refuseSuspension(c, err)
	}
	a.told(c)
	return c.done(c.r.URL.RequestURI(), map[string]any{"id": conversation})
}

// refuseSuspension shows the page again, with what was typed.
func (a *App) refuseSuspension(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) {
		return err
	}
	if _, _, broken := a.bySuspensionLink(c); broken != nil && data.ErrorCode(err) == data.RateLimited {
		return err // there is no form to show again
	}
	if a.suspensionForm(c, formStatus(err), wrong(c.typed("text"), err)) != nil {
		return err
	}
	return nil
}
