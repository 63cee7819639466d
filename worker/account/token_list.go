package account

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/locale"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/request/session"
)

// ShowTokens is the page of a member's API tokens.
func (h *Handlers) ShowTokens(c *request.Call) error {
	if c.R.URL.Query().Has("ended") {
		c.Flash = "The token is ended. Programs can't use it any more."
	}
	return h.tokensPage(c, http.StatusOK, ui.Form{Values: map[string]string{"read": "1", "days": "90"}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) tokensPage(c *request.Call, status int, f ui.Form) error {
	r := c.Read()
	tokens := h.Sessions.FindTokens(r, c.Actor.UserID)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.TokensPage{Frame: c.Frame("API tokens"), Form: c.WithToken(f)}
	for _, t := range *tokens {
		p.Tokens = append(p.Tokens, pages.TokenItem{ID: t.ID.Text(), Name: t.Name, Scopes: strings.Fields(t.Scopes.String()),
			CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt, UsedAt: t.UsedAt})
	}
	return request.Show(c, status, pages.Tokens, p)
}

// MakeToken creates a token and shows it, once.
func (h *Handlers) MakeToken(c *request.Call) error {
	var scopes sessions.Scope
	for _, scope := range []sessions.Scope{sessions.Read, sessions.Write, sessions.Moderate, sessions.Feed} {
		if c.Flag(scope.String()) {
			scopes |= scope
		}
	}
	days := int(sessions.TokenMax.Hours() / 24)
	if text := c.Value("days"); text != "" {
		days, _ = strconv.Atoi(text)
	}
	t, err := h.Sessions.NewToken(c.Value("name"), scopes, days)
	if err != nil {
		return h.RefuseToken(c, err)
	}
	form, err := c.Token()
	if err != nil {
		return h.RefuseToken(c, err)
	}
	return h.addToken(c, t, form)
}

// addToken stores a new token and shows it, once. form is the token of the form that asks for it.
func (h *Handlers) addToken(c *request.Call, t sessions.Token, form string) error {
	t, err := h.Sessions.AddToken(c.R.Context(), *c.Actor, t, session.HashToken(h.Key.EncodeToken(*c.Actor, t)), form)
	if err != nil {
		return h.RefuseToken(c, err)
	}
	return h.showNewToken(c, t)
}

// showNewToken shows a token that was stored just now.
func (h *Handlers) showNewToken(c *request.Call, t sessions.Token) error {
	token := h.Key.EncodeToken(*c.Actor, t)
	if c.WantsJSON() {
		created := map[string]any{"id": t.ID.Text(), "token": token, "scopes": t.Scopes.String(), "expires_at": t.ExpiresAt}
		if t.Scopes&sessions.Feed != 0 {
			created["feed"] = h.PrivateFeedURL(token)
		}
		return c.JSON(http.StatusOK, created)
	}
	r := c.Read()
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.NewTokenPage{Frame: c.Frame("Your new token"), Token: token, ExpiresAt: t.ExpiresAt}
	if t.Scopes&sessions.Feed != 0 {
		p.Address = h.PrivateFeedURL(token)
	}
	return request.Show(c, http.StatusOK, pages.NewToken, p)
}

func (h *Handlers) RefuseToken(c *request.Call, err error) error {
	return request.RefuseMember(c, err, h.tokensPage, []string{"name", "read", "write", "moderate", "feed", "days"})
}

// RenewFeed replaces the address of a feed, because the old one may be in logs or known to others by now. The new one is valid for as many
// days, from now on.
func (h *Handlers) RenewFeed(c *request.Call) error {
	id, err := data.ParseID(c.Value("id"))
	if err != nil {
		return sessions.ErrNoFeed
	}
	r := h.DB.Read()
	tokens, viewer := h.Sessions.FindTokens(r, c.Actor.UserID), h.Accounts.FindViewer(r, *c.Actor)
	if err := r.Run(c.R.Context()); err != nil {
		return err
	}
	if !viewer.Live {
		return data.ErrSessionEnded
	}
	i := slices.IndexFunc(*tokens, func(t sessions.Token) bool { return t.ID == id && t.Scopes == sessions.Feed })
	if i < 0 {
		return sessions.ErrNoFeed
	}
	old := (*tokens)[i]
	days := int(old.ExpiresAt.Sub(old.CreatedAt).Hours() / 24)
	t, err := h.Sessions.NewToken(old.Name, sessions.Feed, min(max(days, 1), int(sessions.TokenMax.Hours()/24)))
	if err != nil {
		return err
	}
	if err := h.Sessions.ReplaceToken(c.R.Context(), *c.Actor, id, t, session.HashToken(h.Key.EncodeToken(*c.Actor, t))); err != nil {
		return err
	}
	return h.showNewToken(c, t)
}

// EndToken ends one of the member's tokens.
func (h *Handlers) EndToken(c *request.Call) error {
	id, err := data.ParseID(c.Value("id"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Message: "There is no such token."}
	}
	if err := h.Sessions.EndToken(c.R.Context(), *c.Actor, id); err != nil {
		return err
	}
	return c.Done("/settings/tokens?ended", map[string]any{"ok": true})
}
