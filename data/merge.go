package data

import "slices"

// Merge knows the end of a list that merges the results of several statements, in the order of compare. A statement that stops at a limit
// may end the list, because its rows behind that are not known.
type Merge[T any] struct {
	compare func(a, b T) int
	end     *T
}

// NewMerge begins a list.
func NewMerge[T any](compare func(a, b T) int) *Merge[T] { return &Merge[T]{compare: compare} }

// EndAt records that what comes behind an item is not known.
func (m *Merge[T]) EndAt(item T) {
	if m.end == nil || m.compare(item, *m.end) < 0 {
		m.end = &item
	}
}

// End returns the item behind which the list is not known; nil if there is none.
func (m *Merge[T]) End() *T { return m.end }

// IsBehind reports whether an item comes behind the end.
func (m *Merge[T]) IsBehind(item T) bool { return m.end != nil && m.compare(*m.end, item) < 0 }

// FirstOfEach keeps the first of several rows with the same id in a sorted list, also if their values differ.
func FirstOfEach[T any](list []T, id func(T) ID) []T {
	seen := make(map[ID]struct{}, len(list))
	return slices.DeleteFunc(list, func(item T) bool {
		_, again := seen[id(item)]
		seen[id(item)] = struct{}{}
		return again
	})
}
