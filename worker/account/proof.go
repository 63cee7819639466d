package account

import (
	"cmp"
	"net/http"
	"time"

	"plaza/data"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
)

// What could take an account away from its member, such as a new password, asks for a proof that the member is there,
// and not somebody who found the browser open or has copied its cookie. Routes whose access is proven ask for it.

// limitProofs is how often somebody may try to give a proof for one account.
var limitProofs = request.Limit{Name: "proofs", Max: 10, Per: 30 * time.Minute, Network: true}

// proofCookie is what the browser keeps between the first and the second step of a proof.
const proofCookie = "__Host-proof"

// halfProved is a member who has given the first step of a proof, in a session.
type halfProved struct{ Session string }

// firstProof is called when the caller has shown who they are by one factor. It asks for the second step if they have one, as logging in
// does. So a stolen session needs more than the password, or the mailbox, to change how the account is logged in to. secret is that of
// the caller's second step (FindOwnSecret). Callers read it before they use up a link or a challenge, so that nothing is lost if that
// fails.
func (h *Handlers) firstProof(c *request.Call, secret, next string) error {
	if secret == "" {
		return h.giveProof(c, next)
	}
	c.Form.Set("next", request.Back(next))
	request.SetSealed(c, proofCookie, halfProved{c.Actor.SessionID.Text()}, secondLife)
	if c.WantsJSON() { // a program may send all at once
		return h.secondProof(c)
	}
	return h.proofCodePage(c, http.StatusOK, c.Typed("next"))
}

// ProveByCode takes the code of the caller's app, or a recovery code, as the second step of a proof.
func (h *Handlers) ProveByCode(c *request.Call) error {
	half, _, ok := request.GetSealed[halfProved](c, proofCookie)
	if !ok || half.Session != c.Actor.SessionID.Text() {
		return h.RefuseProof(c, errHalfProofOver)
	}
	if err := h.secondProof(c); err != nil {
		return h.RefuseProofCode(c, err)
	}
	return nil
}

var errHalfProofOver = &data.Error{Code: data.Forbidden, Message: "That took too long, or it was begun in another browser. Please " +
	"begin again."}

// secondProof uses up the code that was sent.
func (h *Handlers) secondProof(c *request.Call) error {
	if err := h.checkOwnCode(c); err != nil {
		return err
	}
	if err := h.RenewSession(c); err != nil {
		return err
	}
	request.DropSealed(c, proofCookie)
	return c.Done(request.Back(c.Value("next")), map[string]any{"ok": true})
}

func (h *Handlers) RefuseProofCode(c *request.Call, err error) error {
	if c.WantsJSON() || !request.FormCanSay(err) || c.Actor == nil {
		return err
	}
	return h.proofCodePage(c, request.FormStatus(err), request.Wrong(c.Typed("next"), err))
}

func (h *Handlers) proofCodePage(c *request.Call, status int, f ui.Form) error {
	p := pages.SecondStepPage{Frame: c.Frame("Confirm that it is you: the second step", "", ""), Proof: true, Form: f}
	p.NoIndex = true
	return request.Show(c, status, pages.SecondStep, p)
}

// giveProof is called when the caller has given a proof. The session goes on under a new id, so that who has a copy of
// the cookie does not share in the proof.
func (h *Handlers) giveProof(c *request.Call, next string) error {
	if err := h.RenewSession(c); err != nil {
		return err
	}
	return c.Done(request.Back(next), map[string]any{"ok": true})
}

// ShowProve is the page that asks for a proof.
func (h *Handlers) ShowProve(c *request.Call) error {
	if err := c.Parse(); err != nil {
		return err
	}
	return h.provePage(c, http.StatusOK, c.Typed("next"))
}

func (h *Handlers) provePage(c *request.Call, status int, f ui.Form) error {
	r := c.Read()
	account := h.Credentials.FindAccount(r, *c.Actor)
	keys, linked := h.Passkeys.Find(r, c.Actor.UserID), h.Identities.Find(r, c.Actor.UserID)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.ProvePage{Frame: c.Frame("Confirm that it is you", "", ""), Form: c.WithToken(f), Password: account.HasPassword && !h.SSOOnly,
		Mail:    h.Mail != nil && account.Confirmed,
		Passkey: len(*keys) > 0 && !h.SSOOnly, Providers: h.provingLinks(*linked, f.Values["next"])}
	p.NoIndex = true
	return request.Show(c, status, pages.Prove, p)
}

// Prove takes the password as a proof.
func (h *Handlers) Prove(c *request.Call) error {
	err := h.LimitTries(c, limitProofs, c.Actor.UserID.Text())
	if err == nil {
		err = h.Credentials.ProveByPassword(c.R.Context(), *c.Actor, c.Form.Get("password"))
	}
	if err != nil {
		return h.RefuseProof(c, err)
	}
	secret, err := h.TwoFactor.FindOwnSecret(c.R.Context(), *c.Actor)
	if err != nil {
		return err
	}
	return h.firstProof(c, secret, c.Value("next"))
}

// ProveByMail mails a link that is a proof.
func (h *Handlers) ProveByMail(c *request.Call) error {
	token, err := c.Token()
	if err == nil && h.Mail == nil {
		err = errNoMail
	}
	if err == nil {
		err = h.limitMails(c, c.Actor.UserID.Text())
	}
	if err == nil {
		err = h.Credentials.MailProof(c.R.Context(), *c.Actor, cmp.Or(token, request.NewToken()), request.Back(c.Value("next")))
	}
	if err != nil {
		return h.RefuseProof(c, err)
	}
	return h.mailedPage(c, http.StatusOK, "", ui.Form{})
}

func (h *Handlers) RefuseProof(c *request.Call, err error) error {
	if c.WantsJSON() || !request.FormCanSay(err) || c.Actor == nil {
		return err
	}
	return h.provePage(c, request.FormStatus(err), request.Wrong(c.Typed("next"), err))
}
