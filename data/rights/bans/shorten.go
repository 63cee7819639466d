package bans

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/events/modlog"
)

var errNeither = &data.Error{Code: data.Conflict, Message: "They are neither banned nor muted."}

// Shorten makes a member's ban or mute end in the given number of days. Its rule and message stay. Conflict (there is none, or it ends
// before that), and the errors of Decide. The caller checks who may read the list of bans.
func (s *Store) Shorten(ctx context.Context, a data.Actor, community, name string, days int) (*modlog.Outcome, error) {
	r := s.DB.Read()
	ban := s.FindNamed(r, community, name)
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	switch {
	case days < 1:
		return nil, data.Mistake("days", "A ban that ends lasts between 1 and 3,650 days.")
	case ban.Kind == "":
		return nil, errNeither
	case !ban.Until.IsZero() && !s.Source.Now().Add(time.Duration(days)*24*time.Hour).Before(ban.Until):
		return nil, &data.Error{Code: data.Conflict, Message: "It ends before that already."}
	}
	return s.Decide(ctx, a, Decision{Community: community, Name: name, Act: modlog.Act{Action: ban.Kind, Rule: ban.Rule, Note: ban.Note,
		Days: days}})
}
