package request

import (
	"time"

	"plaza/data/pace/deadline"
	"plaza/locale"
	"plaza/render/ui"
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

// spending is what an instance has counted for a reader.
type spending struct {
	read    bucket // against the reader's own budget
	visited bucket // of a visitor's network, against the bounds of all visitors
}

// spending returns the spending of a reader. The caller holds s.mu.
func (s *Server) spending(reader string) *spending {
	own := s.spent[reader]
	if own == nil {
		if len(s.spent) >= readersKept {
			clear(s.spent)
		}
		own = &spending{}
		s.spent[reader] = own
	}
	return own
}

// reader returns whose budget a call is charged to: the member, or a visitor's network. It is "" if visitors can't be
// distinguished. They have no budget then, because one shared budget would lock all of them out.
func (c *Call) reader() string {
	if c.Actor != nil {
		return c.Actor.UserID.Text()
	}
	return c.network()
}

// MayRead refuses a reader whose budget is used up.
func (s *Server) MayRead(c *Call) error {
	reader := c.reader()
	if reader == "" {
		return nil
	}
	s.mu.Lock()
	spent := s.spending(reader).read.level(s.Source.Now(), budgetPerSecond)
	s.mu.Unlock()
	over := spent/float64(s.LimitFactor) - budgetRows
	if c.Actor != nil && (c.ByToken || c.Format != nil) { // never on a response that the edge caches
		setLimitHeaders(c.W.Header(), "reading", budgetRows, budgetRows*time.Second/budgetPerSecond, int64(max(-over, 0)),
			time.Duration((over+budgetRows)/budgetPerSecond*float64(time.Second)))
	}
	if over <= 0 {
		return nil
	}
	wait := int(over/budgetPerSecond) + 1
	return RateLimitError(c, wait, locale.With("That was a lot of reading in a short time. Please wait {} and try again.", WaitText(wait)))
}

// spendRead adds the rows that a call has read to its reader's spending, without rows that were added before.
func (s *Server) spendRead(c *Call, before int64) {
	if rows := c.rows.RowsRead() - before; rows > 0 {
		s.spend(c.reader(), float64(rows))
	}
}

// spend adds rows to those that were read for a reader.
func (s *Server) spend(reader string, rows float64) {
	if reader == "" {
		return
	}
	now := s.Source.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spending(reader).read.add(rows, now, budgetPerSecond)
}

// spendCall counts a call of a route as a number of rows: the budget of a period lasts for as many calls as the limit allows.
func (s *Server) spendCall(c *Call, l Limit) error {
	if err := s.MayRead(c); err != nil {
		return err
	}
	s.spend(c.reader(), budgetPerSecond*l.Per.Seconds()/float64(l.Max))
	return nil
}

// visit returns when a visitor's page may be made; release ends the visit. It waits for its turn if requests come faster than pages should
// be made: ten at once would hold members up for half a second. Beyond the bounds it returns RateLimited. Then the edge cache shows an
// older copy of the page, or a 429 if it has none. Only pages with CacheListing or CacheThread are bounded, and only for visitors; those
// that are always made for them (Always) are not. Searches have places of their own, because they take longer and wait for each other
// (package listing). So have renewals of copies, which may use twice as many rows, because many people read the copies. Neither waits for a
// turn. If the caller's address is unknown, rows are not bounded, because one crawler would use up the rows of all. If the platform ends a
// request before it calls release, its place is free after deadline.Request.
func (s *Server) visit(c *Call) (release func(), err error) {
	if c.Actor != nil || !SafeMethod(c.R.Method) || c.Route.WhenCachedOnly == Always ||
		c.Route.Cache != CacheListing && c.Route.Cache != CacheThread {
		return func() {}, nil
	}
	places, renews, network := s.visits, c.R.Header.Get(renewalHeader) != "", c.network()
	switch {
	case c.Route.Limit == LimitSearch:
		places = s.searches
	case renews:
		places = s.renewals
	}
	wait, ok := s.book(network, renews)
	if !ok {
		return nil, errBusy(c)
	}
	if places == s.visits { // without a place, because many may wait
		ok = s.waitTurn(c, wait)
	}
	var free func()
	if ok {
		free, err = places.Acquire(c.R.Context(), 0, deadline.Request)
	}
	if !ok || err != nil {
		s.addVisited(network, -visitorsPage) // the page is not made
		return nil, errBusy(c)
	}
	before := c.rows.RowsRead()
	return func() {
		free()
		s.addVisited(network, max(c.rows.RowsRead()-before-visitorsPage, 0))
	}, nil
}

func errBusy(c *Call) error {
	err := RateLimitError(c, 1, "The site is very busy right now, and members go first. Please try again in a few seconds, or log in.")
	err.See = ui.WithReturn("/login", c.place())
	return err
}

// book counts a page for a visitor's network. It returns how long the page waits for its turn. ok is false, and nothing is counted, if
// visitors have used up their rows.
func (s *Server) book(network string, renews bool) (wait time.Duration, ok bool) {
	if network == "" {
		return 0, true
	}
	now, factor := s.Source.Now(), float64(s.LimitFactor)
	s.mu.Lock()
	defer s.mu.Unlock()
	own, maxRows := s.spending(network), visitorsRows*factor
	if renews {
		maxRows *= 2
	}
	if own.visited.level(now, budgetPerSecond) > visitorsLight*factor {
		maxRows /= 2
	}
	rows := s.visited.level(now, visitorsPerSecond*factor)
	if rows >= maxRows {
		return 0, false
	}
	s.visited.add(visitorsPage, now, visitorsPerSecond*factor)
	own.visited.add(visitorsPage, now, budgetPerSecond)
	return max(time.Duration((rows/factor-visitorsFree)/visitorsPerSecond*float64(time.Second)), 0), true
}

// waitTurn waits for a page's turn. It returns false if the page is not to be made: the visitor has gone, or pages before it had so many
// more rows than visitorsPage that the rows of visitors are used up.
func (s *Server) waitTurn(c *Call, wait time.Duration) bool {
	if wait == 0 || s.sleep == nil {
		return true
	}
	c.waited = wait
	if s.sleep(c.R.Context(), wait) != nil {
		return false
	}
	now, factor := s.Source.Now(), float64(s.LimitFactor)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visited.level(now, visitorsPerSecond*factor) < visitorsRows*factor+visitorsPage // book has added the page's own
}

// addVisited adds the rows of a visitor's network that book has not counted, or subtracts some.
func (s *Server) addVisited(network string, rows int64) {
	if rows == 0 || network == "" {
		return
	}
	now := s.Source.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.visited.add(float64(rows), now, visitorsPerSecond*float64(s.LimitFactor))
	s.spending(network).visited.add(float64(rows), now, budgetPerSecond)
}
