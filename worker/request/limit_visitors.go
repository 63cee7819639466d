package request

import (
	"time"

	"plaza/data/pace/deadline"
	"plaza/render/ui"
)

// A scraper with thousands of networks uses each of them once, so the budget of a network (limit_budget.go) never stops it. What an
// instance does for all visitors together is therefore bounded as well: so many rows a second, and so many pages at a time where pages are
// slow. Without that, members would wait behind the scraper's pages. Few pages at a time are enough: a page takes 50 ms or so, and if the
// databases are slow, more at a time make them slower.
const (
	visitorsAtOnce    = 6                      // pages, and as many renewals of copies beside them
	searchesAtOnce    = 2                      // of visitors, beside these pages
	visitorsFree      = 500                    // rows that are read without waiting
	visitorsPerSecond = 5_000                  // rows of the pages after that: each waits for its turn
	visitorsPatience  = 3 * time.Second        // longer than that no page waits
	visitorsLook      = 300 * time.Millisecond // how often a page that waits looks whether it has to wait longer
	visitorsRows      = 15_500                 // of pages that are made or wait: visitorsFree, and what is read in visitorsPatience
	visitorsPage      = 500                    // a page counts as so many rows at least, because it takes time as well
	// A network that has used more rows than this may use half of visitorsRows, so that one crawler leaves the other half to the others. Of
	// its rows, 500 a second are forgiven: a page of the least size.
	visitorsLight = 2_500
)

// visit lets a visitor's page be made; leave ends the visit. It waits for its turn if pages come faster than they are to be made: ten at
// once would hold members up for half a second. Beyond the bounds it returns RateLimited. Then the edge cache shows an older copy of the
// page, or a 429 if it has none. Only pages with CacheListing or CacheThread are bounded, and only for visitors; those that are always made
// for them (Always) are not. Searches have places of their own, because they take longer and wait for each other (package listing). So have
// renewals of copies, which go on until twice as many rows are used: what many read goes first. Neither waits for a turn. Where addresses
// are unknown, rows are not bounded, because one crawler would use up those of all. If the platform ends a request before it calls leave,
// its place is free after deadline.Request.
func (s *Server) visit(c *Call) (leave func(), err error) {
	if c.Actor != nil || !SafeMethod(c.R.Method) || c.Route.WhenCachedOnly == Always ||
		c.Route.Cache != CacheListing && c.Route.Cache != CacheThread {
		return func() {}, nil
	}
	places, renews, network := s.visits, c.R.Header.Get(renewalHeader) != "", c.reader()
	switch {
	case c.Route.Limit == LimitSearch:
		places = s.searches
	case renews:
		places = s.renewals
	case network != "": // without a place, because so many may wait
		return s.visitInTurn(c, network)
	}
	free, err := places.Acquire(c.R.Context(), 0, deadline.Request)
	if err != nil {
		return nil, errBusy(c)
	}
	if network == "" {
		return free, nil
	}
	if _, _, ok := s.book(network, renews); !ok {
		free()
		return nil, errBusy(c)
	}
	return s.leaving(c, network, free), nil
}

// visitInTurn is visit for a page that waits for its turn.
func (s *Server) visitInTurn(c *Call, network string) (leave func(), err error) {
	left, known, ok := s.book(network, false)
	if !ok {
		return nil, errBusy(c)
	}
	for s.sleep != nil {
		var more time.Duration
		more, known = s.longer(known)
		if left += more; left <= 0 {
			break
		}
		step := min(left, visitorsLook)
		if c.waited+left > visitorsPatience || s.sleep(c.R.Context(), step) != nil {
			s.addRows(network, -visitorsPage) // it is not made
			return nil, errBusy(c)
		}
		left, c.waited = left-step, c.waited+step
	}
	free, err := s.visits.Acquire(c.R.Context(), 0, deadline.Request)
	if err != nil {
		s.addRows(network, -visitorsPage)
		return nil, errBusy(c)
	}
	return s.leaving(c, network, free), nil
}

// leaving returns what ends a visit: it books the rows that were read beyond visitorsPage.
func (s *Server) leaving(c *Call, network string, free func()) (leave func()) {
	before := c.rows.RowsRead()
	return func() {
		free()
		s.addRows(network, max(c.rows.RowsRead()-before-visitorsPage, 0))
	}
}

func errBusy(c *Call) error {
	err := TooFast(c, 1, "The site is very busy right now, and members go first. Please try again in a few seconds, or log in.")
	err.See = ui.WithReturn("/login", c.place())
	return err
}

// book counts a page for a visitor's network. It says how long the page waits for its turn, and what longer needs. ok is false, and nothing
// is counted, if visitors have had read what they may.
func (s *Server) book(network string, renews bool) (wait time.Duration, known float64, ok bool) {
	now, factor := s.Source.Now(), float64(s.LimitFactor)
	s.mu.Lock()
	defer s.mu.Unlock()
	rows, share := s.visitedBy(now), s.shares[network].by(now)
	most := visitorsRows * factor
	if renews {
		most *= 2
	}
	if share > visitorsLight*factor {
		most /= 2
	}
	if rows >= most {
		return 0, 0, false
	}
	if len(s.shares) >= budgetsKept {
		clear(s.shares)
	}
	s.visited, s.shares[network] = spending{rows + visitorsPage, now}, spending{share + visitorsPage, now}
	return s.readWithin(rows - visitorsFree*factor), s.unforeseen, true
}

// longer says how much longer a page has to wait, because pages before it had more rows than visitorsPage. known is what book or longer has
// returned for the page last.
func (s *Server) longer(known float64) (wait time.Duration, unforeseen float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readWithin(s.unforeseen - known), s.unforeseen
}

// visitedBy are the rows of all visitors that have not been forgiven until now.
func (s *Server) visitedBy(now time.Time) float64 {
	passed := max(now.Sub(s.visited.at).Seconds(), 0)
	return max(s.visited.rows-passed*visitorsPerSecond*float64(s.LimitFactor), 0)
}

// readWithin is how long rows are read for visitors.
func (s *Server) readWithin(rows float64) time.Duration {
	return max(time.Duration(rows/(visitorsPerSecond*float64(s.LimitFactor))*float64(time.Second)), 0)
}

// addRows adds rows to what a visitor's network has had read, beyond what book has counted, or takes some away.
func (s *Server) addRows(network string, rows int64) {
	if rows == 0 {
		return
	}
	now := s.Source.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.visited = spending{max(s.visitedBy(now)+float64(rows), 0), now}
	s.unforeseen += max(float64(rows), 0)
	s.shares[network] = spending{max(s.shares[network].by(now)+float64(rows), 0), now}
}
