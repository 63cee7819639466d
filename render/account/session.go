package account

import (
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// SessionItem is a session of a member, on this device or another.
type SessionItem struct {
	ID        string
	This      bool   // the page is shown in it
	Device    string // in plain words
	Network   string // of the login, without its last part; "" when unknown
	Method    string // of logging in, in words; "" when unknown
	StartedAt time.Time
	SeenAt    time.Time // some time on the last day of use
}

// sessionList shows where a member is logged in.
func sessionList(list []SessionItem, now time.Time) g.Node {
	return h.Section(h.Class("ways"), h.Aria("labelledby", "sessions"),
		h.H2(h.ID("sessions"), g.Text("Where you are logged in")),
		h.P(h.Class("hint"), g.Text("A session ends 30 days after its last use, and after a year at the latest. If you don't recognise one, "+
			"log it out and change your password.")),
		h.Ul(g.Map(list, func(s SessionItem) g.Node { return sessionRow(s, now) })),
		g.If(len(list) > 1, h.Form(h.Class("do"), ui.PostTo("/settings/sessions/end-others"),
			h.Button(h.Class("button"), g.Text("Log out everywhere else")),
		)),
	)
}

func sessionRow(s SessionItem, now time.Time) g.Node {
	return h.Li(
		h.Div(
			h.H3(g.Text(s.Device)),
			h.P(h.Class("muted"),
				g.If(s.This, h.Strong(g.Text("This device"))),
				g.If(!s.This, g.Text("Last used "+dayAgo(s.SeenAt, now))),
				g.Text(" · logged in "), ui.Since(s.StartedAt, now),
				g.If(s.Method != "", g.Text(" "+s.Method)),
				g.If(s.Network != "", g.Text(" from "+s.Network)),
			),
		),
		h.Form(h.Class("do"), ui.PostTo("/settings/sessions/end"), ui.Hidden("id", s.ID),
			h.Button(h.Class("button quiet"), g.Text("Log out"), h.Span(h.Class("vh"), g.Text(" "+s.Device))),
		),
	)
}

// dayAgo says how many days ago a day was, in UTC.
func dayAgo(day, now time.Time) string {
	switch days := int(now.UTC().Truncate(24*time.Hour).Sub(day.UTC().Truncate(24*time.Hour)) / (24 * time.Hour)); {
	case days <= 0:
		return "today"
	case days == 1:
		return "yesterday"
	default:
		return strconv.Itoa(days) + " days ago"
	}
}
