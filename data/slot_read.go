package data

import (
	"context"
	"slices"
	"time"

	"plaza/data/wire/hrana"
)

// newSlots are the rows of slots that an instance has not read yet. Index slots_epoch.
const newSlots = `SELECT slot, shard, epoch FROM slots WHERE epoch > :epoch`

// slotsLife is how long an instance uses cached slots. The shard that a slot has left keeps its rows for longer (ops/shards/mover).
const slotsLife = 30 * time.Second

// slotsLifeAlong is slotsLife for a Read that reads the directory anyway. There the slots cost no request of their own, and a row or two.
const slotsLifeAlong = 5 * time.Second

// FindSlots makes Run read the slots that were added or moved since the last read. With one shard there is nothing to read. Run also reads
// them by itself if the last read is longer ago than slotsLife, or than slotsLifeAlong if Run reads the directory.
func (db *DB) FindSlots(r *Read) { r.slots = len(db.shards) > 1 }

// ReadSlots is FindSlots without other reads.
func (db *DB) ReadSlots(ctx context.Context) error {
	r := db.Read()
	db.FindSlots(r)
	return r.Run(ctx)
}

// KnowSlots reads the slots, if this instance has not done so yet or does not know the slot of one of the ids. After it, ShardOf knows
// these slots, as of the last read.
//
// So an instance that starts while the directory is down writes nothing until it is up: a shard can't be guessed, because a slot may have
// moved. Other instances continue.
func (db *DB) KnowSlots(ctx context.Context, ids ...ID) error {
	if db.knows(ids) {
		return nil
	}
	return db.ReadSlots(ctx)
}

// RecentSlots is KnowSlots for callers that conclude from ShardOf that a row does not exist any more. It also reads the slots if the last
// read is longer ago than slotsLife.
func (db *DB) RecentSlots(ctx context.Context, ids ...ID) error {
	if db.knows(ids) && !db.slotsAreOld(slotsLife, time.Time{}) {
		return nil
	}
	return db.ReadSlots(ctx)
}

func (db *DB) knows(ids []ID) bool {
	if len(db.shards) == 1 {
		return true
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	return !db.slotsAt.IsZero() && !slices.ContainsFunc(ids, func(id ID) bool {
		_, ok := db.slots.Of(id.Slot())
		return !ok
	})
}

// slotsAreOld reports whether slots were last read longer ago than life, or before a change at changed; zero is no change.
func (db *DB) slotsAreOld(life time.Duration, changed time.Time) bool {
	if len(db.shards) == 1 {
		return false
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	age := db.slotsNow().Sub(db.slotsAt)
	return age < 0 || age > life || !changed.IsZero() && db.slotsAt.Before(changed.Add(clocksDiffer))
}

// slotsNow returns SlotsNow, or the real time without its monotonic part, which stops while an instance sleeps.
func (db *DB) slotsNow() time.Time {
	if db.SlotsNow != nil {
		return db.SlotsNow()
	}
	return time.Now().Round(0)
}

// slotsRead is the statement in a Read that reads new slots.
type slotsRead struct {
	group *readGroup // its last statement reads the slots
	began time.Time
}

// addSlots adds the read of new slots to the group of the directory, if this Read needs it. A Read without such a group gets one if the
// cached slots are too old. It runs concurrently, and the page is also made without its result, unless the slots are required.
func (r *Read) addSlots(clients map[Where]*hrana.Client, groups []*readGroup, required bool) (*slotsRead, []*readGroup) {
	db := r.db
	if len(db.shards) == 1 {
		return nil, groups
	}
	usesSlots := false
	for w := range clients {
		usesSlots = usesSlots || w.kind == onSlot || w.kind == atCommunity
	}
	i, life := slices.IndexFunc(groups, func(g *readGroup) bool { return g.client == db.directory }), slotsLifeAlong
	if i < 0 {
		life = slotsLife
	}
	if !required && !db.slotsAreOld(life, r.Changes.Last) {
		return nil, groups
	}
	if i < 0 {
		i, groups = len(groups), append(groups, &readGroup{client: db.directory, optional: !required})
	}
	db.mu.Lock()
	epoch := db.epoch
	db.mu.Unlock()
	g := groups[i]
	g.stmts = append(g.stmts, hrana.Stmt{SQL: newSlots, Named: Args{"epoch": epoch}.named()})
	last := r.Changes.Last
	g.fresh = usesSlots && !last.IsZero() && db.slotsAreOld(slotsLife, last) // the member may have written to the new shard
	return &slotsRead{g, db.slotsNow()}, groups
}

// note records the directory's result about slots.
func (s *slotsRead) note(db *DB) error {
	if s == nil {
		return nil
	}
	if err := s.group.failed(); err != nil {
		return err
	}
	var epoch int64
	err := each(s.group.results[len(s.group.stmts)-1], func(row *Row) {
		slot, shard, changed := int(row.Int()), int(row.Int()), row.Int()
		db.RememberSlot(slot, shard, changed)
		epoch = max(epoch, changed)
	})
	if err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.epoch = max(db.epoch, epoch)
	if at := s.began.Add(-s.group.lag); at.After(db.slotsAt) {
		db.slotsAt = at
	}
	return nil
}

// moved reports whether one of the places is now in another database than the given one, which was read.
func (db *DB) moved(clients map[Where]*hrana.Client) bool {
	for w, client := range clients {
		if w.kind == atCommunity {
			id, ok := db.remembered([]string{w.community})[w.community]
			if !ok {
				continue
			}
			w = At(id)
		}
		if now := db.client(w); now != nil && now != client {
			return true
		}
	}
	return false
}
