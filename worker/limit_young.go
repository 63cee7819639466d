package worker

import (
	"strconv"
	"time"

	"plaza/data/standing"
)

// youngLimit is how often somebody who is new on the site may use routes, and what it is that they do there.
type youngLimit struct {
	max  int
	does string
}

// youngLimits are tighter than the limits of the same names.
var youngLimits = map[string]youngLimit{
	limitPost.name:    {10, "post"},
	limitComment.name: {20, "comment"},
	limitMessage.name: {10, "write to moderators"},
	limitReport.name:  {10, "report"},
	limitBan.name:     {20, "ban, mute or lift"},
	limitTeam.name:    {10, "invite moderators"},
}

const (
	// Somebody is new on the site whose account is younger than youngAge and has less karma than youngKarma. Administrators never are.
	youngAge   = standing.KnownAge
	youngKarma = 20
)

// refuseYoung refuses a call of a member that was counted and that the route's own limit allows, if the member is new and there were too
// many for that. The karma is read for calls beyond the tighter limit alone.
func (a *App) refuseYoung(c *call, l limit, counted limited, now time.Time) error {
	tight, ends := youngLimits[l.name], c.actor.UserID.Time().Add(youngAge)
	if tight.max == 0 || !now.Before(ends) {
		return nil
	}
	most := tight.max * a.LimitFactor
	wait := l.waitAt(now, most, counted)
	if wait == 0 {
		return nil
	}
	r := a.DB.Read()
	viewer, karma := a.sessions.FindViewer(r, *c.actor), a.comments.FindKarma(r, c.actor.Name)
	if err := r.Run(c.r.Context()); err != nil || viewer.Admin || karma.Posts+karma.Comments >= youngKarma {
		return err
	}
	return tooFast(c, wait, "New members may "+tight.does+" "+strconv.Itoa(most)+" times "+periodText(l.per)+". Please wait "+waitText(wait)+
		" and try again. You are new until "+ends.UTC().Format("2 January 2006")+", or until you have "+strconv.Itoa(youngKarma)+" karma.")
}

func periodText(per time.Duration) string {
	if per == time.Hour {
		return "an hour"
	}
	return "in " + strconv.Itoa(int(per/time.Minute)) + " minutes"
}
