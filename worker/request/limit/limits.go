// Package limit counts what a member or a network does, and says when it was too much. It knows no request: its callers name the subject,
// and make the responses.
//
// The idea: an instance counts in memory, and uses Redis only for a subject near its limit. A Counter counts calls in sliding windows. A
// Budget counts the rows that an instance reads, for each reader and for all visitors together.
//
// Begin with limits.go, the list of all limits, then Counter.Count (window.go) and Budget.Visit (budget.go).
package limit

import (
	"net"
	"net/netip"
	"time"

	"plaza/data/rights/reputation"
	"plaza/locale"
)

// Limit is how often one member (or a visitor's network) may use a route. The zero value is no limit, for reading.
type Limit struct {
	Name    string
	Max     int
	Per     time.Duration
	Network bool // counts networks, even if a member calls, and counts in the database while Redis is unavailable
}

// The limits of all actions, and of some pages that cost more than reading.
var (
	SignUp      = Limit{"signup", 10, time.Hour, true}
	LogIn       = Limit{"login", 20, 10 * time.Minute, true}
	Challenge   = Limit{"challenge", 120, 10 * time.Minute, false}
	Provider    = Limit{"provider", 60, 10 * time.Minute, false}
	Mailed      = Limit{"mailed", 10, 30 * time.Minute, true}
	Link        = Limit{"link", 30, 10 * time.Minute, true}
	Continue    = Limit{"continue", 60, 10 * time.Minute, true}
	Account     = Limit{"account", 20, time.Hour, false}
	Prove       = Limit{"prove", 20, 10 * time.Minute, false}
	LogOut      = Limit{"logout", 30, time.Minute, false}
	Community   = Limit{"community", 5, time.Hour, false}
	Post        = Limit{"post", 20, time.Hour, false}
	Comment     = Limit{"comment", 60, 10 * time.Minute, false}
	Edit        = Limit{"edit", 60, 10 * time.Minute, false}
	Draft       = Limit{"draft", 30, time.Hour, false}
	Upload      = Limit{"upload", 60, 10 * time.Minute, false}
	Preview     = Limit{"preview", 60, 10 * time.Minute, false}
	Title       = Limit{"title", 20, 10 * time.Minute, false}
	Message     = Limit{"message", 30, time.Hour, false}
	Appeal      = Limit{"appeal", 20, time.Hour, true}
	Report      = Limit{"report", 30, time.Hour, false}
	Keep        = Limit{"keep", 120, time.Minute, false}
	Vote        = Limit{"vote", 120, time.Minute, false}
	Subscribe   = Limit{"subscribe", 60, time.Minute, false}
	Follow      = Limit{"follow", 60, time.Minute, false}
	Moderate    = Limit{"moderate", 120, time.Minute, false}
	Ban         = Limit{"ban", 60, time.Hour, false}
	Team        = Limit{"team", 30, time.Hour, false}
	EndMails    = Limit{"endmails", 60, 10 * time.Minute, false}
	Inbox       = Limit{"inbox", 120, time.Minute, false}
	Admin       = Limit{"admin", 120, time.Minute, false}
	Contact     = Limit{"contact", 5, time.Hour, true}
	LegalNotice = Limit{"notice", 5, time.Hour, true}
	Given       = Limit{"given", 20, time.Hour, true}
	Invite      = Limit{"invite", 30, time.Hour, false}
	Search      = Limit{"search", 60, time.Minute, false}
	Suggest     = Limit{"suggest", 240, time.Minute, false}
	Settings    = Limit{"settings", 60, time.Hour, false}
	Display     = Limit{"display", 60, time.Minute, false}
	View        = Limit{"view", 120, time.Minute, false} // in memory, as reading is (Budget.SpendCall)
)

// Export is how often a member may request a part of an export. Rows that exports read are not counted for the budget of reading.
var Export = Limit{"export", 240, 10 * time.Minute, false}

// How often one may try to log in under one name, from networks from which its member has not logged in before: from one network,
// and from all of them together. One network may try less often, so that it can't use up the tries of all.
var (
	Guess    = Limit{"guess", 5, 30 * time.Minute, true}
	GuessAll = Limit{"guess-all", 10, 30 * time.Minute, true}
)

// tighter is the tighter limit of new members, and the name of what it limits.
type tighter struct {
	Max  int
	Does locale.Text
}

// Young are the limits of new members, by the names of the limits that they tighten.
var Young = map[string]tighter{
	Post.Name:    {10, "post¦verb"},
	Comment.Name: {20, "comment¦verb"},
	Message.Name: {10, "write to moderators"},
	Report.Name:  {10, "report¦verb"},
	Ban.Name:     {20, "ban, mute or lift"},
	Team.Name:    {10, "invite moderators"},
}

const (
	// A member is new while the account is younger than YoungAge and has less karma than YoungKarma. Administrators never are.
	YoungAge   = reputation.KnownAge
	YoungKarma = 20
)

// WaitText returns the text of a duration to wait.
func WaitText(seconds int) locale.Text {
	if seconds < 120 {
		return locale.With("a second|{} seconds", max(seconds, 1))
	}
	return locale.With("a minute|{} minutes", (seconds+59)/60)
}

// PeriodText returns the text of a limit's period, for use after a number of times: "an hour", "in 10 minutes".
func PeriodText(per time.Duration) locale.Text {
	if per == time.Hour {
		return "an hour"
	}
	return locale.With("in a minute|in {} minutes", int(per/time.Minute))
}

// Networks returns the networks that an address counts for: its subscriber's, which is the address itself or, for IPv6,
// the /56, and for IPv6 the /48 around that, which some subscribers have (RFC 6177). None if the address is unknown.
func Networks(remote string) []string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return nil
	}
	if addr = addr.Unmap().WithZone(""); !addr.Is6() {
		return []string{addr.String()}
	}
	home, _ := addr.Prefix(56)
	site, _ := addr.Prefix(48)
	return []string{home.String(), site.String()}
}
