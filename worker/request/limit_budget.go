package request

import (
	"time"

	"plaza/data/pace/deadline"
	"plaza/locale"
	"plaza/render/ui"
)

// How many rows one instance reads from the database for one reader, a member or a visitor's network. Pages from the
// edge cache cost nothing, a long thread 2,500 rows, a listing 50. So a crawler that keeps asking for new addresses
// costs a bounded amount. It is counted in memory, because counting in Redis would cost each page another request.
const (
	budgetRows      = 150_000 // at once
	budgetPerSecond = 500     // and from then on
	readersKept     = 10_000
)

// A scraper with thousands of networks uses each of them once, so the budget of a network never stops it. What an instance does for all
// visitors together is therefore bounded as well: so many rows a second, and so many pages at a time where pages are slow. Without that,
// members would wait behind the scraper's pages. Few pages at a time are enough: a page takes 50 ms or so, and if the databases are slow,
// more at a time make them slower.
const (
	visitorsAtOnce    = 6      // pages, and as many renewals of copies beside them
	searchesAtOnce    = 2      // of visitors, beside these pages
	visitorsFree      = 500    // rows that are read without waiting
	visitorsPerSecond = 5_000  // rows of the pages after that: each waits for its turn
	visitorsRows      = 15_500 // of pages that are made or wait: visitorsFree, and what is read in three seconds. No page waits for longer
	visitorsPage      = 500    // a page counts as so many rows at least, because it takes time as well
	// A network that has used more rows than this may use half of visitorsRows, so that one crawler leaves the other half to the others. Of
	// its rows, 500 a second are forgiven: a page of the least size.
	visitorsLight = 2_500
)

// bucket is how many rows were read until at. Some are forgiven for each second since.
type bucket struct {
	rows float64
	at   time.Time
}

func (b bucket) remaining(now time.Time, perSecond float64) float64 {
	return max(b.rows-max(now.Sub(b.at).Seconds(), 0)*perSecond, 0)
}

func (b *bucket) add(rows float64, now time.Time, perSecond float64) {
	*b = bucket{max(b.remaining(now, perSecond)+rows, 0), now}
}

// spending is what an instance knows of a reader.
type spending struct {
	read    bucket // of the budget
	visited bucket // by a visitor's network, of what is for all visitors
}

// spending returns the spending of a reader. The caller holds s.mu.
func (s *Server) spending(reader string) *spending {
	of := s.spent[reader]
	if of == nil {
		if len(s.spent) >= readersKept {
			clear(s.spent)
		}
		of = &spending{}
		s.spent[reader] = of
	}
	return of
}

// reader is whose budget a call is charged to: the member, or a visitor's network. It is "" where visitors can't be
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
	spent := s.spending(reader).read.remaining(s.Source.Now(), budgetPerSecond)
	s.mu.Unlock()
	over := spent/float64(s.LimitFactor) - budgetRows
	if c.Actor != nil && (c.ByToken || c.Format != nil) { // never on an answer that the edge keeps for others
		setLimitHeaders(c.W.Header(), "reading", budgetRows, budgetRows*time.Second/budgetPerSecond, int64(max(-over, 0)),
			time.Duration((over+budgetRows)/budgetPerSecond*float64(time.Second)))
	}
	if over <= 0 {
		return nil
	}
	wait := int(over/budgetPerSecond) + 1
	return TooFast(c, wait, locale.With("That was a lot of reading in a short time. Please wait {} and try again.", WaitText(wait)))
}

// spendRead adds the rows that a call has read to its reader's spending, without rows that were added before.
func (s *Server) spendRead(c *Call, before int64) {
	if rows := c.rows.RowsRead() - before; rows > 0 {
		s.spend(c.reader(), float64(rows))
	}
}

// spend adds to what was read for a reader.
func (s *Server) spend(reader string, rows float64) {
	if reader == "" {
		return
	}
	now := s.Source.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spending(reader).read.add(rows, now, budgetPerSecond)
}

// spendCall counts a call of a route as rows, so many that the budget of a period lasts for as many calls as the limit allows.
func (s *Server) spendCall(c *Call, l Limit) error {
	if err := s.MayRead(c); err != nil {
		return err
	}
	s.spend(c.reader(), budgetPerSecond*l.Per.Seconds()/float64(l.Max))
	return nil
}

// visit lets a visitor's page be made; leave ends the visit. It waits for its turn if pages come faster than they are to be made: ten at
// once would hold members up for half a second. Beyond the bounds it returns RateLimited. Then the edge cache shows an older copy of the
// page, or a 429 if it has none. Only pages with CacheListing or CacheThread are bounded, and only for visitors; those that are always made
// for them (Always) are not. Searches have places of their own, because they take longer and wait for each other (package listing). So have
// renewals of copies, which go on until twice as many rows are used: what many read goes first. Neither waits for a turn. Where addresses
// are unknown, rows are not bounded, because one crawler would use up the rows of all. If the platform ends a request before it calls
// leave, its place is free after deadline.Request.
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
	if places == s.visits { // without a place, because so many may wait
		ok = s.waitTurn(c, wait)
	}
	var free func()
	if ok {
		free, err = places.Acquire(c.R.Context(), 0, deadline.Request)
	}
	if !ok || err != nil {
		s.addVisited(network, -visitorsPage) // it is not made
		return nil, errBusy(c)
	}
	before := c.rows.RowsRead()
	return func() {
		free()
		s.addVisited(network, max(c.rows.RowsRead()-before-visitorsPage, 0))
	}, nil
}

func errBusy(c *Call) error {
	err := TooFast(c, 1, "The site is very busy right now, and members go first. Please try again in a few seconds, or log in.")
	err.See = ui.WithReturn("/login", c.place())
	return err
}

// book counts a page for a visitor's network. It says how long the page waits for its turn. ok is false, and nothing is counted, if
// visitors have had read what they may.
func (s *Server) book(network string, renews bool) (wait time.Duration, ok bool) {
	if network == "" {
		return 0, true
	}
	now, factor := s.Source.Now(), float64(s.LimitFactor)
	s.mu.Lock()
	defer s.mu.Unlock()
	of, most := s.spending(network), visitorsRows*factor
	if renews {
		most *= 2
	}
	if of.visited.remaining(now, budgetPerSecond) > visitorsLight*factor {
		most /= 2
	}
	rows := s.visited.remaining(now, visitorsPerSecond*factor)
	if rows >= most {
		return 0, false
	}
	s.visited.add(visitorsPage, now, visitorsPerSecond*factor)
	of.visited.add(visitorsPage, now, budgetPerSecond)
	return max(time.Duration((rows/factor-visitorsFree)/visitorsPerSecond*float64(time.Second)), 0), true
}

// waitTurn waits for a page's turn. It returns false if the page is not to be made: the visitor has gone, or pages before it had so many
// more rows than visitorsPage that visitors have had read what they may.
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
	return s.visited.remaining(now, visitorsPerSecond*factor) < visitorsRows*factor+visitorsPage // its own are among them
}

// addVisited adds rows to what a visitor's network has had read, beyond what book has counted, or takes some away.
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
