package worker

import (
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/people"
	"plaza/render"
)

// sessionItems are a member's sessions as the page shows them, this one first.
func sessionItems(c *call, list []people.Session) (items []render.SessionItem) {
	for _, s := range list {
		item := render.SessionItem{ID: s.ID.Text(), This: s.ID == c.actor.SessionID, Device: s.Device, Network: networkWords(s.Network),
			Way: wayWords(s.Way), StartedAt: s.StartedAt, SeenAt: s.SeenAt}
		if item.This {
			items = append([]render.SessionItem{item}, items...)
		} else {
			items = append(items, item)
		}
	}
	return items
}

// wayWords says how somebody logged in.
func wayWords(way string) string {
	switch way {
	case "":
		return ""
	case "password", "passkey":
		return "with a " + way
	case "mail":
		return "with a mailed link"
	}
	return "with " + way
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

// endSession logs out one of the member's sessions.
func (a *App) endSession(c *call) error {
	id, err := data.ParseID(c.value("id"))
	if err != nil {
		return errNoSession
	}
	if err := a.sessions.EndOne(c.r.Context(), *c.actor, id); err != nil {
		return err
	}
	if id == c.actor.SessionID {
		http.SetCookie(c.w, endedCookie())
		return c.done("/", map[string]any{"ok": true})
	}
	return c.securityDone("ended")
}

var errNoSession = &data.Error{Code: data.Invalid, Message: "There is no such session."}

// endOtherSessions signs the member out everywhere else. This session goes on under a new cookie.
func (a *App) endOtherSessions(c *call) error {
	actor, err := a.sessions.EndOthers(c.r.Context(), *c.actor)
	if actor.UserID != 0 { // also where a database does not refuse the others yet: some refuse the old cookie
		a.sendSession(c, session{actor, a.Source.Now()})
	}
	if err != nil {
		return err
	}
	return c.securityDone("others")
}
