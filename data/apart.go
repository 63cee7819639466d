package data

import (
	"errors"

	"plaza/data/hrana"
	"plaza/data/random"
)

// A trial does a list of things together, in one transaction. When the database refuses
// them for what they are, it does each half by itself, the larger ones first, until what
// is refused is alone. One bad thing of n costs about twice log2 n transactions.
type trial[T any] struct {
	do    func([]T) error
	calls int // of do that it may still make

	refused []T // each was refused when it was alone
	rest    []T // not done: the database was away, or there were no calls left
	err     error
}

// run tries all of list. It does list itself at least once, whatever is left of calls.
func (t *trial[T]) run(list []T) {
	if len(list) == 0 {
		return
	}
	t.calls = max(t.calls, 1)
	waiting := [][]T{list}
	for len(waiting) > 0 && t.calls > 0 {
		list := waiting[0]
		t.calls--
		err := t.do(list)
		if err != nil && !hrana.IsRefused(err) {
			t.err = errors.Join(t.err, err)
			break // whatever is asked next would not be answered either
		}
		waiting = waiting[1:]
		switch {
		case err == nil:
		case len(list) == 1:
			t.refused, t.err = append(t.refused, list[0]), errors.Join(t.err, err)
		default:
			if t.calls == 0 {
				t.err = errors.Join(t.err, err)
			}
			// In a new order each time: when there are more bad ones than calls, others share
			// their part with one of them by chance and not for good.
			random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			waiting = append(waiting, list[:len(list)/2], list[len(list)/2:])
		}
	}
	for _, list := range waiting {
		t.rest = append(t.rest, list...)
	}
}
