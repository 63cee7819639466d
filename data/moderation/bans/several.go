package bans

import (
	"context"
	"slices"

	"plaza/data"
)

// SeveralMax is about how many members a decision is at most.
const SeveralMax = 100

// Several is what became of a decision about several members.
type Several struct {
	Community string
	Names     []string  // of those for whom it holds now
	Entries   []data.ID // of this decision in the log; none if it was decided before
	First     data.ID   // of the log, as is Last: between them are the entries of this decision; 0 if it was decided before
	Last      data.ID
	Left      []string // names of moderators and administrators, who can't be banned
	Late      []string // names of those about whom somebody else has decided meanwhile, or who have no ban to lift
}

// DecideSeveral is Decide about up to SeveralMax members, by their ids: Decision.Name is not looked at. It is as many requests as for one.
// Those who can't be banned are left out, and so are accounts that are deleted. Each has an entry in the log, as if it had been decided one
// by one.
func (s *Store) DecideSeveral(ctx context.Context, a data.Actor, d Decision, members []data.ID) (*Several, error) {
	d.Name, members = "several", once(members)
	mistake := data.AllMistakes(d.Validate(),
		data.MistakeIf(len(members) == 0, "member", "Please select at least one member."),
		data.MistakeIf(len(members) > SeveralMax, "member", "Please select at most 100 members."))
	c, err := s.decide(ctx, a, d, mistake, func(w *data.Write, key string, scan func(*data.Row)) {
		w.Find(membersToBan, data.Args{"members": members[:min(len(members), SeveralMax)], "community": key}, scan)
	})
	if err != nil {
		return nil, err
	}
	all := &Several{Community: d.Community, Left: c.insiders}
	for _, done := range c.all {
		all.Community = done.Community
		if !c.holds(done) {
			all.Late = append(all.Late, done.Name)
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

// once returns the members in their order, without repetitions.
func once(members []data.ID) (list []data.ID) {
	seen := map[data.ID]bool{}
	for _, id := range members {
		if !seen[id] {
			seen[id], list = true, append(list, id)
		}
	}
	return list
}
