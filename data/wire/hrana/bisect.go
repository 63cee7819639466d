package hrana

import (
	"errors"

	"plaza/data/random"
)

// Bisect processes a list of items together, in one transaction. If the database refuses them for their content, it tries each half
// separately, larger parts first, until each refused item is alone. One bad item of n costs about twice log2 n transactions.
type Bisect[T any] struct {
	Do    func([]T) error
	Calls int // how many calls of Do it may still make
	// IsTemporary reports whether an error refuses an item only temporarily. An item that is refused alone with such an error is in Rest. nil
	// if there are no such errors.
	IsTemporary func(error) bool

	Refused []T // each was refused when it was alone
	Rest    []T // not done: the database was down, there were no calls left, or it has to wait
	Err     error
}

// Run tries all of list. It calls Do for the whole list at least once, even if Calls is 0.
func (t *Bisect[T]) Run(list []T) {
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
			break // further calls would fail, too
		}
		waiting = waiting[1:]
		switch {
		case err == nil:
		case len(list) == 1 && t.IsTemporary != nil && t.IsTemporary(err):
			t.Rest, t.Err = append(t.Rest, list[0]), errors.Join(t.Err, err)
		case len(list) == 1:
			t.Refused, t.Err = append(t.Refused, list[0]), errors.Join(t.Err, err)
		default:
			if t.Calls == 0 {
				t.Err = errors.Join(t.Err, err)
			}
			// In a random order: if there are more bad items than calls, a good item is in the same part as a bad one only by chance, and not
			// in each Run.
			random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			waiting = append(waiting, list[:len(list)/2], list[len(list)/2:])
		}
	}
	for _, list := range waiting {
		t.Rest = append(t.Rest, list...)
	}
}
