package request

import (
	"time"

	"plaza/data/rights/reputation"
	"plaza/locale"
)

// The limits of all actions, and of some pages that cost more than reading.
var (
	LimitSignUp      = Limit{"signup", 10, time.Hour, true}
	LimitLogIn       = Limit{"login", 20, 10 * time.Minute, true}
	LimitChallenge   = Limit{"challenge", 120, 10 * time.Minute, false}
	LimitProvider    = Limit{"provider", 60, 10 * time.Minute, false}
	LimitMailed      = Limit{"mailed", 10, 30 * time.Minute, true}
	LimitLink        = Limit{"link", 30, 10 * time.Minute, true}
	LimitContinue    = Limit{"continue", 60, 10 * time.Minute, true}
	LimitAccount     = Limit{"account", 20, time.Hour, false}
	LimitProve       = Limit{"prove", 20, 10 * time.Minute, false}
	LimitLogOut      = Limit{"logout", 30, time.Minute, false}
	LimitCommunity   = Limit{"community", 5, time.Hour, false}
	LimitPost        = Limit{"post", 20, time.Hour, false}
	LimitComment     = Limit{"comment", 60, 10 * time.Minute, false}
	LimitEdit        = Limit{"edit", 60, 10 * time.Minute, false}
	LimitDraft       = Limit{"draft", 30, time.Hour, false}
	LimitUpload      = Limit{"upload", 60, 10 * time.Minute, false}
	LimitPreview     = Limit{"preview", 60, 10 * time.Minute, false}
	LimitTitle       = Limit{"title", 20, 10 * time.Minute, false}
	LimitMessage     = Limit{"message", 30, time.Hour, false}
	LimitAppeal      = Limit{"appeal", 20, time.Hour, true}
	LimitReport      = Limit{"report", 30, time.Hour, false}
	LimitKeep        = Limit{"keep", 120, time.Minute, false}
	LimitVote        = Limit{"vote", 120, time.Minute, false}
	LimitSubscribe   = Limit{"subscribe", 60, time.Minute, false}
	LimitFollow      = Limit{"follow", 60, time.Minute, false}
	LimitModerate    = Limit{"moderate", 120, time.Minute, false}
	LimitBan         = Limit{"ban", 60, time.Hour, false}
	LimitTeam        = Limit{"team", 30, time.Hour, false}
	LimitEndMails    = Limit{"endmails", 60, 10 * time.Minute, false}
	LimitInbox       = Limit{"inbox", 120, time.Minute, false}
	LimitAdmin       = Limit{"admin", 120, time.Minute, false}
	LimitContact     = Limit{"contact", 5, time.Hour, true}
	LimitLegalNotice = Limit{"notice", 5, time.Hour, true}
	LimitGiven       = Limit{"given", 20, time.Hour, true}
	LimitInvite      = Limit{"invite", 30, time.Hour, false}
	LimitSearch      = Limit{"search", 60, time.Minute, false}
	LimitSuggest     = Limit{"suggest", 240, time.Minute, false}
	LimitSettings    = Limit{"settings", 60, time.Hour, false}
	LimitDisplay     = Limit{"display", 60, time.Minute, false}
	LimitView        = Limit{"view", 120, time.Minute, false} // in memory, as reading is (spendCall)
)

// LimitExport is how often a member may request a part of an export. Rows that exports read are not counted for the budget of reading.
var LimitExport = Limit{"export", 240, 10 * time.Minute, false}

// How often one may try to log in under one name, from networks from which its member has not logged in before: from one network,
// and from all of them together. One network may try less often, so that it can't use up the tries of all.
var (
	limitGuess    = Limit{"guess", 5, 30 * time.Minute, true}
	limitGuessAll = Limit{"guess-all", 10, 30 * time.Minute, true}
)

// youngLimit is the tighter limit of new members, and the name of what it limits.
type youngLimit struct {
	Max  int
	Does locale.Text
}

// YoungLimits are tighter than the limits of the same names.
var YoungLimits = map[string]youngLimit{
	LimitPost.Name:    {10, "post¦verb"},
	LimitComment.Name: {20, "comment¦verb"},
	LimitMessage.Name: {10, "write to moderators"},
	LimitReport.Name:  {10, "report¦verb"},
	LimitBan.Name:     {20, "ban, mute or lift"},
	LimitTeam.Name:    {10, "invite moderators"},
}

const (
	// A member is new while the account is younger than youngAge and has less karma than youngKarma. Administrators never are.
	youngAge   = reputation.KnownAge
	youngKarma = 20
)
