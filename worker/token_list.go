package worker

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/people"
	"plaza/render"
)

// showTokens is the page of a member's API tokens.
func (a *App) showTokens(c *call) error {
	if c.r.URL.Query().Has("ended") {
		c.notice = "The token is ended. Programs can't use it any more."
	}
	return a.tokensPage(c, http.StatusOK, render.Form{Values: map[string]string{"read": "1", "days": "90"}, Errors: map[string]string{}})
}

func (a *App) tokensPage(c *call, status int, f render.Form) error {
	r := c.read()
	tokens := a.sessions.FindTokens(r, c.actor.UserID)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.TokensPage{Frame: c.frame("API tokens", "", ""), Form: f}
	p.NoIndex = true
	for _, t := range *tokens {
		p.Tokens = append(p.Tokens, render.TokenItem{ID: t.ID.Text(), Name: t.Name, Scopes: strings.Fields(t.Scopes.String()), CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt, UsedAt: t.UsedAt})
	}
	return show(c, status, render.Tokens, p)
}

// makeToken makes a token and shows it, once.
func (a *App) makeToken(c *call) error {
	var scopes people.Scope
	for _, scope := range []people.Scope{people.Read, people.Write, people.Moderate, people.Feed} {
		if c.flag(scope.String()) {
			scopes |= scope
		}
	}
	days := int(people.TokenMax.Hours() / 24)
	if text := c.value("days"); text != "" {
		days, _ = strconv.Atoi(text)
	}
	t, err := a.sessions.NewToken(c.value("name"), scopes, days)
	if err != nil {
		return a.refuseToken(c, err)
	}
	return a.addToken(c, t)
}

// addToken stores a new token and shows it, once.
func (a *App) addToken(c *call, t people.Token) error {
	token := a.encodeToken(*c.actor, t)
	if err := a.sessions.AddToken(c.r.Context(), *c.actor, t, hashToken(token)); err != nil {
		return a.refuseToken(c, err)
	}
	if c.wantsJSON() {
		made := map[string]any{"id": t.ID.Text(), "token": token, "scopes": t.Scopes.String(), "expires_at": t.ExpiresAt}
		if t.Scopes&people.Feed != 0 {
			made["feed"] = a.ownFeedURL(token)
		}
		return c.json(http.StatusOK, made)
	}
	r := c.read()
	if err := c.run(r); err != nil {
		return err
	}
	p := render.NewTokenPage{Frame: c.frame("Your new token", "", ""), Token: token, ExpiresAt: t.ExpiresAt}
	p.NoIndex = true
	if t.Scopes&people.Feed != 0 {
		p.Address = a.ownFeedURL(token)
	}
	return show(c, http.StatusOK, render.NewToken, p)
}

func (a *App) refuseToken(c *call, err error) error {
	if c.actor == nil || c.wantsJSON() || !formCanSay(err) {
		return err
	}
	return a.tokensPage(c, formStatus(err), wrong(c.typed("name", "read", "write", "moderate", "feed", "days"), err))
}

// renewFeed replaces the address of a feed, because logs and other users may know the old one by now. The new one expires when the old one
// would have.
func (a *App) renewFeed(c *call) error {
	id, err := data.ParseID(c.value("id"))
	if err != nil {
		return errNoFeedToken
	}
	r := a.DB.Read()
	tokens, viewer := a.sessions.FindTokens(r, c.actor.UserID), a.sessions.FindViewer(r, *c.actor)
	if err := r.Run(c.r.Context()); err != nil {
		return err
	}
	if !viewer.Live {
		return data.ErrSessionEnded
	}
	i := slices.IndexFunc(*tokens, func(t people.Token) bool { return t.ID == id && t.Scopes == people.Feed })
	if i < 0 {
		return errNoFeedToken
	}
	old := (*tokens)[i]
	days := int(old.ExpiresAt.Sub(old.CreatedAt).Hours() / 24)
	t, err := a.sessions.NewToken(old.Name, people.Feed, min(max(days, 1), int(people.TokenMax.Hours()/24)))
	if err != nil {
		return err
	}
	// The old one ends first, so that it can't go on working when a later step fails.
	if err := a.sessions.EndToken(c.r.Context(), *c.actor, id); err != nil {
		return err
	}
	return a.addToken(c, t)
}

var errNoFeedToken = &data.Error{Code: data.NotFound, Message: "There is no such feed of yours. It was ended, or its address was replaced already."}

// endToken ends one of the member's tokens.
func (a *App) endToken(c *call) error {
	id, err := data.ParseID(c.value("id"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Message: "There is no such token."}
	}
	if err := a.sessions.EndToken(c.r.Context(), *c.actor, id); err != nil {
		return err
	}
	return c.done("/settings/tokens?ended", map[string]any{"ok": true})
}
