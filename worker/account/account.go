package account

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/invitations"
	"plaza/data/accounts/sessions"
	"plaza/data/accounts/signup"
	"plaza/locale"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/request/session"
)

// signUpFields are the fields of the forms that create an account, without the password.
var signUpFields = []string{"username", "email", "next", "invite", "answer", "born", "terms"}

// ShowSignUp is the form for a new account.
func (h *Handlers) ShowSignUp(c *request.Call) error {
	if c.Actor != nil {
		return h.signedInAlready(c)
	}
	if err := c.Parse(); err != nil {
		return err
	}
	return h.signUpPage(c, http.StatusOK, c.Typed(signUpFields...))
}

func (h *Handlers) signUpPage(c *request.Call, status int, f ui.Form) error {
	f.Carried = c.Carried()
	keepInvite(c, f)
	p := pages.SignUpPage{Frame: c.PublicFrame("Sign up", locale.With("Sign up to {}.", h.SiteName()), "/signup"), Form: c.WithToken(f),
		Mail: h.Mail != nil, Providers: h.signInLinks(f), SSOOnly: h.SSOOnly}
	p.Entry, p.Reason = h.entry(c), h.reason(c, true) // after PublicFrame, which reads the settings
	return request.Show(c, status, pages.SignUp, p)
}

// entry returns what the site requires at sign-up.
func (h *Handlers) entry(c *request.Call) pages.Entry {
	set := h.Settings.Now()
	e := pages.Entry{Invited: set.SignUp == invitations.SignUpByInvitation, MinAge: set.MinAge, Terms: set.Terms > 0}
	if set.SignUp == invitations.SignUpWithApproval {
		e.Question = set.Question
	}
	if set.MinAge > 0 && hasYoungCookie(c) {
		e.TooYoung = accounts.MinAge(set.MinAge).TooYoung()
	}
	return e
}

const (
	// youngCookie marks a browser in which a year of birth was stated that is too young. Until the cookie expires, the browser gets no
	// form, so going back to type another year does not help. The cookie does not contain the year.
	youngCookie = "__Host-young"
	youngLife   = 24 * time.Hour
)

func hasYoungCookie(c *request.Call) bool {
	_, _, ok := request.SignedCookie[bool](c, youngCookie)
	return ok
}

// tooYoung shows, instead of the form, that the stated year is too young.
func (h *Handlers) tooYoung(c *request.Call) error {
	p := pages.SignUpPage{Frame: c.Frame("Sign up"), Entry: pages.Entry{TooYoung: accounts.MinAge(h.Settings.Now().MinAge).TooYoung()}}
	return request.Show(c, http.StatusUnprocessableEntity, pages.SignUp, p)
}

// createAccount creates an account, unless a year of birth that is too young was stated in this browser before.
func (h *Handlers) createAccount(c *request.Call, f signup.Form) (data.Actor, error) {
	if set := h.Settings.Now(); set.MinAge > 0 && hasYoungCookie(c) {
		return data.Actor{}, data.Mistake("", accounts.MinAge(set.MinAge).TooYoung())
	}
	f.Born, _ = strconv.ParseInt(strings.TrimSpace(c.Value("born")), 10, 64)
	f.Accepts = c.Flag("terms")
	actor, err := h.Signup.SignUp(c.R.Context(), f)
	if errors.Is(err, signup.ErrTooYoung) {
		request.SetSignedCookie(c, youngCookie, true, youngLife)
		c.Form.Del("born")
	}
	return actor, err
}

// SignUp creates an account and logs its member in.
func (h *Handlers) SignUp(c *request.Call) error {
	if c.Value("show") != "" {
		return h.signUpPage(c, http.StatusOK, c.Typed(signUpFields...))
	}
	token, err := c.Token()
	if err != nil {
		return h.RefuseSignUp(c, err)
	}
	f := signup.Form{Language: c.LanguageToKeep(), Username: c.RawValue("username"), Email: c.RawValue("email"),
		Password: c.Form.Get("password"), Network: h.NetworkKey(c),
		Token: token, Invite: c.Value("invite"), Answer: c.Value("answer")}
	unused, method := func() error { return nil }, "password"
	if c.HasAny("attestation") {
		method = "passkey"
		if unused, err = h.withPasskey(c, &f); err != nil {
			return h.RefuseSignUp(c, err)
		}
	}
	actor, err := h.createAccount(c, f)
	if err == nil {
		err = unused()
	}
	if err == nil {
		toWelcome(c)
		err = h.signedIn(c, actor, method) // asks for a second step if an old form is sent again
	}
	if err != nil {
		return h.RefuseSignUp(c, err)
	}
	return nil
}

// toWelcome sets the next page of a sign-up to the one that offers communities, unless the form names another page or
// an action waits to be carried out.
func toWelcome(c *request.Call) {
	pressed, _ := c.Wanted()
	if next := c.Value("next"); pressed == "" && (next == "" || next == "/") {
		c.Form.Set("next", "/welcome")
	}
}

func (h *Handlers) RefuseSignUp(c *request.Call, err error) error {
	if errors.Is(err, signup.ErrTooYoung) && !c.WantsJSON() {
		return h.tooYoung(c)
	}
	return request.Refuse(c, err, h.signUpPage, signUpFields)
}

// signedInAlready redirects a member from a login page, if the session is live.
func (h *Handlers) signedInAlready(c *request.Call) error {
	if err := c.Run(c.Read()); err != nil {
		return err
	}
	return c.Redirect(request.Back(c.R.URL.Query().Get("next")))
}

// ShowLogIn is the form to log in.
func (h *Handlers) ShowLogIn(c *request.Call) error {
	if c.Actor != nil {
		return h.signedInAlready(c)
	}
	if err := c.Parse(); err != nil {
		return err
	}
	if _, left := c.R.URL.Query()["left"]; left {
		c.Flash = "You are logged out, and your account will be deleted in 14 days. To keep it, log in before then."
	}
	return h.LogInPage(c, http.StatusOK, c.Typed("login", "next"))
}

func (h *Handlers) LogInPage(c *request.Call, status int, f ui.Form) error {
	f.Carried = c.Carried()
	p := pages.LogInPage{Frame: c.PublicFrame("Log in", locale.With("Log in to {}.", h.SiteName()), "/login"), Form: c.WithToken(f),
		Mail: h.Mail != nil, Offers: offersPasskeys(c), Providers: h.signInLinks(f), SSOOnly: h.SSOOnly}
	p.Reason = h.reason(c, false)
	return request.Show(c, status, pages.LogIn, p)
}

func (h *Handlers) LogIn(c *request.Call) error {
	if c.Value("show") != "" {
		return h.LogInPage(c, http.StatusOK, c.Typed("login", "next"))
	}
	actor, err := h.Credentials.LogIn(c.R.Context(), credentials.LogIn{
		Login: c.Value("login"), Password: c.Form.Get("password"), Network: h.NetworkKey(c),
		LimitUnknownNetwork: func(name string) error { return h.LimitGuesses(c, name) }})
	if err == nil {
		err = h.signedIn(c, actor, "password")
	}
	if err != nil {
		return h.RefuseLogIn(c, err)
	}
	return nil
}

func (h *Handlers) RefuseLogIn(c *request.Call, err error) error {
	return request.Refuse(c, err, h.LogInPage, []string{"login", "next"})
}

// enter begins a session. It ends the session whose cookie it replaces, because nothing could log that out any more. So
// a cookie that an attacker has put into the browser is useless afterwards. method is sessions.SignIn.Method.
func (h *Handlers) enter(c *request.Call, actor data.Actor, method string) error {
	return h.enterBy(c, actor, method, nil)
}

// enterBy is enter with a mailed link, which it uses up; nil for other sign-in methods.
func (h *Handlers) enterBy(c *request.Call, actor data.Actor, method string, link *sessions.Link) error {
	old := c.Actor
	// A login that fails does not change the cookie: another request with the same link may have set a new one by now. That request has
	// ended the old session, so the response is a visitor's.
	if err := h.StartSession(c, actor, method, link); err != nil {
		c.Actor, c.Viewer = nil, nil
		return h.suspended(c, err)
	}
	if old != nil {
		if err := h.Sessions.End(c.R.Context(), *old); err != nil {
			return err
		}
	}
	offerPasskeysAgain(c)
	if h.ShowCarried(c) || h.ResumeWanted(c) {
		return nil
	}
	next := request.Back(c.Value("next"))
	if c.DeletionCancelled {
		next = "/settings/account/delete?kept"
	}
	return c.Done(next, map[string]any{"id": actor.UserID, "username": actor.Name})
}

// LogOut ends the session.
func (h *Handlers) LogOut(c *request.Call) error {
	if c.Actor != nil {
		if err := h.Sessions.End(c.R.Context(), *c.Actor); err != nil {
			return err
		}
	}
	c.DropCookie(session.CookieName)
	return c.Done(request.Back(c.Value("return")), map[string]any{"ok": true})
}
