package account

import (
	"net/http"
	"time"

	"plaza/data"
	"plaza/data/accounts/onetime"
	"plaza/data/accounts/twofactor"
	"plaza/locale"
	"plaza/protocol/totp"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/request/limit"
)

// The second step of logging in: members with an authenticator app are asked for its code after the first factor. In between, a signed
// cookie says who has given the first factor. There is no session before the code.

const (
	secondCookie = "__Host-second"
	secondLife   = 10 * time.Minute
)

// limitCode is how often a code may be tried for one account. With six digits, and three codes that are right at a moment, an attacker who
// knows the password and never pauses guesses one in about two years.
var limitCode = limit.Limit{Name: "code", Max: 10, Per: 30 * time.Minute, Network: true}

// halfway is a member who has given one factor, at the time At, in milliseconds since 1970.
type halfway struct {
	ID, Name, Method string
	At               int64
	Credentials      *int64 // data.Actor.Credentials
}

// signedIn continues a login after the first factor: with the second step if the member has one, else by beginning the session.
// method is sessions.SignIn.Method.
func (h *Handlers) signedIn(c *request.Call, actor data.Actor, method string) error {
	secret, err := h.TwoFactor.FindSecret(c.R.Context(), actor.UserID)
	if err != nil {
		return err
	}
	if secret == "" {
		return h.enter(c, actor, method)
	}
	if c.WantsJSON() && c.Value("code") != "" { // a program sends all at once
		if err := h.checkCode(c, actor.UserID, c.Value("code")); err != nil {
			return err
		}
		return h.enter(c, actor, method)
	}
	step := halfway{actor.UserID.Text(), actor.Name, method, actor.IssuedAt.UnixMilli(), actor.Credentials}
	request.SetSignedCookie(c, secondCookie, step, secondLife)
	if c.WantsJSON() {
		return &data.Error{Code: data.Unauthenticated, Field: "code", Message: "Please send the code of your authenticator app, too."}
	}
	return h.secondStepPage(c, http.StatusOK, c.Typed("code", "next"))
}

func (h *Handlers) secondStepPage(c *request.Call, status int, f ui.Form) error {
	f.Carried = c.Carried()
	p := pages.SecondStepPage{Frame: c.Frame("Log in: the second step"), Form: f}
	return request.Show(c, status, pages.SecondStep, p)
}

var (
	errHalfwayOver = &data.Error{Code: data.Unauthenticated, Message: "That took too long. Please log in again."}
	errCode        = &data.Error{Code: data.Unauthenticated, Field: "code",
		Message: "That code is wrong. Your app shows a new one every 30 seconds; a recovery code works only once."}
)

// SecondStep checks the code and begins the session.
func (h *Handlers) SecondStep(c *request.Call) error {
	who, _, ok := request.SignedCookie[halfway](c, secondCookie)
	id, err := data.ParseID(who.ID)
	if !ok || err != nil {
		return h.RefuseLogIn(c, errHalfwayOver)
	}
	if err := h.checkCode(c, id, c.Value("code")); err != nil {
		return h.RefuseSecondStep(c, err)
	}
	c.DropCookie(secondCookie)
	actor := h.Sessions.Begin(id, who.Name)
	actor.IssuedAt = time.UnixMilli(who.At) // what has ended sessions since then ends this one as well
	actor.Credentials = who.Credentials
	if err := h.enter(c, actor, who.Method); err != nil {
		return h.RefuseLogIn(c, err)
	}
	return nil
}

func (h *Handlers) RefuseSecondStep(c *request.Call, err error) error {
	return request.Refuse(c, err, h.secondStepPage, []string{"code", "next"})
}

// checkCode uses up a code of a member's app, or a recovery code. Unauthenticated, RateLimited.
func (h *Handlers) checkCode(c *request.Call, member data.ID, code string) error {
	if _, wait, err := h.CountCall(c, limitCode, member.Text()); err != nil {
		return err
	} else if wait > 0 {
		return request.RateLimitError(c, wait, locale.With("Too many wrong codes. Please wait {} and try again.", limit.WaitText(wait)))
	}
	digits := totp.Typed(code)
	if len(digits) != 6 {
		hash := totp.RecoveryHash(member.Text(), code)
		used, err := h.TwoFactor.UseRecoveryCode(c.R.Context(), member, hash, onetime.New("recovery", hash, h.Source.Now().Add(time.Hour)))
		if err == nil && !used {
			err = errCode
		}
		return err
	}
	text, err := h.TwoFactor.FindSecret(c.R.Context(), member)
	if err != nil {
		return err
	}
	secret, err := totp.Parse(text)
	if err != nil {
		return errCode // it was turned off in between
	}
	step, ok := totp.Find(secret, digits, h.Source.Now())
	if !ok {
		return errCode
	}
	return h.TwoFactor.UseCode(c.R.Context(), codeToken(member, digits, step))
}

// codeToken is the token that allows a code of an app to be used only once.
func codeToken(member data.ID, code string, step int64) onetime.Token {
	return onetime.New("totp", member.Text()+" "+code, totp.Ends(step))
}

// factorItem is what a member's settings show of the second step.
func factorItem(f *twofactor.Factor) pages.FactorItem {
	return pages.FactorItem{On: f.On, Since: f.Since, Codes: f.Codes}
}
