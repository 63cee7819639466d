package votes

import (
	"cmp"
	"context"
	"errors"

	"plaza/data"
	"plaza/data/lists/hot"
	"plaza/data/wire/hrana"
)

// Left is the rest that a fold could not do.
type Left struct {
	Refused Pending // the database refuses each of these even alone, until an administrator repairs it
	Rest    Pending // their database could not be reached, too many others were refused, or they move to another shard
}

// foldCalls limits the transactions of one fold over all shards, because a delivery may make 50 requests in the free plan. Each shard has
// at least one.
const foldCalls = 30

// foldItem is a target with votes to fold, or a post with new comments to fold.
type foldItem struct {
	id       data.ID
	comments bool
}

// Fold applies the pending changes of these targets and posts to their counters: one transaction for each shard, and one update of a
// target's counters however many votes it had (addVotes). Then it writes the new hot scores into the hot sets. It may run any number of
// times, on any targets, in any order.
//
// A shard or target that fails does not stop the others. left has the items that could not be folded, and the error has the reasons. If a
// target could not be judged for brigades, it is in left as well. If the hot sets could not be written, only the error reports it:
// hot.Sets.Distrust corrects that.
func (s *Store) Fold(ctx context.Context, p Pending) (left Left, err error) {
	targets, err := s.DB.ByShard(ctx, p.Targets)
	posts, failed := s.DB.ByShard(ctx, p.Posts)
	if err := cmp.Or(err, failed); err != nil {
		return Left{Rest: p}, err
	}
	var changes []hot.Change
	calls := foldCalls
	err = s.DB.OnAll(func(shard data.Where) error { // ids of unknown shards are ignored
		var items []foldItem
		for _, id := range targets[shard] {
			items = append(items, foldItem{id, false})
		}
		for _, id := range posts[shard] {
			items = append(items, foldItem{id, true})
		}
		if len(items) == 0 {
			return nil
		}
		folded, err := s.foldShard(ctx, shard, items, &calls, &left)
		changes = append(changes, folded...)
		return err
	})
	return left, errors.Join(err, s.Hot.Apply(ctx, s.Source.Now(), changes))
}

// foldShard folds the items of one shard. Then it judges the crowded targets and quarantines the votes of brigades, which count until
// then. calls is how many transactions it may still make.
func (s *Store) foldShard(ctx context.Context, shard data.Where, items []foldItem, calls *int,
	left *Left) (changes []hot.Change, err error) {
	var crowded crowd
	fold := hrana.Trial[foldItem]{Calls: *calls, Waits: data.IsMoving, Do: func(items []foldItem) error {
		folded, err := s.foldTogether(ctx, shard, items, &crowded)
		changes = append(changes, folded...)
		return err
	}}
	fold.Run(items)
	left.Refused.add(fold.Refused)
	left.Rest.add(fold.Rest)
	*calls = fold.Calls
	if len(crowded.targets) == 0 {
		return changes, fold.Err
	}
	found, err := s.judge(ctx, crowded.targets, crowded.now)
	if err != nil {
		left.Rest.Targets = append(left.Rest.Targets, crowded.targets...)
		return changes, errors.Join(fold.Err, err)
	}
	quarantine := hrana.Trial[brigade]{Calls: *calls, Waits: data.IsMoving, Do: func(found []brigade) error {
		taken, err := s.quarantine(ctx, shard, found, crowded.now)
		changes = append(changes, taken...)
		return err
	}}
	quarantine.Run(found)
	for _, b := range quarantine.Refused {
		left.Refused.Targets = append(left.Refused.Targets, b.target)
	}
	for _, b := range quarantine.Rest {
		left.Rest.Targets = append(left.Rest.Targets, b.target)
	}
	*calls = quarantine.Calls
	return changes, errors.Join(fold.Err, quarantine.Err)
}

// foldTogether folds items in one transaction, and adds to crowded the targets that are crowded.
func (s *Store) foldTogether(ctx context.Context, shard data.Where, items []foldItem, crowded *crowd) ([]hot.Change, error) {
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
		s.findCrowded(w, targets, crowded)
	}
	changes := addVotes(w, targets)
	addComments(w, posts)
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	return *changes, nil
}

func (p *Pending) add(items []foldItem) {
	for _, item := range items {
		if item.comments {
			p.Posts = append(p.Posts, item.id)
		} else {
			p.Targets = append(p.Targets, item.id)
		}
	}
}
