package hrana

import (
	"errors"

	"plaza/data/random"
)

// Trial does a list of things together, in one transaction. If the database refuses them for what they are, it does
// each half by itself, larger parts first, until whatever is refused is alone. One bad thing of n costs about twice
// log2 n transactions.
type Trial[T any] struct {
	Do    func([]T) error
	Calls int // of Do that it may still make
	// Waits tells that it was refused for now. Whatever is refused so by itself is a part of Rest. nil if nothing ever is.
	Waits func(error) bool

	Refused []T // each was refused when it was alone
	Rest    []T // not done: the database was away, there were no calls left, or it waits
	Err     error
}

// Run tries all of list. It calls Do for the whole list at least once, even if Calls is 0.
func (t *Trial[T]) Run(list []T) {
	if len(list) == 0 {
		return
	}
	t.Calls = max(t.Calls, 1)
	waiting := [][]T{list}
	for len(waiting) > 0 && t.Calls > 0 {
		list := waiting[0]
		t.Calls--
		err := t.Do(list)
		if err != nil && !IsRefused(err) {
			t.Err = errors.Join(t.Err, err)
			break // whatever is asked next would not be answered either
		}
		waiting = waiting[1:]
		switch {
		case err == nil:
		case len(list) == 1 && t.Waits != nil && t.Waits(err):
			t.Rest, t.Err = append(t.Rest, list[0]), errors.Join(t.Err, err)
		case len(list) == 1:
			t.Refused, t.Err = append(t.Refused, list[0]), errors.Join(t.Err, err)
		default:
			if t.Calls == 0 {
				t.Err = errors.Join(t.Err, err)
			}
			// In a new order each time: when there are more bad ones than calls, others share their part with one of
			// them by chance and not for good.
			random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			waiting = append(waiting, list[:len(list)/2], list[len(list)/2:])
		}
	}
	for _, list := range waiting {
		t.Rest = append(t.Rest, list...)
	}
}
