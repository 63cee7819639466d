package worker

import "time"

// The limits of everything that changes something.
var (
	limitSignUp    = limit{"signup", 10, time.Hour, true}
	limitLogIn     = limit{"login", 20, 10 * time.Minute, true}
	limitChallenge = limit{"challenge", 120, 10 * time.Minute, false}
	limitProvider  = limit{"provider", 60, 10 * time.Minute, false}
	limitMailed    = limit{"mailed", 10, 30 * time.Minute, true}
	limitLink      = limit{"link", 30, 10 * time.Minute, true}
	limitContinue  = limit{"continue", 60, 10 * time.Minute, true}
	limitAccount   = limit{"account", 20, time.Hour, false}
	limitProve     = limit{"prove", 20, 10 * time.Minute, false}
	limitLogOut    = limit{"logout", 30, time.Minute, false}
	limitCommunity = limit{"community", 5, time.Hour, false}
	limitPost      = limit{"post", 20, time.Hour, false}
	limitComment   = limit{"comment", 60, 10 * time.Minute, false}
	limitEdit      = limit{"edit", 60, 10 * time.Minute, false}
	limitDraft     = limit{"draft", 30, time.Hour, false}
	limitPreview   = limit{"preview", 60, 10 * time.Minute, false}
	limitMessage   = limit{"message", 30, time.Hour, false}
	limitAppeal    = limit{"appeal", 20, time.Hour, true}
	limitReport    = limit{"report", 30, time.Hour, false}
	limitKeep      = limit{"keep", 120, time.Minute, false}
	limitVote      = limit{"vote", 120, time.Minute, false}
	limitSubscribe = limit{"subscribe", 60, time.Minute, false}
	limitFollow    = limit{"follow", 60, time.Minute, false}
	limitModerate  = limit{"moderate", 120, time.Minute, false}
	limitBan       = limit{"ban", 60, time.Hour, false}
	limitTeam      = limit{"team", 30, time.Hour, false}
	limitEndMails  = limit{"endmails", 60, 10 * time.Minute, false}
	limitInbox     = limit{"inbox", 120, time.Minute, false}
	limitAdmin     = limit{"admin", 120, time.Minute, false}
	limitContact   = limit{"contact", 5, time.Hour, true}
	limitInvite    = limit{"invite", 30, time.Hour, false}
	limitSearch    = limit{"search", 60, time.Minute, false}
	limitSuggest   = limit{"suggest", 240, time.Minute, false}
	limitSettings  = limit{"settings", 60, time.Hour, false}
	limitView      = limit{"view", 120, time.Minute, false} // in memory, as reading is (spendCall)
)

// limitExport is how often somebody may ask for a part. Rows that exports read are not counted for the budget of reading.
var limitExport = limit{"export", 240, 10 * time.Minute, false}
