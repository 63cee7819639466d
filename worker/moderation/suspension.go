package moderation

import (
	"crypto/hmac"
	"errors"
	"net/http"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/moderation/appeals"
	"plaza/data/moderation/modmail"
	"plaza/locale"
	accountpages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/request/limit"
	"plaza/worker/view"
)

// Suspended and banned members can't log in. They appeal without a session, by a signed address that they get after showing who they
// are. It is for one member and one decision, and gives access to nothing else of the account.

// limitAppealOf is how many messages may be sent about the suspension of one member, from all networks together.
var limitAppealOf = limit.Limit{Name: "appeal-of", Max: 20, Per: time.Hour, Network: true}

var (
	errSuspensionLink = &data.Error{Code: data.Forbidden, Message: "It is incomplete. Please log in again to get another one."}
	errSuspensionOver = &data.Error{Code: data.Forbidden, Message: "It has expired. Please log in again to get another one."}
)

// parseSuspensionLink returns the member and the decision in the address. Forbidden if its key is wrong, or if it has expired.
func (h *Handlers) parseSuspensionLink(c *request.Call) (member, decision data.ID, err error) {
	q := c.R.URL.Query()
	member, errM := data.ParseID(q.Get("member"))
	decision, errD := data.ParseID(q.Get("decision"))
	until, errU := strconv.ParseInt(q.Get("until"), 36, 64)
	switch {
	case errM != nil || errD != nil || errU != nil ||
		!hmac.Equal([]byte(q.Get("key")), []byte(h.SuspensionKey(member, decision, q.Get("until")))):
		return 0, 0, errSuspensionLink
	case !h.Source.Now().Before(time.UnixMilli(until)):
		return 0, 0, errSuspensionOver
	}
	return member, decision, nil
}

// ShowSuspension is the page on which a suspended member appeals and reads the verdict.
func (h *Handlers) ShowSuspension(c *request.Call) error {
	return h.suspensionForm(c, http.StatusOK, ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) suspensionForm(c *request.Call, status int, f ui.Form) error {
	member, decision, err := h.parseSuspensionLink(c)
	if err != nil {
		return h.SuspensionPage(c, request.StatusOf(err, c.R.Method), accountpages.SuspensionPage{Broken: request.MessageOf(err)})
	}
	r := c.Read()
	s, appeal := h.Sessions.FindSuspension(r, member), h.Modmail.FindAppealTo(r, member, decision)
	if err := c.Run(r); err != nil {
		return err
	}
	if s.Status == "active" || s.Decision != decision { // it has ended, or another one, which this link must not show, has replaced it
		return h.SuspensionPage(c, status, accountpages.SuspensionPage{Name: s.Name, Status: "active"})
	}
	p := view.SuspensionView(s)
	p.Form, p.Verdict, p.Messages = f, string(appeal.Verdict), messagesOf(appeal)
	if appeal.Status != modmail.Closed {
		p.FormURL = c.R.URL.RequestURI()
	}
	return h.SuspensionPage(c, status, p)
}

// AppealSuspension begins the appeal of a suspended member, or adds to it.
func (h *Handlers) AppealSuspension(c *request.Call) error {
	member, decision, err := h.parseSuspensionLink(c)
	if err != nil {
		return h.RefuseSuspension(c, err)
	}
	if err := h.LimitTries(c, limitAppealOf, member.Text()); err != nil {
		return h.RefuseSuspension(c, err)
	}
	conversation, err := h.Appeals.BeginSuspended(c.R.Context(), member, decision, appealSubject, c.Value("text"))
	if errors.Is(err, appeals.ErrNoDecision) {
		return errSuspensionLink
	}
	if err != nil {
		return h.RefuseSuspension(c, err)
	}
	h.SendNotifications(c)
	return c.Done(c.R.URL.RequestURI(), map[string]any{"id": conversation})
}

// RefuseSuspension shows the page again, with what was typed.
func (h *Handlers) RefuseSuspension(c *request.Call, err error) error {
	if _, _, broken := h.parseSuspensionLink(c); broken != nil && data.ErrorCode(err) == data.RateLimited {
		return err // there is no form to show again
	}
	if request.Refuse(c, err, h.suspensionForm, []string{"text"}) != nil {
		return err
	}
	return nil
}
