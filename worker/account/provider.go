package account

import (
	"cmp"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/identities"
	"plaza/data/accounts/onetime"
	"plaza/data/accounts/signup"
	"plaza/data/ascii"
	"plaza/locale"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/oidc"
	"plaza/worker/request"
)

// Logging in by an account at another site (package oidc). A visitor goes to /auth/{provider}, from there to the provider, and comes
// back to /auth/{provider}/callback. An unknown identity leads to /auth/new: there a visitor chooses a name for a new account, and a
// member is asked whether to add the identity. An identity never gets an account because of an equal address.

const (
	// authCookie has the authFlow while the user is at a provider.
	authCookie = "__Host-auth"
	authLife   = 15 * time.Minute
	// identityCookie has the user's pendingIdentity between the callback and /auth/new.
	identityCookie = "__Host-identity"
	// nextMax is how many bytes authFlow.Next may have.
	nextMax = 500
)

// authFlow is the state of a login at a provider.
type authFlow struct {
	Provider, State, Nonce, Verifier, Next string
	Reauth                                 bool // the login reauthenticates a member
}

var errNoProvider = &data.Error{Code: data.NotFound,
	Message: "There is no such provider here. The login page lists those that you can use."}

func (h *Handlers) provider(c *request.Call) (*oidc.Provider, error) {
	for _, p := range h.Providers {
		if p.Name == c.R.PathValue("provider") {
			return p, nil
		}
	}
	return nil, errNoProvider
}

// StartProvider redirects to a provider.
func (h *Handlers) StartProvider(c *request.Call) error {
	p, err := h.provider(c)
	if err != nil {
		return err
	}
	f := authFlow{Provider: p.Name, State: request.NewToken(), Nonce: request.NewToken(), Verifier: request.NewToken() + request.NewToken(),
		Next:   shortNext(c.R.URL.Query().Get("next")),
		Reauth: c.Actor != nil && c.R.URL.Query().Get("prove") != ""}
	to, err := p.AuthURL(c.R.Context(), f.State, f.Nonce, f.Verifier, f.Reauth)
	if err != nil {
		return h.RefuseProvider(c, h.providerError(c, p, err))
	}
	request.SetSignedCookie(c, authCookie, f, authLife)
	return c.Redirect(to)
}

func shortNext(next string) string {
	if len(next) > nextMax {
		return "/"
	}
	return request.Back(next)
}

// providerError is the error if a provider does not respond, or its response is refused.
func (h *Handlers) providerError(c *request.Call, p *oidc.Provider, err error) error {
	h.Log.WarnContext(c.R.Context(), "login by a provider failed", "request", c.ID, "provider", p.Name, "error", err)
	if errors.Is(err, oidc.ErrUnavailable) {
		return &data.Error{Code: data.Unavailable, Err: err,
			Message: locale.With("{} does not answer at the moment. Please try again in a while, or log in another way.", p.Label)}
	}
	return &data.Error{Code: data.Unauthenticated, Err: err,
		Message: locale.With("{} sent an answer that this site can't verify. Please try again, or log in another way.", p.Label)}
}

// RefuseProvider shows the login page, or a member's settings, with the error.
func (h *Handlers) RefuseProvider(c *request.Call, err error) error {
	switch {
	case c.Parse() != nil:
		return err
	case c.Actor != nil:
		return request.Refuse(c, err, h.securityPage, []string{"name"})
	}
	return request.Refuse(c, err, h.LogInPage, []string{"login", "next"})
}

var (
	errOtherFlow = &data.Error{Code: data.Invalid, Message: "That login was begun in another browser, or you have begun another one since. " +
		"Please try again."}
	errNoCode = &data.Error{Code: data.Unauthenticated, Message: "The other site did not log you in. Please try again, or log in " +
		"another way."}
)

// ProviderCallback is the address to which a provider redirects back.
func (h *Handlers) ProviderCallback(c *request.Call) error {
	p, err := h.provider(c)
	if err != nil {
		return err
	}
	f, expires, ok := request.SignedCookie[authFlow](c, authCookie)
	if !ok { // the address was opened again
		return c.Redirect("/login")
	}
	params := c.R.URL.Query()
	c.Form = url.Values{"next": {f.Next}}
	if f.Provider != p.Name || subtle.ConstantTimeCompare([]byte(params.Get("state")), []byte(f.State)) != 1 {
		return h.RefuseProvider(c, errOtherFlow) // the cookie stays: it may be of a login in another tab
	}
	c.DropCookie(authCookie)
	if params.Get("code") == "" {
		return h.RefuseProvider(c, errNoCode)
	}
	who, err := p.Exchange(c.R.Context(), params.Get("code"), params.Get("iss"), f.Nonce, f.Verifier)
	if err != nil {
		return h.RefuseProvider(c, h.providerError(c, p, err))
	}
	i := identities.Identity{Issuer: who.Issuer, Subject: who.Subject, Name: storedName(who.Name)}
	owner, err := h.Identities.Use(c.R.Context(), onetime.New("state", f.State, expires), i)
	if err != nil {
		return h.RefuseProvider(c, err)
	}
	if f.Reauth && c.Actor != nil {
		began := expires.Add(-authLife)
		if owner.ID != c.Actor.UserID || who.ProvedAt.Before(began.Add(-clockSkew)) {
			return h.RefuseProvider(c, errNoProof)
		}
		return h.endReauth(c, f.Next)
	}
	return h.finishProviderLogin(c, p, who, owner, f.Next)
}

// clockSkew is by how much the clocks of a provider and the site may differ.
const clockSkew = time.Minute

var errNoProof = &data.Error{Code: data.Forbidden, Message: "That did not confirm that it is you. Please log in at the other site once " +
	"more, with the account that you use here, and type its password. If the other site doesn't ask for a password, log out here and log " +
	"in again."}

// reauthLinks are links to the member's providers where they can reauthenticate by logging in once more.
func (h *Handlers) reauthLinks(linked []identities.Identity, next string) (list []pages.ProviderLink) {
	for _, p := range h.Providers {
		mine := slices.ContainsFunc(linked, func(i identities.Identity) bool { return i.Issuer == p.Issuer })
		if mine && p.CanReauthenticate() {
			list = append(list, pages.ProviderLink{Label: p.Label, URL: "/auth/" + p.Name + "?prove=1&next=" + url.QueryEscape(next)})
		}
	}
	return list
}

// finishProviderLogin continues after a provider has confirmed an identity, whose owner is zero if it is unknown here.
func (h *Handlers) finishProviderLogin(c *request.Call, p *oidc.Provider, who oidc.Identity, owner identities.Owner, next string) error {
	switch {
	case owner.ID == 0:
		request.SetSignedCookie(c, identityCookie, pendingIdentity{p.Name, who.Issuer, who.Subject, storedName(who.Name),
			cmp.Or(usernameOf(who.Username), usernameOf(who.Email)), who.Email}, authLife)
		return c.Redirect("/auth/new?next=" + url.QueryEscape(next))
	case c.Actor != nil && owner.ID != c.Actor.UserID:
		return h.RefuseProvider(c, identities.ErrOther)
	case c.Actor != nil:
		return c.Redirect("/settings/security?done=known")
	}
	return h.enter(c, h.Sessions.Begin(owner.ID, owner.Name), p.Label)
}

// storedName is a user's name at a provider, as it is stored.
func storedName(name string) string {
	runes := []rune(data.Line(name))
	return string(runes[:min(len(runes), 100)])
}

// umlauts replaces letters that become two in ASCII (ICAO Doc 9303-3, section 6).
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "å", "aa", "ø", "oe", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "Å", "Aa",
	"Ø", "Oe")

// mixed matches hyphens beside underscores, which no username has (package names).
var mixed = regexp.MustCompile(`_+-[_-]*|-+_[_-]*`)

// usernameOf makes a username from a name at a provider; "" if it would be too short. Of an address it takes the part before
// the @, and of a Windows name, DOMAIN\name, the part after the backslash.
func usernameOf(name string) string {
	name = norm.NFC.String(strings.TrimSpace(name))
	name = strings.TrimPrefix(strings.TrimPrefix(name, "mailto:"), "acct:")
	if guest, _, ok := strings.Cut(name, "#EXT#"); ok { // at Microsoft: ann_example.org#EXT#@host.example
		name = guest[:max(strings.LastIndexByte(guest, '_'), 0)]
	}
	if at := strings.IndexAny(name, "@＠"); at > 0 {
		name = name[:at]
	}
	name = name[strings.LastIndexByte(name, '\\')+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		case r == '.' || r == ' ' || r == '+':
			return '_'
		}
		return -1
	}, strings.TrimSpace(ascii.Fold(umlauts.Replace(name))))
	name = mixed.ReplaceAllString(name, "_")
	if name = strings.Trim(name[:min(len(name), accounts.UsernameMax)], "_-"); len(name) < accounts.UsernameMin {
		return ""
	}
	return name
}

// pendingIdentity is a user of a provider without an account here.
type pendingIdentity struct {
	Provider, Issuer, Subject, Name, Username, Email string
}

func (p pendingIdentity) identity() identities.Identity {
	return identities.Identity{Issuer: p.Issuer, Subject: p.Subject, Name: p.Name}
}

// label returns the label of a provider, or its name if it isn't configured any more.
func (h *Handlers) label(name string) string {
	for _, p := range h.Providers {
		if p.Name == name {
			return p.Label
		}
	}
	return name
}

// labelOf returns the label of an issuer's provider, or the issuer if the provider isn't configured any more.
func (h *Handlers) labelOf(issuer string) string {
	for _, p := range h.Providers {
		if p.Issuer == issuer {
			return p.Label
		}
	}
	return issuer
}

// ShowNewIdentity asks a user of a provider without an account here for a username, or a member whether to add the identity.
func (h *Handlers) ShowNewIdentity(c *request.Call) error {
	pending, _, ok := request.SignedCookie[pendingIdentity](c, identityCookie)
	if !ok {
		return c.Redirect("/login")
	}
	if err := c.Parse(); err != nil {
		return err
	}
	f := c.Typed(signUpFields...)
	f.Values["username"], f.Values["email"] = pending.Username, pending.Email
	return h.newIdentityPage(c, http.StatusOK, f)
}

func (h *Handlers) newIdentityPage(c *request.Call, status int, f ui.Form) error {
	pending, _, _ := request.SignedCookie[pendingIdentity](c, identityCookie)
	r := c.Read()
	if err := c.Run(r); err != nil {
		return err
	}
	label := h.label(pending.Provider)
	keepInvite(c, f)
	p := pages.NewIdentityPage{Frame: c.Frame(locale.With("Log in with {}", label)), Provider: label, Name: pending.Name,
		SSOOnly: h.SSOOnly, Mail: h.Mail != nil, Form: c.WithToken(f)}
	p.Entry = h.entry(c)
	return request.Show(c, status, pages.NewIdentity, p)
}

var errNoIdentity = &data.Error{Code: data.Invalid, Message: "That took too long. Please begin again."}

// SignUpByProvider creates an account for a user with a pending identity.
func (h *Handlers) SignUpByProvider(c *request.Call) error {
	pending, _, ok := request.SignedCookie[pendingIdentity](c, identityCookie)
	if !ok {
		return h.RefuseLogIn(c, errNoIdentity)
	}
	token, err := c.Token()
	if err != nil {
		return h.RefuseNewIdentity(c, err)
	}
	actor, err := h.createAccount(c, signup.Form{
		Language: c.LanguageToKeep(),
		Username: c.RawValue("username"), Email: c.RawValue("email"), Network: h.NetworkKey(c), Token: token, Invite: c.Value("invite"),
		Answer: c.Value("answer"),
		Method: func(w *data.Write, user data.ID) { h.Identities.AddFirst(w, user, pending.identity()) }})
	if err != nil {
		return h.RefuseNewIdentity(c, err)
	}
	c.DropCookie(identityCookie)
	toWelcome(c)
	return h.enter(c, actor, h.label(pending.Provider))
}

func (h *Handlers) RefuseNewIdentity(c *request.Call, err error) error {
	if _, _, ok := request.SignedCookie[pendingIdentity](c, identityCookie); !ok {
		return err
	}
	if errors.Is(err, signup.ErrTooYoung) && !c.WantsJSON() {
		return h.tooYoung(c)
	}
	return request.Refuse(c, err, h.newIdentityPage, signUpFields)
}

// AddIdentity adds the pending identity to the member's sign-in methods.
func (h *Handlers) AddIdentity(c *request.Call) error {
	pending, _, ok := request.SignedCookie[pendingIdentity](c, identityCookie)
	err := error(errNoIdentity)
	if ok {
		err = h.Identities.Add(c.R.Context(), *c.Actor, pending.identity())
	}
	if err != nil {
		return h.RefuseSecurity(c, err)
	}
	c.DropCookie(identityCookie)
	return securityDone(c, "identity")
}

func (h *Handlers) RemoveIdentity(c *request.Call) error {
	id, err := data.ParseID(c.Value("id"))
	if err == nil {
		err = h.Identities.Remove(c.R.Context(), *c.Actor, id, h.SSOOnly)
	}
	if err != nil {
		return h.RefuseSecurity(c, err)
	}
	return securityDone(c, "removed")
}

// signInLinks returns the links of a login page to providers. If the page carries another form, they lead to /login/done, which sends
// people back to the tab with that form.
func (h *Handlers) signInLinks(f ui.Form) []pages.ProviderLink {
	if len(f.Carried) > 0 {
		return h.providerLinks("/login/done")
	}
	return h.providerLinks(f.Values["next"])
}

// providerLinks are the links to log in at the providers, which then lead to next.
func (h *Handlers) providerLinks(next string) (list []pages.ProviderLink) {
	for _, p := range h.Providers {
		to := "/auth/" + p.Name
		if next != "" {
			to += "?next=" + url.QueryEscape(next)
		}
		list = append(list, pages.ProviderLink{Label: p.Label, URL: to})
	}
	return list
}
