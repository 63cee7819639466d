package account

import (
	"strings"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/locale"
	pages "plaza/render/account"
	"plaza/worker/request"
	"plaza/worker/request/session"
)

// sessionItems are a member's sessions as the page shows them, this one first.
func sessionItems(c *request.Call, list []sessions.Session) (items []pages.SessionItem) {
	for _, s := range list {
		item := pages.SessionItem{ID: s.ID.Text(), This: s.ID == c.Actor.SessionID, Device: s.Device, Network: networkWords(s.Network),
			Method: methodWords(s.Method), StartedAt: s.StartedAt, SeenAt: s.SeenAt}
		if item.This {
			items = append([]pages.SessionItem{item}, items...)
		} else {
			items = append(items, item)
		}
	}
	return items
}

// methodWords returns the words for a sign-in method.
func methodWords(method string) locale.Text {
	switch method {
	case "":
		return ""
	case "password":
		return "with a password"
	case "passkey":
		return "with a passkey"
	case "mail":
		return "with a mailed link"
	}
	return locale.With("with {}", method)
}

// networkWords is a network without its size: 192.0.2.* for 192.0.2.0/24, 2001:db8:1:* for 2001:db8:1::/48.
func networkWords(network string) string {
	if four, ok := strings.CutSuffix(network, ".0/24"); ok {
		return four + ".*"
	}
	if six, ok := strings.CutSuffix(network, ":/48"); ok {
		return six + "*"
	}
	return ""
}

// EndSession logs out one of the member's sessions.
func (h *Handlers) EndSession(c *request.Call) error {
	id, err := data.ParseID(c.Value("id"))
	if err != nil {
		return errNoSession
	}
	if err := h.Sessions.EndOne(c.R.Context(), *c.Actor, id); err != nil {
		return err
	}
	if id == c.Actor.SessionID {
		c.DropCookie(session.CookieName)
		return c.Done("/", map[string]any{"ok": true})
	}
	return securityDone(c, "ended")
}

var errNoSession = &data.Error{Code: data.Invalid, Message: "There is no such session."}

// EndOtherSessions logs the member out everywhere else. This session continues with a new cookie.
func (h *Handlers) EndOtherSessions(c *request.Call) error {
	actor, err := h.Sessions.EndOthers(c.R.Context(), *c.Actor)
	if actor.UserID != 0 { // also after an error: some databases may refuse the old cookie already
		h.SendSession(c, session.Session{Actor: actor, UsedAt: h.Source.Now()})
	}
	if err != nil {
		return err
	}
	return securityDone(c, "others")
}
