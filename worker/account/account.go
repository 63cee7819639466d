package account

import (
	"net/http"

	"plaza/data"
	"plaza/data/people"
	"plaza/render"
	"plaza/worker/request"
)

// ShowSignUp is the form for a new account.
func (a *Handlers) ShowSignUp(c *request.Call) error {
	if c.Actor != nil {
		return a.signedInAlready(c)
	}
	if err := c.Parse(); err != nil {
		return err
	}
	return a.signUpPage(c, http.StatusOK, c.Typed("username", "email", "next", "invite", "answer"))
}

func (a *Handlers) signUpPage(c *request.Call, status int, f render.Form) error {
	f.Carried = c.Carried()
	keepInvite(c, f)
	p := render.SignUpPage{Frame: c.Frame("Sign up", "Sign up to "+a.SiteName()+".", "/signup"), Form: c.WithToken(f),
		Mail: a.Mail != nil, Providers: a.signInLinks(f), SSOOnly: a.SSOOnly}
	p.Invited, p.Question = a.entry() // frame has read the settings
	return request.Show(c, status, render.SignUp, p)
}

// entry is what a newcomer has to bring: an invitation, or an answer to a question.
func (a *Handlers) entry() (invited bool, question string) {
	set := a.Settings.Now()
	if set.SignUp == people.SignUpWithApproval {
		question = set.Question
	}
	return set.SignUp == people.SignUpByInvitation, question
}

// SignUp makes an account and logs its member in.
func (a *Handlers) SignUp(c *request.Call) error {
	if c.Value("show") != "" {
		return a.signUpPage(c, http.StatusOK, c.Typed("username", "email", "next", "invite", "answer"))
	}
	token, err := c.Token()
	if err != nil {
		return a.RefuseSignUp(c, err)
	}
	f := people.SignUp{Username: c.Whole("username"), Email: c.Whole("email"), Password: c.Form.Get("password"), Network: a.NetworkKey(c), Token: token, Invite: c.Value("invite"), Answer: c.Value("answer")}
	unused, way := func() error { return nil }, "password"
	if c.Names("attestation") {
		way = "passkey"
		if unused, err = a.withPasskey(c, &f); err != nil {
			return a.RefuseSignUp(c, err)
		}
	}
	actor, err := a.Users.SignUp(c.R.Context(), f)
	if err == nil {
		err = unused()
	}
	if err == nil {
		toWelcome(c)
		err = a.signedIn(c, actor, way) // the form may be one of a while ago, sent again
	}
	if err != nil {
		return a.RefuseSignUp(c, err)
	}
	return nil
}

// toWelcome has somebody who has just signed up, and was on the way to nothing else, come to the page that offers communities.
func toWelcome(c *request.Call) {
	if next := c.Value("next"); next == "" || next == "/" {
		c.Form.Set("next", "/welcome")
	}
}

func (a *Handlers) RefuseSignUp(c *request.Call, err error) error {
	if c.WantsJSON() || !request.FormCanSay(err) {
		return err
	}
	return a.signUpPage(c, request.FormStatus(err), request.Wrong(c.Typed("username", "email", "next", "invite", "answer"), err))
}

// signedInAlready leads on from a login page, if the session stands.
func (a *Handlers) signedInAlready(c *request.Call) error {
	if err := c.Run(c.Read()); err != nil {
		return err
	}
	return c.Redirect(request.Back(c.R.URL.Query().Get("next")))
}

// ShowLogIn is the form to log in.
func (a *Handlers) ShowLogIn(c *request.Call) error {
	if c.Actor != nil {
		return a.signedInAlready(c)
	}
	if err := c.Parse(); err != nil {
		return err
	}
	if _, left := c.R.URL.Query()["left"]; left {
		c.Notice = "You are logged out, and your account will be deleted in 14 days. To keep it, log in before then."
	}
	return a.LogInPage(c, http.StatusOK, c.Typed("login", "next"))
}

func (a *Handlers) LogInPage(c *request.Call, status int, f render.Form) error {
	f.Carried = c.Carried()
	p := render.LogInPage{Frame: c.Frame("Log in", "Log in to "+a.SiteName()+".", "/login"), Form: c.WithToken(f), Mail: a.Mail != nil,
		Offers: offersPasskeys(c), Providers: a.signInLinks(f), SSOOnly: a.SSOOnly}
	return request.Show(c, status, render.LogIn, p)
}

func (a *Handlers) LogIn(c *request.Call) error {
	if c.Value("show") != "" {
		return a.LogInPage(c, http.StatusOK, c.Typed("login", "next"))
	}
	actor, err := a.Users.LogIn(c.R.Context(), people.LogIn{
		Login: c.Value("login"), Password: c.Form.Get("password"), Network: a.NetworkKey(c),
		Stranger: func(name string) error { return a.LimitGuesses(c, name) }})
	if err == nil {
		err = a.signedIn(c, actor, "password")
	}
	if err != nil {
		return a.RefuseLogIn(c, err)
	}
	return nil
}

func (a *Handlers) RefuseLogIn(c *request.Call, err error) error {
	if c.WantsJSON() || !request.FormCanSay(err) {
		return err
	}
	return a.LogInPage(c, request.FormStatus(err), request.Wrong(c.Typed("login", "next"), err))
}

// enter begins a session. A session whose cookie it replaces is ended, because nobody could log it out any more; so
// a cookie that somebody else has put into the browser is worth nothing afterwards. way is that of people.SignIn.
func (a *Handlers) enter(c *request.Call, actor data.Actor, way string) error {
	if c.Actor != nil {
		if err := a.Sessions.End(c.R.Context(), *c.Actor); err != nil {
			return err
		}
	}
	if err := a.StartSession(c, actor, way); err != nil {
		if c.Actor != nil {
			http.SetCookie(c.W, request.EndedCookie())
			c.Actor, c.Viewer = nil, nil
		}
		return a.suspended(c, err)
	}
	offerPasskeysAgain(c)
	if a.CarriedOn(c) {
		return nil
	}
	next := request.Back(c.Value("next"))
	if c.CameBack {
		next = "/settings/account/delete?kept"
	}
	return c.Done(next, map[string]any{"id": actor.UserID, "username": actor.Name})
}

// LogOut ends the session.
func (a *Handlers) LogOut(c *request.Call) error {
	if c.Actor != nil {
		if err := a.Sessions.End(c.R.Context(), *c.Actor); err != nil {
			return err
		}
	}
	http.SetCookie(c.W, request.EndedCookie())
	return c.Done(request.Back(c.Value("return")), map[string]any{"ok": true})
}
