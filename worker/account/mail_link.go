package account

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/events/mails"
	"plaza/locale"
	"plaza/protocol/mail"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/request/limit"
)

// Mailed links confirm an address, set a new password, begin a session or reauthenticate.
// The page of a link has a button: virus scanners open links but press no buttons, so they don't use links up.

// Limits of mails with a link for one name or address: from one network, and from all networks together. The limit of one
// network is lower, so that one stranger can't use up a member's mails. Requests count alike whether or not there is such
// an account.
var (
	limitMailFrom = limit.Limit{Name: "mail-from", Max: 5, Per: 30 * time.Minute, Network: true}
	limitMailTo   = limit.Limit{Name: "mail-to", Max: 15, Per: 30 * time.Minute, Network: true}
)

// mailKeyOf returns the key of a name or address in the counters.
func (h *Handlers) mailKeyOf(login string) string {
	return h.Key.Hash("mail-to", credentials.LoginKey(strings.TrimSpace(login)))
}

// limitMails counts a request for a mail with a link to a name or address, and refuses it when there were too many.
func (h *Handlers) limitMails(c *request.Call, to string) error {
	if network := h.NetworkKey(c); network != "" {
		if err := h.LimitTries(c, limitMailFrom, network+to); err != nil {
			return err
		}
	}
	return h.LimitTries(c, limitMailTo, to)
}

// linkToken is the secret in the link of a mail. Only this site can make it, and it makes the same one if the mail is sent
// again. The database has only its hash.
func (h *Handlers) linkToken(m data.ID) string { return h.Key.Signature("mail-link\x00" + m.Text()) }

// makeLink makes the link of a mail, which is valid for life, and returns it with its URL; nil if no account gets it. If a name or address
// was typed, the mail goes to the member's address.
func (h *Handlers) makeLink(ctx context.Context, m *mails.Waiting, life time.Duration) (*credentials.MailLink, string, error) {
	if h.Source.Now().Sub(m.QueuedAt) > life { // too late to be useful
		return nil, "", nil
	}
	token := h.linkToken(m.ID)
	l, err := h.Credentials.MakeLink(ctx, m, request.LinkHash(token), life)
	if err != nil || l == nil {
		return nil, "", err
	}
	if m.About["login"] != "" {
		m.To = l.Email
		m.Language = cmp.Or(locale.Find(l.Language), m.Language)
	}
	if ok, err := h.AllowMail(ctx, m, l.User); !ok {
		return nil, "", err
	}
	return l, h.SiteURL + "/link?token=" + token, nil
}

// ConfirmMail goes to the address that it confirms.
func (h *Handlers) ConfirmMail(ctx context.Context, m *mails.Waiting) (*mail.Content, error) {
	l, linkURL, err := h.makeLink(ctx, m, credentials.ConfirmLife)
	if l == nil || err != nil {
		return nil, err
	}
	say := m.Language.Say
	return &mail.Content{
		Language: m.Language.Tag,
		Subject:  say(locale.With("Confirm your address at {}", h.SiteName())),
		Parts: []mail.Part{
			mail.Paragraph(say(locale.With("The account {} at {} has given this address. Is it yours?", l.Username, h.SiteName()))),
			mail.Button{Label: say("Confirm the address"), URL: linkURL},
			mail.Paragraph(say("The link works for a day. If this is not your account, do nothing.")),
		},
		Why: say(locale.With("You get this because somebody typed this address at {}.", h.SiteURL)),
	}, nil
}

// LogInMail goes to the confirmed address of the account whose name or address was typed.
func (h *Handlers) LogInMail(ctx context.Context, m *mails.Waiting) (*mail.Content, error) {
	return h.mailWithLink(ctx, m, locale.With("Log in to {}", h.SiteName()), "With this link you log in to the account {} at {}, "+
		"without a password.",
		"Log in")
}

func (h *Handlers) ResetMail(ctx context.Context, m *mails.Waiting) (*mail.Content, error) {
	return h.mailWithLink(ctx, m, locale.With("A new password at {}", h.SiteName()),
		"With this link you choose a new password for the account {} at {}.", "Choose a password")
}

func (h *Handlers) ReauthMail(ctx context.Context, m *mails.Waiting) (*mail.Content, error) {
	return h.mailWithLink(ctx, m, "Confirm that it is you", "With this link you confirm that it is you who changes the account {} at "+
		"{}. Open it in the browser in which you asked for it.", "It is me")
}

// mailWithLink is a mail with a link that a member asked for. says has the member and the site as arguments.
func (h *Handlers) mailWithLink(ctx context.Context, m *mails.Waiting, subject, says, label locale.Text) (*mail.Content, error) {
	l, linkURL, err := h.makeLink(ctx, m, credentials.LinkLife)
	if l == nil || err != nil {
		return nil, err
	}
	say := m.Language.Say
	return &mail.Content{
		Language: m.Language.Tag,
		Subject:  say(subject),
		Parts: []mail.Part{
			mail.Paragraph(say(locale.With(says, l.Username, h.SiteName()))),
			mail.Button{Label: say(label), URL: linkURL},
			mail.Paragraph(say("The link works once, for half an hour. If you did not ask for it, do nothing: nobody gets in without " +
				"this mail.")),
		},
		Why: say(locale.With("You get this because somebody asked for it at {}.", h.SiteURL)),
	}, nil
}

// PasswordChangedMail notifies a member of a new password.
func (h *Handlers) PasswordChangedMail(_ context.Context, m *mails.Waiting) (*mail.Content, error) {
	say := m.Language.Say
	return &mail.Content{
		Language: m.Language.Tag,
		Subject:  say(locale.With("Your password at {} was changed", h.SiteName())),
		Parts: []mail.Part{
			mail.Paragraph(say(locale.With("The password of the account {} was changed just now. If that was you, all is well.", m.Username))),
			mail.Paragraph(say("If it was not you, choose a new password at once:")),
			mail.Button{Label: say("Choose a password"), URL: h.SiteURL + "/reset"},
		},
		Why: h.whyOfAccount(m),
	}, nil
}

// AddressChangingMail goes to the address that an account has had so far.
func (h *Handlers) AddressChangingMail(_ context.Context, m *mails.Waiting) (*mail.Content, error) {
	say := m.Language.Say
	return &mail.Content{
		Language: m.Language.Tag,
		Subject:  say(locale.With("Your account at {} is about to get another address", h.SiteName())),
		Parts: []mail.Part{
			mail.Paragraph(say(locale.With("Somebody who is logged in as {} asked for its address to be {} from now on. It will be once "+
				"that address is confirmed. If that was you, all is well.", m.Username, m.About["address"]))),
			mail.Paragraph(say("If it was not you, choose a new password at once. That stops the change and logs everybody else out:")),
			mail.Button{Label: say("Choose a password"), URL: h.SiteURL + "/reset"},
		},
		Why: h.whyOfAccount(m),
	}, nil
}

// whyOfAccount says why a member gets a mail about an account.
func (h *Handlers) whyOfAccount(m *mails.Waiting) string {
	return m.Language.Say(locale.With("You get this because this is the address of the account {} at {}.", m.Username, h.SiteURL))
}

// linkRequestPages are the pages where users request a mailed link, by kind.
var linkRequestPages = map[mails.Kind]pages.AskLinkPage{
	credentials.MailLogIn: {Action: "/login/link", Heading: "Log in by mail",
		Says: "We mail you a link, which logs you in without a password."},
	credentials.MailReset: {Action: "/reset", Heading: "A new password", Says: "We mail you a link, with which you choose a new password."},
}

func (h *Handlers) ShowAskLogIn(c *request.Call) error {
	return h.showAskLink(c, credentials.MailLogIn)
}
func (h *Handlers) ShowReset(c *request.Call) error { return h.showAskLink(c, credentials.MailReset) }
func (h *Handlers) MailLogIn(c *request.Call) error { return h.mailLink(c, credentials.MailLogIn) }
func (h *Handlers) MailReset(c *request.Call) error { return h.mailLink(c, credentials.MailReset) }

func (h *Handlers) showAskLink(c *request.Call, kind mails.Kind) error {
	if err := c.Parse(); err != nil {
		return err
	}
	return h.askLinkPage(c, kind, http.StatusOK, c.Typed("login", "next"))
}

func (h *Handlers) askLinkPage(c *request.Call, kind mails.Kind, status int, f ui.Form) error {
	if h.Mail == nil {
		return errNoMail
	}
	f.Carried = c.Carried()
	p := linkRequestPages[kind]
	p.Frame, p.Form = c.PublicFrame(p.Heading, "", p.Action), c.WithToken(f)
	return request.Show(c, status, pages.AskLink, p)
}

var errNoMail = &data.Error{Code: data.NotFound, Message: "This site sends no mail. Please ask who runs it."}

// mailLink enqueues a mail with a link for the name or address that was typed. It does the same, and takes the same
// time, whether or not there is such an account: the consumer that sends the mail looks for it.
func (h *Handlers) mailLink(c *request.Call, kind mails.Kind) error {
	if c.Value("show") != "" {
		return h.askLinkPage(c, kind, http.StatusOK, c.Typed("login", "next"))
	}
	refuse := func(err error) error {
		return request.Refuse(c, err, func(c *request.Call, status int, f ui.Form) error { return h.askLinkPage(c, kind, status, f) },
			[]string{"login", "next"})
	}
	if h.Mail == nil {
		return errNoMail
	}
	login := strings.TrimSpace(c.Value("login"))
	if login == "" || len(login) > mails.AddressMax {
		return refuse(data.Mistake("login", "Please type your username or email address."))
	}
	token, err := c.Token()
	if err == nil {
		err = h.limitMails(c, h.mailKeyOf(login))
	}
	if err == nil {
		about := map[string]string{"login": login, "next": request.Back(c.Value("next")), "network": h.NetworkKey(c),
			"language": c.LanguageToKeep()}
		if len(c.Carried()) > 0 { // the form stays on the page that asked for the link
			about["next"] = "/login/done"
		}
		key := cmp.Or(token, request.NewToken()) + " " + data.DigestOf(login) // another name in the same form is another request
		err = h.Mails.Enqueue(c.R.Context(), mails.Mail{Key: string(kind) + " " + key, Kind: kind, About: about})
	}
	if err != nil {
		return refuse(err)
	}
	return h.mailedPage(c, http.StatusOK, login, c.Typed("next"))
}

// mailedPage says where the link was sent. It carries a form that the visitor has filled in: after the link has logged them
// in in another tab, they continue here. login is what was typed; "" for a member.
func (h *Handlers) mailedPage(c *request.Call, status int, login string, f ui.Form) error {
	if c.WantsJSON() {
		return c.JSON(status, map[string]any{"ok": true})
	}
	f.Carried = c.Carried()
	p := pages.MailedPage{Frame: c.Frame("Check your mail"), Login: login, Form: f}
	return request.Show(c, status, pages.Mailed, p)
}

// LogInContinue continues with the carried form after the visitor has logged in in another tab.
func (h *Handlers) LogInContinue(c *request.Call) error {
	if c.Actor == nil && c.WantsJSON() {
		return request.ErrSignIn
	}
	if c.Actor == nil && c.Value("show") != "" { // from a login page
		return h.RefuseLogIn(c, errNotYet)
	}
	if c.Actor == nil {
		f := c.Typed("next")
		f.Errors[""] = "You are not logged in yet. Please open the link in this browser."
		return h.mailedPage(c, http.StatusUnauthorized, "", f)
	}
	if h.ShowCarried(c) {
		return nil
	}
	return c.Done(request.Back(c.Value("next")), map[string]any{"ok": true})
}

var errNotYet = &data.Error{Code: data.Unauthenticated, Message: "You are not logged in yet. Please finish in the other tab, or " +
	"log in here."}

// ShowLogInDone is the page after a login of a member whose form is in another tab.
func (h *Handlers) ShowLogInDone(c *request.Call) error {
	return h.linkPage(c, http.StatusOK, pages.LinkPage{Heading: "You are logged in",
		Says: "What you have written waits in the tab from which you came. Go back to it to send it."})
}

// ShowLink is the page of a mailed link.
func (h *Handlers) ShowLink(c *request.Call) error {
	r := c.Read()
	l := h.Credentials.FindMailLink(r, request.LinkHash(c.R.URL.Query().Get("token")))
	if err := c.Run(r); err != nil {
		return err
	}
	if l.User == 0 {
		return credentials.ErrLinkInvalid
	}
	return h.linkPage(c, http.StatusOK, linkForm(l, c.R.URL.Query().Get("token"), ui.Form{}))
}

// linkForm returns the page of a valid link.
func linkForm(l *credentials.MailLink, token string, f ui.Form) pages.LinkPage {
	p := pages.LinkPage{Token: token, Form: f}
	switch l.Kind {
	case credentials.MailConfirm:
		p.Heading, p.Button = "Confirm your address", "Confirm the address"
		p.Says = locale.With("{} will be the address of the account {}.", l.About["address"], l.Username)
	case credentials.MailLogIn:
		p.Heading, p.Button = locale.With("Log in as {}", l.Username), "Log in"
	case credentials.MailReset:
		p.Heading, p.Button, p.Password = locale.With("A new password for {}", l.Username), "Save the password", true
		p.Says = "You will be logged out on all other devices."
	case credentials.MailForReauth:
		p.Heading, p.Button = "Confirm that it is you", "It is me"
	}
	return p
}

func (h *Handlers) linkPage(c *request.Call, status int, p pages.LinkPage) error {
	p.Frame = c.Frame(p.Heading)
	p.Frame.Path = "/" // not the link: logging in on this page must not lead back to it
	return request.Show(c, status, pages.Link, p)
}

// logInByLink uses the link up in the transaction that begins the session, or before the second step if the member has one.
func (h *Handlers) logInByLink(c *request.Call, l *credentials.MailLink) error {
	secret, err := h.TwoFactor.FindSecret(c.R.Context(), l.User)
	if err != nil {
		return err
	}
	c.Form = url.Values{"next": {l.About["next"]}}
	if secret == "" {
		actor, link := h.Credentials.BeginByLink(l, h.NetworkKey(c))
		return h.enterBy(c, actor, "mail", link)
	}
	actor, err := h.Credentials.LogInByLink(c.R.Context(), l, h.NetworkKey(c))
	if err != nil {
		return err
	}
	return h.signedIn(c, actor, "mail")
}

// UseMailLink does what a mailed link is for.
func (h *Handlers) UseMailLink(c *request.Call) error {
	ctx, token := c.R.Context(), c.Value("token")
	l, err := h.Credentials.MailLink(ctx, request.LinkHash(token))
	if err != nil {
		return err
	}
	if h.SSOOnly && (l.Kind == credentials.MailLogIn || l.Kind == credentials.MailReset) { // mailed before SSO became mandatory
		return request.ErrSSOOnly
	}
	switch l.Kind {
	case credentials.MailConfirm:
		if err = h.Credentials.ConfirmEmail(ctx, l); err == nil {
			if c.WantsJSON() {
				return c.JSON(http.StatusOK, map[string]any{"ok": true})
			}
			return h.linkPage(c, http.StatusOK, pages.LinkPage{Heading: "Your address is confirmed",
				Says: locale.With("{} is the address of the account {} now. You can log in with it.", l.About["address"], l.Username)})
		}
	case credentials.MailForReauth:
		if c.Actor == nil {
			return credentials.ErrOtherSession
		}
		secret, failed := h.TwoFactor.FindOwnSecret(ctx, *c.Actor)
		if failed != nil {
			return failed
		}
		if err = h.Credentials.ReauthByLink(ctx, *c.Actor, l); err == nil {
			return h.firstReauthStep(c, secret, l.About["next"])
		}
	case credentials.MailLogIn:
		return h.logInByLink(c, l)
	case credentials.MailReset:
		var actor data.Actor
		actor, err = h.Credentials.ResetPassword(ctx, l, c.Form.Get("password"), h.NetworkKey(c))
		if err == nil {
			c.Form = url.Values{"next": {l.About["next"]}}
			return h.signedIn(c, actor, "mail")
		}
	}
	if c.WantsJSON() || data.ErrorCode(err) != data.Invalid {
		return err
	}
	return h.linkPage(c, request.FormStatus(err),
		linkForm(l, token, request.WithError(ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}}, err)))
}
