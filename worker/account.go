package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/people"
	"plaza/render"
)

// showSignUp is the form for a new account.
func (a *App) showSignUp(c *call) error {
	if c.actor != nil {
		return a.signedInAlready(c)
	}
	if err := c.parse(); err != nil {
		return err
	}
	return a.signUpPage(c, http.StatusOK, c.typed("username", "email", "next", "invite", "answer"))
}

func (a *App) signUpPage(c *call, status int, f render.Form) error {
	f.Carried = c.carried()
	c.keepInvite(f)
	p := render.SignUpPage{Frame: c.frame("Sign up", "Sign up to "+a.siteName()+".", "/signup"), Form: c.withToken(f),
		Mail: a.Mail != nil, Providers: a.signInLinks(f), SSOOnly: a.SSOOnly}
	p.Invited, p.Question = a.entry() // frame has read the settings
	return show(c, status, render.SignUp, p)
}

// entry is what a newcomer has to bring: an invitation, or an answer to a question.
func (a *App) entry() (invited bool, question string) {
	set := a.settings.Now()
	if set.SignUp == people.SignUpWithApproval {
		question = set.Question
	}
	return set.SignUp == people.SignUpByInvitation, question
}

// signUp makes an account and logs its member in.
func (a *App) signUp(c *call) error {
	if c.value("show") != "" {
		return a.signUpPage(c, http.StatusOK, c.typed("username", "email", "next", "invite", "answer"))
	}
	token, err := c.token()
	if err != nil {
		return a.refuseSignUp(c, err)
	}
	f := people.SignUp{Username: c.whole("username"), Email: c.whole("email"), Password: c.form.Get("password"), Network: a.networkKey(c), Token: token, Invite: c.value("invite"), Answer: c.value("answer")}
	unused, way := func() error { return nil }, "password"
	if c.names("attestation") {
		way = "passkey"
		if unused, err = a.withPasskey(c, &f); err != nil {
			return a.refuseSignUp(c, err)
		}
	}
	actor, err := a.users.SignUp(c.r.Context(), f)
	if err == nil {
		err = unused()
	}
	if err == nil {
		c.toWelcome()
		err = a.signedIn(c, actor, way) // the form may be one of a while ago, sent again
	}
	if err != nil {
		return a.refuseSignUp(c, err)
	}
	return nil
}

// toWelcome has somebody who has just signed up, and was on the way to nothing else, come to the page that offers communities.
func (c *call) toWelcome() {
	if next := c.value("next"); next == "" || next == "/" {
		c.form.Set("next", "/welcome")
	}
}

func (a *App) refuseSignUp(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) {
		return err
	}
	return a.signUpPage(c, formStatus(err), wrong(c.typed("username", "email", "next", "invite", "answer"), err))
}

// signedInAlready leads on from a login page, if the session stands.
func (a *App) signedInAlready(c *call) error {
	if err := c.run(c.read()); err != nil {
		return err
	}
	return c.redirect(back(c.r.URL.Query().Get("next")))
}

// showLogIn is the form to log in.
func (a *App) showLogIn(c *call) error {
	if c.actor != nil {
		return a.signedInAlready(c)
	}
	if err := c.parse(); err != nil {
		return err
	}
	if _, left := c.r.URL.Query()["left"]; left {
		c.notice = "You are logged out, and your account will be deleted in 14 days. To keep it, log in before then."
	}
	return a.logInPage(c, http.StatusOK, c.typed("login", "next"))
}

func (a *App) logInPage(c *call, status int, f render.Form) error {
	f.Carried = c.carried()
	p := render.LogInPage{Frame: c.frame("Log in", "Log in to "+a.siteName()+".", "/login"), Form: c.withToken(f), Mail: a.Mail != nil,
		Offers: offersPasskeys(c), Providers: a.signInLinks(f), SSOOnly: a.SSOOnly}
	return show(c, status, render.LogIn, p)
}

func (a *App) logIn(c *call) error {
	if c.value("show") != "" {
		return a.logInPage(c, http.StatusOK, c.typed("login", "next"))
	}
	actor, err := a.users.LogIn(c.r.Context(), people.LogIn{
		Login: c.value("login"), Password: c.form.Get("password"), Network: a.networkKey(c),
		Stranger: func(name string) error { return a.limitGuesses(c, name) }})
	if err == nil {
		err = a.signedIn(c, actor, "password")
	}
	if err != nil {
		return a.refuseLogIn(c, err)
	}
	return nil
}

func (a *App) refuseLogIn(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) {
		return err
	}
	return a.logInPage(c, formStatus(err), wrong(c.typed("login", "next"), err))
}

// enter begins a session. A session whose cookie it replaces is ended, because nobody could log it out any more; so
// a cookie that somebody else has put into the browser is worth nothing afterwards. way is that of people.SignIn.
func (a *App) enter(c *call, actor data.Actor, way string) error {
	if c.actor != nil {
		if err := a.sessions.End(c.r.Context(), *c.actor); err != nil {
			return err
		}
	}
	if err := a.startSession(c, actor, way); err != nil {
		if c.actor != nil {
			http.SetCookie(c.w, endedCookie())
			c.actor, c.viewer = nil, nil
		}
		return a.suspended(c, err)
	}
	offerPasskeysAgain(c)
	if a.carriedOn(c) {
		return nil
	}
	next := back(c.value("next"))
	if c.cameBack {
		next = "/settings/account/delete?kept"
	}
	return c.done(next, map[string]any{"id": actor.UserID, "username": actor.Name})
}

// logOut ends the session.
func (a *App) logOut(c *call) error {
	if c.actor != nil {
		if err := a.sessions.End(c.r.Context(), *c.actor); err != nil {
			return err
		}
	}
	http.SetCookie(c.w, endedCookie())
	return c.done(back(c.value("return")), map[string]any{"ok": true})
}
