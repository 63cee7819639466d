package account

import (
	"cmp"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// SessionItem is a session of a member, on this device or another.
type SessionItem struct {
	ID        string
	This      bool        // the session of this request
	Device    string      // in English, as stored
	Network   string      // of the login, without its last part; "" when unknown
	Method    locale.Text // of logging in, such as "with a password"; "" when unknown
	StartedAt time.Time
	SeenAt    time.Time // some time on the last day of use
}

// sessionList shows where a member is logged in.
func sessionList(list []SessionItem, now time.Time) g.Node {
	return h.Section(h.Class("sheet"), h.Aria("labelledby", "sessions"),
		h.H2(h.ID("sessions"), ui.T("Where you are logged in")),
		h.P(h.Class("hint"), ui.T("A session ends 30 days after its last use, and after a year at the latest. If you don't recognise one, "+
			"log it out and change your password.")),
		ui.Rows(list, func(s SessionItem) g.Node { return sessionRow(s, now) }),
		g.If(len(list) > 1, h.Form(h.Class("do"), ui.PostTo("/settings/sessions/end-others"),
			h.Button(h.Class("button"), ui.T("Log out everywhere else")),
		)),
	)
}

func sessionRow(s SessionItem, now time.Time) g.Node {
	return ui.Row(ui.T(deviceName(s.Device)),
		g.Group{g.If(s.This, h.Strong(ui.T("This device"))), g.If(!s.This, ui.T("Last used {}", dayAgo(s.SeenAt, now))), ui.Dot,
			loggedIn(s, now)},
		h.Form(ui.PostTo("/settings/sessions/end"), ui.Hidden("id", s.ID), ui.RowButton("Log out", deviceName(s.Device))))
}

// loggedIn says when and how a session began.
func loggedIn(s SessionItem, now time.Time) g.Node {
	since := ui.Since(s.StartedAt, now)
	switch {
	case s.Method == "" && s.Network == "":
		return ui.T("logged in {}", since)
	case s.Network == "":
		return ui.T("logged in {} {}", since, s.Method)
	case s.Method == "":
		return ui.T("logged in {} from {}", since, s.Network)
	}
	return ui.T("logged in {} {} from {}", since, s.Method, s.Network)
}

// dayAgo says how many days ago a day was, in UTC.
func dayAgo(day, now time.Time) locale.Text {
	switch days := int(now.UTC().Truncate(24*time.Hour).Sub(day.UTC().Truncate(24*time.Hour)) / (24 * time.Hour)); {
	case days <= 0:
		return "today"
	case days == 1:
		return "yesterday"
	default:
		return locale.With("{} day ago|{} days ago", days)
	}
}

// systemNames are the names of systems with an article.
var systemNames = map[string]locale.Text{"an iPhone": "an iPhone", "an iPad": "an iPad", "a Mac": "a Mac"}

// deviceName is the name of a device as a text. It is stored in English (worker/request/session/user_agent.go).
func deviceName(stored string) locale.Text {
	if stored == "An unknown device" {
		return "An unknown device"
	}
	if program, ok := strings.CutPrefix(stored, "A program: "); ok {
		return locale.With("A program: {}", program)
	}
	name, system, ok := strings.Cut(stored, " on ")
	if !ok {
		return locale.Verbatim(stored)
	}
	on := cmp.Or(systemNames[system], locale.Verbatim(system))
	if name == "A program" {
		return locale.With("A program on {}", on)
	}
	return locale.With("{} on {}", name, on)
}
