package bans

import (
	"context"
	"slices"

	"plaza/data"
)

// SeveralMax is how many members one decision is about at most.
const SeveralMax = 100

// Several is the result of a decision about several members.
type Several struct {
	Community string
	Names     []string  // members for whom it applies now
	Entries   []data.ID // of this decision in the log; none if it was made before
	First     data.ID   // the lowest id of Entries; 0 if there are none
	Last      data.ID   // the highest
	Skipped   []string  // names of moderators and administrators, who can't be banned
	Failed    []string  // names of members about whom another moderator has decided meanwhile, or who have no ban to lift
}

// DecideSeveral is Decide about up to SeveralMax members, by their ids: it ignores Decision.Name. It makes as many requests as for one.
// It skips members who can't be banned, and deleted accounts. Each member has an entry in the log, as in separate decisions.
func (s *Store) DecideSeveral(ctx context.Context, a data.Actor, d Decision, members []data.ID) (*Several, error) {
	d.Name, members = "several", distinct(members)
	mistake := data.AllMistakes(d.Validate(),
		data.MistakeIf(len(members) == 0, "member", "Please select at least one member."),
		data.MistakeIf(len(members) > SeveralMax, "member", "Please select at most 100 members."))
	c, err := s.decide(ctx, a, d, mistake, func(w *data.Write, key string, scan func(*data.Row)) {
		w.Find(membersToBan, data.Args{"members": members[:min(len(members), SeveralMax)], "community": key}, scan)
	})
	if err != nil {
		return nil, err
	}
	all := &Several{Community: d.Community, Skipped: c.insiders}
	for _, done := range c.all {
		all.Community = done.Community
		if !c.holds(done) {
			all.Failed = append(all.Failed, done.Name)
			continue
		}
		all.Names = append(all.Names, done.Name)
		all.Entries = append(all.Entries, done.Entries...)
	}
	switch {
	case len(c.all) == 0 && len(c.insiders) == 0:
		return nil, data.Mistake("member", "These accounts no longer exist.")
	case len(c.all) == 0:
		return nil, data.Mistake("member", "Moderators of the community and administrators can't be banned from it.")
	case len(all.Entries) > 0: // ids of one millisecond are in no order
		all.First, all.Last = slices.Min(all.Entries), slices.Max(all.Entries)
	}
	return all, nil
}

// distinct returns the members in their order, without duplicates.
func distinct(members []data.ID) (list []data.ID) {
	seen := map[data.ID]bool{}
	for _, id := range members {
		if !seen[id] {
			seen[id], list = true, append(list, id)
		}
	}
	return list
}
