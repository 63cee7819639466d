package request

import (
	"time"

	"plaza/data/moderation/reputation"
	"plaza/locale"
)

// youngLimit is how often somebody who is new on the site may use routes, and what it is that they do there.
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
	// Somebody is new on the site whose account is younger than youngAge and has less karma than youngKarma. Administrators never are.
	youngAge   = reputation.KnownAge
	youngKarma = 20
)

// refuseYoung refuses a call of a member that was counted and that the route's own limit allows, if the member is new and there were too
// many for that. The karma is read for calls beyond the tighter limit alone.
func (s *Server) refuseYoung(c *Call, l Limit, counted limited, now time.Time) error {
	tight, ends := YoungLimits[l.Name], c.Actor.UserID.Time().Add(youngAge)
	if tight.Max == 0 || !now.Before(ends) {
		return nil
	}
	most := tight.Max * s.LimitFactor
	wait := l.waitAt(now, most, counted)
	if wait == 0 {
		return nil
	}
	r := s.DB.Read()
	viewer, karma := s.Accounts.FindViewer(r, *c.Actor), s.Comments.FindKarma(r, c.Actor.Name)
	if err := r.Run(c.R.Context()); err != nil || viewer.Admin || karma.Posts+karma.Comments >= youngKarma {
		return err
	}
	return TooFast(c, wait, locale.With("New members may {} {} times {}. Please wait {} and try again. You are new until {}, or until you "+
		"have {} karma.", tight.Does, most, PeriodText(l.Per), WaitText(wait), locale.Day(ends.UTC()), youngKarma))
}

func PeriodText(per time.Duration) locale.Text {
	if per == time.Hour {
		return "an hour"
	}
	return locale.With("in a minute|in {} minutes", int(per/time.Minute))
}
