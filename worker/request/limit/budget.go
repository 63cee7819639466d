package limit

import (
	"context"
	"net/http"
	"sync"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/pace/semaphore"
)

// How many rows one instance reads from the database for one reader, a member or a visitor's network. Pages from the
// edge cache cost nothing, a long thread 2,500 rows, a listing 50. So a crawler that keeps requesting new addresses
// costs a bounded amount. Rows are counted in memory, because counting in Redis would cost each page another request.
const (
	budgetRows      = 150_000 // the burst
	budgetPerSecond = 500     // after the burst
	readersKept     = 10_000
)

// A scraper with thousands of networks uses each of them once, so the budget of a network never stops it. Therefore all visitors together
// have bounds, too, in each instance: of rows a second and, for when pages are slow, of pages at a time. Without them, members would wait
// behind the scraper's pages. Few pages at a time are enough: a page takes 50 ms or so, and if the databases are slow, more at a time make
// them slower.
const (
	visitorsAtOnce    = 6      // pages, and as many renewals of copies beside them
	searchesAtOnce    = 2      // of visitors, beside these pages
	visitorsFree      = 500    // rows that are read without waiting
	visitorsPerSecond = 5_000  // rows of the pages after that: each waits for its turn
	visitorsRows      = 15_500 // of pages that are made or wait: visitorsFree, and the rows of three seconds. No page waits for longer
	visitorsPage      = 500    // a page counts as so many rows at least, because it takes time as well
	// A network that has used more rows than this may use half of visitorsRows, so that one crawler leaves the other half to the others. Its
	// rows drain at 500 a second: the smallest page.
	visitorsLight = 2_500
)

// bucket is a leaky bucket: the rows that were in it at a time. Some drain each second.
type bucket struct {
	rows float64
	at   time.Time
}

func (b bucket) level(now time.Time, perSecond float64) float64 {
	return max(b.rows-max(now.Sub(b.at).Seconds(), 0)*perSecond, 0)
}

func (b *bucket) add(rows float64, now time.Time, perSecond float64) {
	*b = bucket{max(b.level(now, perSecond)+rows, 0), now}
}

// Budget bounds the rows that an instance reads, for each reader and for all visitors together.
type Budget struct {
	now                        func() time.Time
	factor                     int
	sleep                      deadline.SleepFunc // within a request; nil if requests can't wait
	visits, renewals, searches *semaphore.Semaphore

	mu      sync.Mutex           // never held across I/O
	visited bucket               // of all visitors
	spent   map[string]*spending // by reader
}

// NewBudget returns a budget of which nothing is spent. factor multiplies its bounds. A nil sleep is deadline.DefaultSleep.
func NewBudget(now func() time.Time, factor int, sleep deadline.SleepFunc) *Budget {
	places := func(n int) *semaphore.Semaphore { return &semaphore.Semaphore{Places: n * factor, Sleep: sleep} }
	b := &Budget{now: now, factor: factor, sleep: sleep, spent: map[string]*spending{},
		visits: places(visitorsAtOnce), renewals: places(visitorsAtOnce), searches: places(searchesAtOnce)}
	if sleep == nil {
		b.sleep = deadline.DefaultSleep
	}
	return b
}

// spending is what an instance has counted for a reader.
type spending struct {
	read    bucket // against the reader's own budget
	visited bucket // of a visitor's network, against the bounds of all visitors
}

// spending returns the spending of a reader. The caller holds b.mu.
func (b *Budget) spending(reader string) *spending {
	own := b.spent[reader]
	if own == nil {
		if len(b.spent) >= readersKept {
			clear(b.spent)
		}
		own = &spending{}
		b.spent[reader] = own
	}
	return own
}

// Wait returns after how many seconds a reader may read again; 0 if that is now, and for "", an unknown reader, who has no budget. It sets
// the headers of a limit in h, unless h is nil.
func (b *Budget) Wait(reader string, h http.Header) int {
	if reader == "" {
		return 0
	}
	b.mu.Lock()
	spent := b.spending(reader).read.level(b.now(), budgetPerSecond)
	b.mu.Unlock()
	over := spent/float64(b.factor) - budgetRows
	if h != nil {
		setHeaders(h, "reading", budgetRows, budgetRows*time.Second/budgetPerSecond, int64(max(-over, 0)),
			time.Duration((over+budgetRows)/budgetPerSecond*float64(time.Second)))
	}
	if over <= 0 {
		return 0
	}
	return int(over/budgetPerSecond) + 1
}

// Spend adds rows to those that were read for a reader.
func (b *Budget) Spend(reader string, rows float64) {
	if reader == "" || rows <= 0 {
		return
	}
	now := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spending(reader).read.add(rows, now, budgetPerSecond)
}

// SpendCall counts a call of a route as a number of rows: the budget of a period lasts for as many calls as the limit allows.
func (b *Budget) SpendCall(reader string, l Limit) {
	b.Spend(reader, budgetPerSecond*l.Per.Seconds()/float64(l.Max))
}

// Visit is a visitor's request for a page.
type Visit struct {
	Network        string // "" if it is unknown
	Search, Renews bool   // the page is a search's, or renews a copy of the edge
}

// Visit waits until a visitor's page may be made, because ten at once would hold members up for half a second. Call release when it is
// made. ok is false beyond the bounds. rowsRead returns how many rows the request has read.
//
//   - Searches have places of their own, because they take longer and wait for each other (package listing).
//   - So have renewals of copies, which may use twice as many rows, because many people read the copies.
//   - Neither of them waits for a turn.
//   - If the network is unknown, rows are not bounded, because one crawler would use up the rows of all.
//   - If the platform ends a request before it calls release, its place is free after deadline.Request.
func (b *Budget) Visit(ctx context.Context, v Visit, rowsRead func() int64) (release func(), waited time.Duration, ok bool) {
	wait, ok := b.book(v)
	if !ok {
		return nil, 0, false
	}
	places := b.visits
	switch {
	case v.Search:
		places = b.searches
	case v.Renews:
		places = b.renewals
	case wait > 0 && b.sleep != nil: // without a place, because many may wait
		waited = wait
		ok = b.sleep(ctx, wait) == nil && b.hasRoom()
	}
	var free func()
	if ok {
		var err error
		free, err = places.Acquire(ctx, 0, deadline.Request)
		ok = err == nil
	}
	if !ok {
		b.addVisited(v.Network, -visitorsPage) // the page is not made
		return nil, waited, false
	}
	before := rowsRead()
	return func() {
		free()
		b.addVisited(v.Network, max(rowsRead()-before-visitorsPage, 0))
	}, waited, true
}

// book counts a page for a visitor's network. It returns how long the page waits for its turn. ok is false, and nothing is counted, if
// visitors have used up their rows.
func (b *Budget) book(v Visit) (wait time.Duration, ok bool) {
	if v.Network == "" {
		return 0, true
	}
	now, factor := b.now(), float64(b.factor)
	b.mu.Lock()
	defer b.mu.Unlock()
	own, maxRows := b.spending(v.Network), visitorsRows*factor
	if v.Renews {
		maxRows *= 2
	}
	if own.visited.level(now, budgetPerSecond) > visitorsLight*factor {
		maxRows /= 2
	}
	rows := b.visited.level(now, visitorsPerSecond*factor)
	if rows >= maxRows {
		return 0, false
	}
	b.visited.add(visitorsPage, now, visitorsPerSecond*factor)
	own.visited.add(visitorsPage, now, budgetPerSecond)
	return max(time.Duration((rows/factor-visitorsFree)/visitorsPerSecond*float64(time.Second)), 0), true
}

// hasRoom reports whether a page that has waited may still be made: pages before it may have had so many more rows than visitorsPage that
// the rows of visitors are used up.
func (b *Budget) hasRoom() bool {
	now, factor := b.now(), float64(b.factor)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.visited.level(now, visitorsPerSecond*factor) < visitorsRows*factor+visitorsPage // book has added the page's own
}

// addVisited adds the rows of a visitor's network that book has not counted, or subtracts some.
func (b *Budget) addVisited(network string, rows int64) {
	if rows == 0 || network == "" {
		return
	}
	now := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.visited.add(float64(rows), now, visitorsPerSecond*float64(b.factor))
	b.spending(network).visited.add(float64(rows), now, budgetPerSecond)
}
