package data

import "slices"

// Hidden makes a column of the slot of a row, as in `(p.id >> 12) & 1023` + Hidden: this shard hides the row (table hidden_slots). Lists
// that merge shards have this column, and leave out the rows by Merge. So each shard reads as many rows as ever, however many of them it
// hides.
const Hidden = ` IS ` + hiddenSlot

// Merge leaves out what shards hide when a list merges what several of them have, in an order that compare says.
//
// What a shard hides, the shard that a slot comes from or has gone to shows, at about the same place. So the list hardly gets shorter.
// Where a statement has found as many rows as it may, and some of them are hidden, nobody knows what its shard has behind them: the list
// ends there, and the next page goes on from there.
//
// Between two requests of a move both shards show the slot (tools/mover, step switch): for milliseconds, or until somebody goes on with
// the move, if it was ended right there. A page has each row once then (FirstOfEach). In orders by values that never change, such as times,
// both copies stand at the same place, so no row is on two pages or on none. In orders by values that votes and comments change, the copy
// on the new shard may have come to another place. Whoever goes from page to page then may see a post on two pages. They may see it on
// none if both shards hid it when they were read: one before it showed the slot, and the other one after it hid it. With replicas, that
// lasts until both have heard of the switch (ReplicaLag).
type Merge[T any] struct {
	compare func(a, b T) int
	end     *T
	hidden  map[ID]Where
}

// NewMerge begins a list.
func NewMerge[T any](compare func(a, b T) int) *Merge[T] { return &Merge[T]{compare: compare} }

// Filter is for the rows of one statement, which finds up to limit rows on a shard. The function tells of each row whether the list shows
// it.
//
// A row that two shards hide is shown: one of them was read before the slot moved there, and the other one after it.
func (m *Merge[T]) Filter(shard Where, limit int) func(item T, id ID, hidden bool) bool {
	rows, hides := 0, false
	var last T
	return func(item T, id ID, hidden bool) bool {
		if rows++; rows == 1 || m.compare(last, item) < 0 {
			last = item
		}
		if hides = hides || hidden; hides && rows == limit {
			m.EndAt(last)
		}
		if !hidden {
			return true
		}
		if by, ok := m.hidden[id]; ok && by != shard {
			return true
		}
		if m.hidden == nil {
			m.hidden = map[ID]Where{}
		}
		m.hidden[id] = shard
		return false
	}
}

// EndAt notes that nobody knows what comes behind an item.
func (m *Merge[T]) EndAt(item T) {
	if m.end == nil || m.compare(item, *m.end) < 0 {
		m.end = &item
	}
}

// End is the item behind which nobody knows what comes; nil if there is none.
func (m *Merge[T]) End() *T { return m.end }

// IsBehind tells whether an item comes behind the end.
func (m *Merge[T]) IsBehind(item T) bool { return m.end != nil && m.compare(*m.end, item) < 0 }

// FirstOfEach keeps the first of several rows with the same id in a sorted list, also when their values differ. Two shards show a row for a
// moment when its slot moves, and with a replica for as long as that is behind. Votes may have given the copies other values.
func FirstOfEach[T any](list []T, id func(T) ID) []T {
	seen := make(map[ID]struct{}, len(list))
	return slices.DeleteFunc(list, func(item T) bool {
		_, again := seen[id(item)]
		seen[id(item)] = struct{}{}
		return again
	})
}
