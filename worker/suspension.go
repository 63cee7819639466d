package worker

import (
	"crypto/hmac"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/moderation/appeals"
	"plaza/data/modmail"
	"plaza/data/people"
	"plaza/render"
)

// Who is suspended or banned can't log in, and appeals without a session: by an address that the site signs when they have shown who they
// are. It is for one member and one decision, and leads to nothing else of the account.

const (
	suspensionURL = "/suspension"
	// suspensionLinkLife is how long such an address works.
	suspensionLinkLife = 30 * time.Minute
)

// limitAppealOf is how much may be written about the suspension of one member, from wherever it comes.
var limitAppealOf = limit{"appeal-of", 20, time.Hour, true}

// suspensionLink is the address at which a member appeals against a decision, from now on for suspensionLinkLife.
func (a *App) suspensionLink(member, decision data.ID) string {
	until := strconv.FormatInt(a.Source.Now().Add(suspensionLinkLife).UnixMilli(), 36)
	return suspensionURL + "?" + url.Values{"member": {member.Text()}, "decision": {decision.Text()}, "until": {until}, "key": {a.suspensionKey(member, decision, until)}}.Encode()
}

func (a *App) suspensionKey(member, decision data.ID, until string) string {
	return a.signature("suspension\x00" + member.Text() + "\x00" + decision.Text() + "\x00" + until)
}

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

// suspensionView is what a member reads who can't log in.
func suspensionView(s *people.Suspension) render.SuspensionPage {
	return render.SuspensionPage{Name: s.Name, Status: s.Status, Refused: s.Refused, Until: s.Until, Rule: s.Rule, Note: s.Note}
}

// suspended answers somebody who has shown who they are and can't log in, because of err: with why, and with the address at which they appeal.
// It returns err where that is not why they can't log in, and to programs.
func (a *App) suspended(c *call, err error) error {
	s := (*people.Suspension)(nil)
	if !errors.As(err, &s) || c.wantsJSON() {
		return err
	}
	p := suspensionView(s)
	if s.Decision != 0 {
		p.AppealURL = a.suspensionLink(s.Member, s.Decision)
	}
	return a.suspensionPage(c, http.StatusForbidden, p)
}

func (a *App) suspensionPage(c *call, status int, p render.SuspensionPage) error {
	p.Frame = c.frame(a, p.Heading(), "", "")
	p.Frame.Path = "/" // not the link: who logs in on this page must not come back to it
	p.NoIndex = true
	return show(c, status, render.Suspension, p)
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
	r := c.read(a)
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
