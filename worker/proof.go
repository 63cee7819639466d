package worker

import (
	"cmp"
	"net/http"
	"time"

	"plaza/data"
	"plaza/render"
)

// What could take an account away from its member, such as a new password, asks for a proof that the member is there,
// and not somebody who found the browser open or has copied its cookie. Routes whose access is proven ask for it.

// limitProofs is how often somebody may try to give a proof for one account.
var limitProofs = limit{"proofs", 10, 30 * time.Minute, true}

// proofCookie is what the browser keeps between the first and the second step of a proof.
const proofCookie = "__Host-proof"

// halfProved is a member who has given the first step of a proof, in a session.
type halfProved struct{ Session string }

// firstProof is called when the caller has shown who they are by one factor. It asks for the second step if they have one, as logging in
// does. So a stolen session needs more than the password, or the mailbox, to change how the account is logged in to. secret is that of
// the caller's second step (FindOwnSecret). Callers read it before they use up a link or a challenge, so that nothing is lost if that fails.
func (a *App) firstProof(c *call, secret, next string) error {
	if secret == "" {
		return a.giveProof(c, next)
	}
	c.form.Set("next", back(next))
	setSealed(c, proofCookie, halfProved{c.actor.SessionID.Text()}, secondLife)
	if c.wantsJSON() { // a program may send all at once
		return a.secondProof(c)
	}
	return a.proofCodePage(c, http.StatusOK, c.typed("next"))
}

// proveByCode takes the code of the caller's app, or a recovery code, as the second step of a proof.
func (a *App) proveByCode(c *call) error {
	half, _, ok := getSealed[halfProved](c, proofCookie)
	if !ok || half.Session != c.actor.SessionID.Text() {
		return a.refuseProof(c, errHalfProofOver)
	}
	if err := a.secondProof(c); err != nil {
		return a.refuseProofCode(c, err)
	}
	return nil
}

var errHalfProofOver = &data.Error{Code: data.Forbidden, Message: "That took too long, or it was begun in another browser. Please begin again."}

// secondProof uses up the code that was sent.
func (a *App) secondProof(c *call) error {
	if err := a.checkOwnCode(c); err != nil {
		return err
	}
	if err := a.renewSession(c); err != nil {
		return err
	}
	dropSealed(c, proofCookie)
	return c.done(back(c.value("next")), map[string]any{"ok": true})
}

func (a *App) refuseProofCode(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) || c.actor == nil {
		return err
	}
	return a.proofCodePage(c, formStatus(err), wrong(c.typed("next"), err))
}

func (a *App) proofCodePage(c *call, status int, f render.Form) error {
	p := render.SecondStepPage{Frame: c.frame("Confirm that it is you: the second step", "", ""), Proof: true, Form: f}
	p.NoIndex = true
	return show(c, status, render.SecondStep, p)
}

// giveProof is called when the caller has given a proof. The session goes on under a new id, so that who has a copy of
// the cookie does not share in the proof.
func (a *App) giveProof(c *call, next string) error {
	if err := a.renewSession(c); err != nil {
		return err
	}
	return c.done(back(next), map[string]any{"ok": true})
}

// showProve is the page that asks for a proof.
func (a *App) showProve(c *call) error {
	if err := c.parse(); err != nil {
		return err
	}
	return a.provePage(c, http.StatusOK, c.typed("next"))
}

func (a *App) provePage(c *call, status int, f render.Form) error {
	r := c.read()
	account := a.users.FindAccount(r, *c.actor)
	keys, linked := a.passkeys.Find(r, c.actor.UserID), a.identities.Find(r, c.actor.UserID)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.ProvePage{Frame: c.frame("Confirm that it is you", "", ""), Form: c.withToken(f), Password: account.HasPassword && !a.SSOOnly, Mail: a.Mail != nil && account.Confirmed,
		Passkey: len(*keys) > 0 && !a.SSOOnly, Providers: a.provingLinks(*linked, f.Values["next"])}
	p.NoIndex = true
	return show(c, status, render.Prove, p)
}

// prove takes the password as a proof.
func (a *App) prove(c *call) error {
	err := a.limitTries(c, limitProofs, c.actor.UserID.Text())
	if err == nil {
		err = a.users.ProveByPassword(c.r.Context(), *c.actor, c.form.Get("password"))
	}
	if err != nil {
		return a.refuseProof(c, err)
	}
	secret, err := a.factors.FindOwnSecret(c.r.Context(), *c.actor)
	if err != nil {
		return err
	}
	return a.firstProof(c, secret, c.value("next"))
}

// proveByMail mails a link that is a proof.
func (a *App) proveByMail(c *call) error {
	token, err := c.token()
	if err == nil && a.Mail == nil {
		err = errNoMail
	}
	if err == nil {
		err = a.limitMails(c, c.actor.UserID.Text())
	}
	if err == nil {
		err = a.users.MailProof(c.r.Context(), *c.actor, cmp.Or(token, newToken()), back(c.value("next")))
	}
	if err != nil {
		return a.refuseProof(c, err)
	}
	return a.mailedPage(c, http.StatusOK, "", render.Form{})
}

func (a *App) refuseProof(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) || c.actor == nil {
		return err
	}
	return a.provePage(c, formStatus(err), wrong(c.typed("next"), err))
}
