package worker

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/identities"
	"plaza/data/people"
	"plaza/data/spent"
	"plaza/render"
	"plaza/worker/oidc"
)

// Logging in by an account at another site (package oidc). A visitor goes to /auth/{provider}, from there to the provider, and comes
// back to /auth/{provider}/callback. Who is not known here yet comes to /auth/new: a visitor chooses a name for a new account, and a
// member is asked whether to log in by that account, too. Nothing is joined because two addresses are equal.

const (
	// authCookie is what the browser keeps while somebody is at a provider.
	authCookie = "__Host-auth"
	authLife   = 15 * time.Minute
	// identityCookie is who somebody is at a provider, between the callback and /auth/new.
	identityCookie = "__Host-identity"
	// nextMax bounds the address that a cookie has to carry.
	nextMax = 500
)

// authFlow is a login under way.
type authFlow struct {
	Provider, State, Nonce, Verifier, Next string
	Prove                                  bool // somebody logs in once more, as a proof
}

var errNoProvider = &data.Error{Code: data.NotFound, Message: "There is no such provider here. The login page lists those that you can use."}

func (a *App) provider(c *call) (*oidc.Provider, error) {
	for _, p := range a.Providers {
		if p.Name == c.r.PathValue("provider") {
			return p, nil
		}
	}
	return nil, errNoProvider
}

// startProvider sends somebody to a provider.
func (a *App) startProvider(c *call) error {
	p, err := a.provider(c)
	if err != nil {
		return err
	}
	f := authFlow{Provider: p.Name, State: newToken(), Nonce: newToken(), Verifier: newToken() + newToken(), Next: shortNext(c.r.URL.Query().Get("next")),
		Prove: c.actor != nil && c.r.URL.Query().Get("prove") != ""}
	to, err := p.AuthURL(c.r.Context(), f.State, f.Nonce, f.Verifier, f.Prove)
	if err != nil {
		return a.refuseProvider(c, a.providerError(c, p, err))
	}
	setSealed(c, authCookie, f, authLife)
	return c.redirect(to)
}

func shortNext(next string) string {
	if len(next) > nextMax {
		return "/"
	}
	return back(next)
}

// providerError is what a person is told when a provider can't be asked, or its answer is not taken.
func (a *App) providerError(c *call, p *oidc.Provider, err error) error {
	a.Log.WarnContext(c.r.Context(), "login by a provider failed", "request", c.id, "provider", p.Name, "error", err)
	if errors.Is(err, oidc.ErrAway) {
		return &data.Error{Code: data.Unavailable, Message: p.Label + " does not answer at the moment. Please try again in a while, or log in another way.", Err: err}
	}
	return &data.Error{Code: data.Unauthenticated, Message: p.Label + " sent an answer that this site can't verify. Please try again, or log in another way.", Err: err}
}

// refuseProvider shows where somebody logs in, or a member's settings, with what went wrong.
func (a *App) refuseProvider(c *call, err error) error {
	if c.parse() != nil || c.wantsJSON() || !formCanSay(err) {
		return err
	}
	if c.actor != nil {
		return a.securityPage(c, formStatus(err), wrong(c.typed("name"), err))
	}
	return a.logInPage(c, formStatus(err), wrong(c.typed("login", "next"), err))
}

var (
	errOtherFlow = &data.Error{Code: data.Invalid, Message: "That login was begun in another browser, or you have begun another one since. Please try again."}
	errNotThere  = &data.Error{Code: data.Unauthenticated, Message: "The other site did not log you in. Please try again, or log in another way."}
)

// providerCallback is where a provider sends somebody back to.
func (a *App) providerCallback(c *call) error {
	p, err := a.provider(c)
	if err != nil {
		return err
	}
	f, expires, ok := getSealed[authFlow](c, authCookie)
	if !ok { // an address that was opened again
		return c.redirect("/login")
	}
	said := c.r.URL.Query()
	c.form = url.Values{"next": {f.Next}}
	if f.Provider != p.Name || subtle.ConstantTimeCompare([]byte(said.Get("state")), []byte(f.State)) != 1 {
		return a.refuseProvider(c, errOtherFlow) // the browser keeps what it has: that may be the login of another tab
	}
	dropSealed(c, authCookie)
	if said.Get("code") == "" {
		return a.refuseProvider(c, errNotThere)
	}
	who, err := p.Exchange(c.r.Context(), said.Get("code"), said.Get("iss"), f.Nonce, f.Verifier)
	if err != nil {
		return a.refuseProvider(c, a.providerError(c, p, err))
	}
	i := identities.Identity{Issuer: who.Issuer, Subject: who.Subject, Name: nameThere(who.Name)}
	owner, err := a.identities.Use(c.r.Context(), spent.New("state", f.State, expires), i)
	if err != nil {
		return a.refuseProvider(c, err)
	}
	if f.Prove && c.actor != nil {
		began := expires.Add(-authLife)
		if owner.ID != c.actor.UserID || who.ProvedAt.Before(began.Add(-clockSkew)) {
			return a.refuseProvider(c, errNoProof)
		}
		return a.giveProof(c, f.Next)
	}
	return a.cameFromProvider(c, p, who, owner, f.Next)
}

// clockSkew is by how much the clocks of a provider and the site may differ.
const clockSkew = time.Minute

var errNoProof = &data.Error{Code: data.Forbidden, Message: "That did not confirm that it is you. Please log in at the other site once more, with the account that you use here, and type its password. If the other site doesn't ask for a password, log out here and log in again."}

// provingLinks lead a member to the providers where logging in once more is a proof.
func (a *App) provingLinks(linked []identities.Identity, next string) (list []render.ProviderLink) {
	for _, p := range a.Providers {
		mine := slices.ContainsFunc(linked, func(i identities.Identity) bool { return i.Issuer == p.Issuer })
		if mine && p.Reproves() {
			list = append(list, render.ProviderLink{Label: p.Label, URL: "/auth/" + p.Name + "?prove=1&next=" + url.QueryEscape(next)})
		}
	}
	return list
}

// cameFromProvider goes on with somebody who has shown to have an account at a provider.
func (a *App) cameFromProvider(c *call, p *oidc.Provider, who oidc.Identity, owner identities.Owner, next string) error {
	switch {
	case owner.ID == 0:
		setSealed(c, identityCookie, pendingIdentity{p.Name, who.Issuer, who.Subject, nameThere(who.Name), usernameOf(who.Username), who.Email}, authLife)
		return c.redirect("/auth/new?next=" + url.QueryEscape(next))
	case c.actor != nil && owner.ID != c.actor.UserID:
		return a.refuseProvider(c, identities.ErrOther)
	case c.actor != nil:
		return c.redirect("/settings/security?done=known")
	}
	return a.enter(c, a.users.Begin(owner.ID, owner.Name), p.Label)
}

// nameThere is what somebody is called at a provider, as it is stored.
func nameThere(name string) string {
	runes := []rune(data.Line(name))
	return string(runes[:min(len(runes), 100)])
}

// usernameOf makes a username of what somebody is called elsewhere; "" if nothing is left.
func usernameOf(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		case r == '.' || r == ' ' || r == '+':
			return '_'
		}
		return -1
	}, name)
	if name = strings.Trim(name[:min(len(name), people.UsernameMax)], "_-"); len(name) < people.UsernameMin {
		return ""
	}
	return name
}

// pendingIdentity is somebody of a provider who is not known here yet.
type pendingIdentity struct {
	Provider, Issuer, Subject, Name, Username, Email string
}

func (p pendingIdentity) identity() identities.Identity {
	return identities.Identity{Issuer: p.Issuer, Subject: p.Subject, Name: p.Name}
}

// label is what people read of a provider.
func (a *App) label(name string) string {
	for _, p := range a.Providers {
		if p.Name == name {
			return p.Label
		}
	}
	return name
}

// labelOf is what people read of an issuer: the address where its provider isn't configured any more.
func (a *App) labelOf(issuer string) string {
	for _, p := range a.Providers {
		if p.Issuer == issuer {
			return p.Label
		}
	}
	return issuer
}

// showNewIdentity asks somebody of a provider who is not known here for a username, or a member whether to log in that way, too.
func (a *App) showNewIdentity(c *call) error {
	pending, _, ok := getSealed[pendingIdentity](c, identityCookie)
	if !ok {
		return c.redirect("/login")
	}
	if err := c.parse(); err != nil {
		return err
	}
	f := c.typed("username", "email", "next", "invite", "answer")
	f.Values["username"], f.Values["email"] = pending.Username, pending.Email
	return a.newIdentityPage(c, http.StatusOK, f)
}

func (a *App) newIdentityPage(c *call, status int, f render.Form) error {
	pending, _, _ := getSealed[pendingIdentity](c, identityCookie)
	r := c.read()
	if err := c.run(r); err != nil {
		return err
	}
	label := a.label(pending.Provider)
	c.keepInvite(f)
	p := render.NewIdentityPage{Frame: c.frame("Log in with "+label, "", ""), Provider: label, Name: pending.Name, SSOOnly: a.SSOOnly, Mail: a.Mail != nil, Form: c.withToken(f)}
	p.Invited, p.Question = a.entry()
	p.NoIndex = true
	return show(c, status, render.NewIdentity, p)
}

var errNoIdentity = &data.Error{Code: data.Invalid, Message: "That took too long. Please begin again."}

// signUpByProvider makes an account of somebody who came from a provider.
func (a *App) signUpByProvider(c *call) error {
	pending, _, ok := getSealed[pendingIdentity](c, identityCookie)
	if !ok {
		return a.refuseLogIn(c, errNoIdentity)
	}
	token, err := c.token()
	if err != nil {
		return a.refuseNewIdentity(c, err)
	}
	actor, err := a.users.SignUp(c.r.Context(), people.SignUp{
		Username: c.whole("username"), Email: c.whole("email"), Network: a.networkKey(c), Token: token, Invite: c.value("invite"), Answer: c.value("answer"),
		Way: func(w *data.Write, user data.ID) { a.identities.AddFirst(w, user, pending.identity()) }})
	if err != nil {
		return a.refuseNewIdentity(c, err)
	}
	dropSealed(c, identityCookie)
	c.toWelcome()
	return a.enter(c, actor, a.label(pending.Provider))
}

func (a *App) refuseNewIdentity(c *call, err error) error {
	if _, _, ok := getSealed[pendingIdentity](c, identityCookie); !ok || c.wantsJSON() || !formCanSay(err) {
		return err
	}
	return a.newIdentityPage(c, formStatus(err), wrong(c.typed("username", "email", "next", "invite", "answer"), err))
}

// addIdentity has the member log in by the account at a provider from which they just came.
func (a *App) addIdentity(c *call) error {
	pending, _, ok := getSealed[pendingIdentity](c, identityCookie)
	err := error(errNoIdentity)
	if ok {
		err = a.identities.Add(c.r.Context(), *c.actor, pending.identity())
	}
	if err != nil {
		return a.refuseSecurity(c, err)
	}
	dropSealed(c, identityCookie)
	return c.securityDone("identity")
}

func (a *App) removeIdentity(c *call) error {
	id, err := data.ParseID(c.value("id"))
	if err == nil {
		err = a.identities.Remove(c.r.Context(), *c.actor, id, a.SSOOnly)
	}
	if err != nil {
		return a.refuseSecurity(c, err)
	}
	return c.securityDone("removed")
}

// signInLinks are those of a login page. Where it carries another form, they lead to a page that sends people back to the tab that
// has it.
func (a *App) signInLinks(f render.Form) []render.ProviderLink {
	if len(f.Carried) > 0 {
		return a.providerLinks("/login/done")
	}
	return a.providerLinks(f.Values["next"])
}

// providerLinks lead to the providers, and from there to next.
func (a *App) providerLinks(next string) (list []render.ProviderLink) {
	for _, p := range a.Providers {
		to := "/auth/" + p.Name
		if next != "" {
			to += "?next=" + url.QueryEscape(next)
		}
		list = append(list, render.ProviderLink{Label: p.Label, URL: to})
	}
	return list
}
