package worker

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/mails"
	"plaza/data/people"
	"plaza/mail"
	"plaza/render"
)

// Links in mails let somebody in: they confirm an address, set a new password, begin a session or prove who uses one.
// The page of a link has a button; programs that open links to look for viruses press none, and so use nothing up.

// How many mails with a link may be asked for one name or address: from one network, and from all of them together. One
// network may ask for fewer, so that one stranger can't use up those of a member. They count alike whether or not there is
// such an account.
var (
	limitMailFrom = limit{"mail-from", 5, 30 * time.Minute, true}
	limitMailTo   = limit{"mail-to", 15, 30 * time.Minute, true}
)

// mailKeyOf stands for a name or an address in the counters.
func (a *App) mailKeyOf(login string) string {
	return a.secretKey("mail-to", people.LoginKey(strings.TrimSpace(login)))
}

// limitMails counts a mail with a link that is asked for somebody, and refuses when there were too many.
func (a *App) limitMails(c *call, to string) error {
	if network := a.networkKey(c); network != "" {
		if err := a.limitTries(c, limitMailFrom, network+to); err != nil {
			return err
		}
	}
	return a.limitTries(c, limitMailTo, to)
}

// linkToken is the secret in the link of a mail. Only this site can make it, and it makes the same when the mail is sent
// again. The database has its hash alone.
func (a *App) linkToken(mail data.ID) string { return a.signature("mail-link\x00" + mail.Text()) }

// makeLink makes the link of a mail, which works for so long, and returns it with its address; nil if nobody gets it. The mail goes to the
// member's address if a name or address was typed.
func (a *App) makeLink(ctx context.Context, m *mails.Waiting, life time.Duration) (*people.MailLink, string, error) {
	if a.Source.Now().Sub(m.LeftAt) > life { // nobody waits for it any more
		return nil, "", nil
	}
	token := a.linkToken(m.ID)
	l, err := a.users.MakeLink(ctx, m, linkHash(token), life)
	if err != nil || l == nil {
		return nil, "", err
	}
	if m.About["login"] != "" {
		m.To = l.Email
	}
	if ok, err := a.withinBound(ctx, m, l.User); !ok {
		return nil, "", err
	}
	return l, a.SiteURL + "/link?token=" + token, nil
}

// confirmLetter goes to the address that it confirms.
func (a *App) confirmLetter(ctx context.Context, m *mails.Waiting) (*mail.Letter, error) {
	l, address, err := a.makeLink(ctx, m, people.ConfirmLife)
	if l == nil || err != nil {
		return nil, err
	}
	return &mail.Letter{
		Subject: "Confirm your address at " + a.siteName(),
		Parts: []mail.Part{
			mail.Paragraph("The account " + l.Username + " at " + a.siteName() + " has given this address. Is it yours?"),
			mail.Button{Label: "Confirm the address", URL: address},
			mail.Paragraph("The link works for a day. If this is not your account, do nothing."),
		},
		Why: "You get this because somebody typed this address at " + a.SiteURL + ".",
	}, nil
}

// logInLetter goes to the confirmed address of the account that was typed.
func (a *App) logInLetter(ctx context.Context, m *mails.Waiting) (*mail.Letter, error) {
	return a.letterWithLink(ctx, m, "Log in to "+a.siteName(), "With this link you log in to %, without a password.", "Log in")
}

func (a *App) resetLetter(ctx context.Context, m *mails.Waiting) (*mail.Letter, error) {
	return a.letterWithLink(ctx, m, "A new password at "+a.siteName(), "With this link you choose a new password for %.", "Choose a password")
}

func (a *App) proveLetter(ctx context.Context, m *mails.Waiting) (*mail.Letter, error) {
	return a.letterWithLink(ctx, m, "Confirm that it is you", "With this link you confirm that it is you who changes %. Open it in the browser in which you asked for it.", "It is me")
}

// letterWithLink is a letter to a member who asked for it. In says, % stands for the account.
func (a *App) letterWithLink(ctx context.Context, m *mails.Waiting, subject, says, label string) (*mail.Letter, error) {
	l, address, err := a.makeLink(ctx, m, people.LinkLife)
	if l == nil || err != nil {
		return nil, err
	}
	return &mail.Letter{
		Subject: subject,
		Parts: []mail.Part{
			mail.Paragraph(strings.Replace(says, "%", "the account "+l.Username+" at "+a.siteName(), 1)),
			mail.Button{Label: label, URL: address},
			mail.Paragraph("The link works once, for half an hour. If you did not ask for it, do nothing: nobody gets in without this mail."),
		},
		Why: "You get this because somebody asked for it at " + a.SiteURL + ".",
	}, nil
}

// passwordChangedLetter tells a member what has happened.
func (a *App) passwordChangedLetter(_ context.Context, m *mails.Waiting) (*mail.Letter, error) {
	return &mail.Letter{
		Subject: "Your password at " + a.siteName() + " was changed",
		Parts: []mail.Part{
			mail.Paragraph("The password of the account " + m.Username + " was changed just now. If that was you, all is well."),
			mail.Paragraph("If it was not you, choose a new password at once:"),
			mail.Button{Label: "Choose a password", URL: a.SiteURL + "/reset"},
		},
		Why: "You get this because this is the address of the account " + m.Username + " at " + a.SiteURL + ".",
	}, nil
}

// addressChangingLetter goes to the address that an account has had so far.
func (a *App) addressChangingLetter(_ context.Context, m *mails.Waiting) (*mail.Letter, error) {
	return &mail.Letter{
		Subject: "Your account at " + a.siteName() + " is about to get another address",
		Parts: []mail.Part{
			mail.Paragraph("Somebody who is logged in as " + m.Username + " asked for its address to be " + m.About["address"] +
				" from now on. It will be once that address is confirmed. If that was you, all is well."),
			mail.Paragraph("If it was not you, choose a new password at once. That stops the change and logs everybody else out:"),
			mail.Button{Label: "Choose a password", URL: a.SiteURL + "/reset"},
		},
		Why: "You get this because this is the address of the account " + m.Username + " at " + a.SiteURL + ".",
	}, nil
}

// askedLinks are the pages that ask for a link, by kind.
var askedLinks = map[mails.Kind]render.AskLinkPage{
	people.MailLogIn: {Action: "/login/link", Heading: "Log in by mail", Says: "We mail you a link, which logs you in without a password."},
	people.MailReset: {Action: "/reset", Heading: "A new password", Says: "We mail you a link, with which you choose a new password."},
}

func (a *App) showAskLogIn(c *call) error { return a.showAskLink(c, people.MailLogIn) }
func (a *App) showReset(c *call) error    { return a.showAskLink(c, people.MailReset) }
func (a *App) mailLogIn(c *call) error    { return a.mailLink(c, people.MailLogIn) }
func (a *App) mailReset(c *call) error    { return a.mailLink(c, people.MailReset) }

func (a *App) showAskLink(c *call, kind mails.Kind) error {
	if err := c.parse(); err != nil {
		return err
	}
	return a.askLinkPage(c, kind, http.StatusOK, c.typed("login", "next"))
}

func (a *App) askLinkPage(c *call, kind mails.Kind, status int, f render.Form) error {
	if a.Mail == nil {
		return errNoMail
	}
	f.Carried = c.carried()
	p := askedLinks[kind]
	p.Frame, p.Form = c.frame(p.Heading, "", p.Action), c.withToken(f)
	return show(c, status, render.AskLink, p)
}

var errNoMail = &data.Error{Code: data.NotFound, Message: "This site sends no mail. Please ask who runs it."}

// mailLink leaves a mail with a link for the name or address that was typed. It does the same, and takes the same
// time, whether or not there is such an account: who sends the mail looks for that.
func (a *App) mailLink(c *call, kind mails.Kind) error {
	if c.value("show") != "" {
		return a.askLinkPage(c, kind, http.StatusOK, c.typed("login", "next"))
	}
	refuse := func(err error) error {
		if c.wantsJSON() || !formCanSay(err) {
			return err
		}
		return a.askLinkPage(c, kind, formStatus(err), wrong(c.typed("login", "next"), err))
	}
	if a.Mail == nil {
		return errNoMail
	}
	login := strings.TrimSpace(c.value("login"))
	if login == "" || len(login) > people.EmailMax {
		return refuse(data.Mistake("login", "Please type your username or email address."))
	}
	token, err := c.token()
	if err == nil {
		err = a.limitMails(c, a.mailKeyOf(login))
	}
	if err == nil {
		about := map[string]string{"login": login, "next": back(c.value("next")), "network": a.networkKey(c)}
		if len(c.carried()) > 0 { // what was written waits in the page that asked
			about["next"] = "/login/done"
		}
		key := cmp.Or(token, newToken()) + " " + data.DigestOf(login) // the form, sent again with another name, asks for another mail
		err = a.mails.Leave(c.r.Context(), mails.Mail{Key: string(kind) + " " + key, Kind: kind, About: about})
	}
	if err != nil {
		return refuse(err)
	}
	return a.mailedPage(c, http.StatusOK, login, c.typed("next"))
}

// mailedPage tells where the link is. It carries what a visitor has written: once the link has logged them in, in
// another tab, they go on from here. login is what was typed; "" for a member.
func (a *App) mailedPage(c *call, status int, login string, f render.Form) error {
	if c.wantsJSON() {
		return c.json(status, map[string]any{"ok": true})
	}
	f.Carried = c.carried()
	p := render.MailedPage{Frame: c.frame("Check your mail", "", ""), Login: login, Form: f}
	p.NoIndex = true
	return show(c, status, render.Mailed, p)
}

// logInContinue goes on, in the page that has what was written, after the visitor has logged in in another tab.
func (a *App) logInContinue(c *call) error {
	if c.actor == nil && c.wantsJSON() {
		return errSignIn
	}
	if c.actor == nil && c.value("show") != "" { // from a login page
		return a.refuseLogIn(c, errNotYet)
	}
	if c.actor == nil {
		f := c.typed("next")
		f.Errors[""] = "You are not logged in yet. Please open the link in this browser."
		return a.mailedPage(c, http.StatusUnauthorized, "", f)
	}
	if a.carriedOn(c) {
		return nil
	}
	return c.done(back(c.value("next")), map[string]any{"ok": true})
}

var errNotYet = &data.Error{Code: data.Unauthenticated, Message: "You are not logged in yet. Please finish in the other tab, or log in here."}

// showLogInDone is where people come who have logged in while what was written waits in another tab.
func (a *App) showLogInDone(c *call) error {
	return a.linkPage(c, http.StatusOK, render.LinkPage{Heading: "You are logged in",
		Says: "What you have written waits in the tab from which you came. Go back to it to send it."})
}

// showLink is the page of a mailed link.
func (a *App) showLink(c *call) error {
	r := c.read()
	l := a.users.FindMailLink(r, linkHash(c.r.URL.Query().Get("token")))
	if err := c.run(r); err != nil {
		return err
	}
	if l.User == 0 {
		return people.ErrLinkVoid
	}
	return a.linkPage(c, http.StatusOK, a.linkForm(c, l, c.r.URL.Query().Get("token"), render.Form{}))
}

// linkForm is what the page of a link that works shows.
func (a *App) linkForm(_ *call, l *people.MailLink, token string, f render.Form) render.LinkPage {
	p := render.LinkPage{Token: token, Form: f}
	switch l.Kind {
	case people.MailConfirm:
		p.Heading, p.Button = "Confirm your address", "Confirm the address"
		p.Says = l.About["address"] + " will be the address of the account " + l.Username + "."
	case people.MailLogIn:
		p.Heading, p.Button = "Log in as "+l.Username, "Log in"
	case people.MailReset:
		p.Heading, p.Button, p.Password = "A new password for "+l.Username, "Save the password", true
		p.Says = "You will be logged out on all other devices."
	case people.MailProve:
		p.Heading, p.Button = "Confirm that it is you", "It is me"
	}
	return p
}

func (a *App) linkPage(c *call, status int, p render.LinkPage) error {
	p.Frame = c.frame(p.Heading, "", "")
	p.Frame.Path = "/" // not the link: who logs in on this page must not come back to it
	p.NoIndex = true
	return show(c, status, render.Link, p)
}

// useMailLink does what a mailed link is for.
func (a *App) useMailLink(c *call) error {
	ctx, token := c.r.Context(), c.value("token")
	l, err := a.users.MailLink(ctx, linkHash(token))
	if err != nil {
		return err
	}
	if a.SSOOnly && (l.Kind == people.MailLogIn || l.Kind == people.MailReset) { // mailed before there was no other way
		return errSSOOnly
	}
	switch l.Kind {
	case people.MailConfirm:
		if err = a.users.ConfirmEmail(ctx, l); err == nil {
			if c.wantsJSON() {
				return c.json(http.StatusOK, map[string]any{"ok": true})
			}
			return a.linkPage(c, http.StatusOK, render.LinkPage{Heading: "Your address is confirmed",
				Says: l.About["address"] + " is the address of the account " + l.Username + " now. You can log in with it."})
		}
	case people.MailProve:
		if c.actor == nil {
			return people.ErrOtherSession
		}
		secret, failed := a.factors.FindOwnSecret(ctx, *c.actor)
		if failed != nil {
			return failed
		}
		if err = a.users.ProveByLink(ctx, *c.actor, l); err == nil {
			return a.firstProof(c, secret, l.About["next"])
		}
	case people.MailLogIn, people.MailReset:
		var actor data.Actor
		if l.Kind == people.MailLogIn {
			actor, err = a.users.LogInByLink(ctx, l, a.networkKey(c))
		} else {
			actor, err = a.users.ResetPassword(ctx, l, c.form.Get("password"), a.networkKey(c))
		}
		if err == nil {
			c.form = url.Values{"next": {l.About["next"]}}
			return a.signedIn(c, actor, "mail")
		}
	}
	if c.wantsJSON() || data.ErrorCode(err) != data.Invalid {
		return err
	}
	return a.linkPage(c, formStatus(err), a.linkForm(c, l, token, wrong(render.Form{Values: map[string]string{}, Errors: map[string]string{}}, err)))
}
