package data

import (
	"cmp"
	"math"
	"slices"
)

// Page is a page of a list. Read it after Run.
type Page[T any] struct {
	order        Order
	limit        int
	lines        []line[T]
	sorted       bool // by value and id, after Run
	hasStatement bool
	read         *Read
}

// line is an item and its position.
type line[T any] struct {
	item  T
	value float64
	id    ID
}

// NewPage begins a page of up to limit items. order is the order in its cursors; 0 if its cursors are only an id.
func NewPage[T any](order Order, limit int) *Page[T] {
	return &Page[T]{order: order, limit: limit}
}

func compareLines[T any](a, b line[T]) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.id, a.id))
}

// Sorted makes the page sort its items, also those of a single statement without ORDER BY, and returns the page.
func (p *Page[T]) Sorted() *Page[T] {
	p.sorted = true
	return p
}

// Find adds a statement for the directory that finds items of the page, and returns the page. :limit is one more than the page shows, so
// that it is known whether another page follows. scan returns an item, its sort value and the id that decides between equal values.
//
// The items of one statement stay in its order, unless the page is Sorted. The items of several are sorted by descending value and id,
// without duplicates.
func (p *Page[T]) Find(r *Read, sql string, args Args, scan func(*Row) (item T, value float64, id ID)) *Page[T] {
	return p.FindAt(r, directory, sql, args, scan)
}

// FindAt is Find for another place than the directory.
func (p *Page[T]) FindAt(r *Read, at Place, sql string, args Args, scan func(*Row) (item T, value float64, id ID)) *Page[T] {
	p.find(r, at, sql, args, func(row *Row) {
		item, value, id := scan(row)
		p.lines = append(p.lines, line[T]{item, value, id})
	})
	return p
}

// FindAll is Find for all shards. It skips rows that another shard holds.
func (p *Page[T]) FindAll(r *Read, sql string, args Args, scan func(*Row) (item T, value float64, id ID)) {
	for _, shard := range r.db.homes {
		p.FindOn(r, shard, sql, args, scan)
	}
}

// FindEverywhere is FindAll for all databases.
func (p *Page[T]) FindEverywhere(r *Read, sql string, args Args, scan func(*Row) (item T, value float64, id ID)) {
	for _, where := range r.db.Databases() {
		p.FindOn(r, where, sql, args, scan)
	}
}

// FindOn is FindAll for one database.
func (p *Page[T]) FindOn(r *Read, at Place, sql string, args Args, scan func(*Row) (item T, value float64, id ID)) {
	p.find(r, at, sql, args, func(row *Row) {
		if item, value, id := scan(row); row.InOwnShard(id) {
			p.lines = append(p.lines, line[T]{item, value, id})
		}
	})
}

func (p *Page[T]) find(r *Read, at Place, sql string, args Args, scan func(*Row)) {
	p.sorted, p.hasStatement, p.read = p.sorted || p.hasStatement, true, r
	args["limit"] = p.limit + 1
	r.FindAt(at, sql, args, scan)
}

// found returns the page's items, and whether another page follows.
func (p *Page[T]) found() (lines []line[T], more bool) {
	if p.sorted {
		slices.SortStableFunc(p.lines, compareLines[T])
		p.lines = FirstOfEach(p.lines, func(l line[T]) ID { return l.id })
	}
	return p.lines[:min(len(p.lines), p.limit)], len(p.lines) > p.limit
}

// Items returns the page in its order.
func (p *Page[T]) Items() []T {
	lines, _ := p.found()
	items := make([]T, len(lines))
	for i, l := range lines {
		items[i] = l.item
	}
	return items
}

// Next returns the cursor of the following page; zero on the last. If a shard is missing (Read.Missing), the last page is not known: then
// every page that is not empty has a next one.
func (p *Page[T]) Next() Cursor {
	lines, more := p.found()
	if len(lines) == 0 || !more && p.read.Complete() {
		return Cursor{}
	}
	last := lines[len(lines)-1]
	return Cursor{Order: byte(p.order), Value: last.value, ID: last.id}
}

// Below returns the id below which a page begins in a list sorted by descending id. 0 is the first page.
func Below(before ID) ID {
	if before == 0 {
		return math.MaxInt64
	}
	return before
}
