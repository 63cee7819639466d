package votes

import (
	"cmp"
	"context"
	"errors"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/wire/hrana"
)

// Unapplied is what a delta run could not apply.
type Unapplied struct {
	Refused Pending // the database refuses each of these even alone, until an administrator repairs it
	Rest    Pending // their database could not be reached, too many others were refused, or they move to another shard
}

// applyCalls limits the transactions of one delta run over all shards, because a delivery may make 50 requests in the free plan. Each shard
// has at least one.
const applyCalls = 30

// applyItem is a target with votes to apply, or a post with new comments to apply.
type applyItem struct {
	id       data.ID
	comments bool
}

// ApplyDeltas applies the pending changes of these targets and posts to their counters: one transaction for each shard, and one update of a
// target's counters, however many votes it has (addVotes). Then it writes the new hot scores into the hot sets. It may run any number of
// times, on any targets, in any order.
//
// A shard or target that fails does not stop the others. unapplied has the items that could not be applied, and the error has the reasons.
// If a target could not be judged for brigades, it is in unapplied as well. If the hot sets could not be written, only the error reports
// it: hot.Sets.Invalidate corrects that.
func (s *Store) ApplyDeltas(ctx context.Context, p Pending) (unapplied Unapplied, err error) {
	targets, err := s.DB.ByShard(ctx, p.Targets)
	posts, failed := s.DB.ByShard(ctx, p.Posts)
	if err := cmp.Or(err, failed); err != nil {
		return Unapplied{Rest: p}, err
	}
	var changes []hot.Change
	calls := applyCalls
	err = s.DB.OnAll(func(shard data.Where) error { // ids of unknown shards are ignored
		var items []applyItem
		for _, id := range targets[shard] {
			items = append(items, applyItem{id, false})
		}
		for _, id := range posts[shard] {
			items = append(items, applyItem{id, true})
		}
		if len(items) == 0 {
			return nil
		}
		applied, err := s.applyShard(ctx, shard, items, &calls, &unapplied)
		changes = append(changes, applied...)
		return err
	})
	return unapplied, errors.Join(err, s.Hot.Apply(ctx, s.Source.Now(), changes))
}

// applyShard applies the items of one shard. Then it judges the targets with a burst and quarantines the votes of brigades, which count
// until then. calls is how many transactions it may still make.
func (s *Store) applyShard(ctx context.Context, shard data.Where, items []applyItem, calls *int,
	unapplied *Unapplied) (changes []hot.Change, err error) {
	var bursts burstTargets
	apply := hrana.Bisect[applyItem]{Calls: *calls, IsTemporary: data.IsMoving, Do: func(items []applyItem) error {
		applied, err := s.applyTogether(ctx, shard, items, &bursts)
		changes = append(changes, applied...)
		return err
	}}
	apply.Run(items)
	unapplied.Refused.add(apply.Refused)
	unapplied.Rest.add(apply.Rest)
	*calls = apply.Calls
	if len(bursts.targets) == 0 {
		return changes, apply.Err
	}
	found, err := s.judge(ctx, bursts.targets, bursts.now)
	if err != nil {
		unapplied.Rest.Targets = append(unapplied.Rest.Targets, bursts.targets...)
		return changes, errors.Join(apply.Err, err)
	}
	quarantine := hrana.Bisect[brigade]{Calls: *calls, IsTemporary: data.IsMoving, Do: func(found []brigade) error {
		quarantined, err := s.quarantine(ctx, shard, found, bursts.now)
		changes = append(changes, quarantined...)
		return err
	}}
	quarantine.Run(found)
	for _, b := range quarantine.Refused {
		unapplied.Refused.Targets = append(unapplied.Refused.Targets, b.target)
	}
	for _, b := range quarantine.Rest {
		unapplied.Rest.Targets = append(unapplied.Rest.Targets, b.target)
	}
	*calls = quarantine.Calls
	return changes, errors.Join(apply.Err, quarantine.Err)
}

// applyTogether applies items in one transaction, and adds the targets with a burst to bursts.
func (s *Store) applyTogether(ctx context.Context, shard data.Where, items []applyItem, bursts *burstTargets) ([]hot.Change, error) {
	var targets, posts []data.ID
	for _, item := range items {
		if item.comments {
			posts = append(posts, item.id)
		} else {
			targets = append(targets, item.id)
		}
	}
	w := s.DB.WriteAt(shard)
	if s.Limits.MinVotes > 0 && len(targets) > 0 {
		s.findBursts(w, targets, bursts)
	}
	changes := addVotes(w, targets)
	addComments(w, posts)
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	return *changes, nil
}

func (p *Pending) add(items []applyItem) {
	for _, item := range items {
		if item.comments {
			p.Posts = append(p.Posts, item.id)
		} else {
			p.Targets = append(p.Targets, item.id)
		}
	}
}
