package data

import "slices"

// Merge finds up to where a list is known that merges the results of several statements, in the order of compare. If a statement stopped
// at its limit, its later rows are not known, so the list may end at its last row.
type Merge[T any] struct {
	compare func(a, b T) int
	end     *T
}

// NewMerge begins a list.
func NewMerge[T any](compare func(a, b T) int) *Merge[T] { return &Merge[T]{compare: compare} }

// EndAt records that the rows of one statement after item are not known.
func (m *Merge[T]) EndAt(item T) {
	if m.end == nil || m.compare(item, *m.end) < 0 {
		m.end = &item
	}
}

// End returns the item after which the list is not known; nil if the whole list is known.
func (m *Merge[T]) End() *T { return m.end }

// IsAfterEnd reports whether an item comes after the end.
func (m *Merge[T]) IsAfterEnd(item T) bool { return m.end != nil && m.compare(*m.end, item) < 0 }

// FirstOfEach keeps the first of several rows with the same id in a sorted list, even if their values differ.
func FirstOfEach[T any](list []T, id func(T) ID) []T {
	seen := make(map[ID]struct{}, len(list))
	return slices.DeleteFunc(list, func(item T) bool {
		_, again := seen[id(item)]
		seen[id(item)] = struct{}{}
		return again
	})
}
