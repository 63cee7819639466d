package request

import (
	"time"

	"plaza/data/pace/deadline"
	"plaza/render/ui"
)

// A scraper with thousands of networks uses each of them once, so the budget of a network (limit_budget.go) never stops it. What an
// instance does for all visitors together is therefore bounded as well: so many pages at a time, and so many rows a second. Without that,
// members would wait behind the scraper's pages. Few pages at a time are enough: a page takes 50 ms or so, and if the databases are slow,
// more at a time make them slower.
const (
	visitorsAtOnce    = 6      // pages, and as many renewals of copies beside them
	searchesAtOnce    = 2      // of visitors, beside these pages
	visitorsSoon      = 1_000  // at once
	visitorsPerSecond = 5_000  // from then on: what comes sooner waits
	visitorsRows      = 10_000 // of pages that are made or wait
	visitorsPage      = 500    // a page counts as so many rows at least, because it takes time as well
	// A network that has used more rows than this may use half of visitorsRows, so that one crawler leaves the other half to the others. Of
	// its rows, 500 a second are forgiven: a page of the least size.
	visitorsLight = 2_500
)

// visit lets a visitor's page be made; leave ends the visit. It waits if pages come faster than they are to be made: ten at once would hold
// members up for half a second. Beyond the bounds it returns RateLimited. Then the edge cache shows an older copy of the page, or a 429 if
// it has none. Only pages with CacheListing or CacheThread are bounded, and only for visitors; those that are always made for them (Always)
// are not. Searches have places of their own, because they take longer and wait for each other (package listing). So have renewals of
// copies, which go on until twice as many rows are used: what many read goes first. Where addresses are unknown, rows are not bounded,
// because one crawler would use up those of all. If the platform ends a request before it calls leave, its place is free after
// deadline.Request.
func (s *Server) visit(c *Call) (leave func(), err error) {
	if c.Actor != nil || !SafeMethod(c.R.Method) || c.Route.WhenCachedOnly == Always ||
		c.Route.Cache != CacheListing && c.Route.Cache != CacheThread {
		return func() {}, nil
	}
	places, renews := s.visits, c.R.Header.Get(renewalHeader) != ""
	switch {
	case c.Route.Limit == LimitSearch:
		places = s.searches
	case renews:
		places = s.renewals
	}
	if c.reader() != "" {
		wait, ok := s.spendVisit(c.reader(), renews)
		if !ok {
			return nil, errBusy(c)
		}
		if wait > 0 && s.sleep != nil {
			if err := s.sleep(c.R.Context(), wait); err != nil {
				return nil, err
			}
		}
	}
	free, err := places.Acquire(c.R.Context(), 0, deadline.Request)
	if err != nil {
		s.addRows(c.reader(), -visitorsPage) // it is not made
		return nil, errBusy(c)
	}
	before := c.rows.RowsRead()
	return func() {
		free()
		s.addRows(c.reader(), max(c.rows.RowsRead()-before-visitorsPage, 0))
	}, nil
}

func errBusy(c *Call) error {
	err := TooFast(c, 1, "The site is very busy right now, and members go first. Please try again in a few seconds, or log in.")
	err.See = ui.WithReturn("/login", c.place())
	return err
}

// spendVisit counts a page for a visitor's network and says how long it has to wait. A renewal waits for nothing: somebody is shown the old
// copy, or waits for the new one already. ok is false, and nothing is counted, if visitors have had read what they may.
func (s *Server) spendVisit(network string, renews bool) (wait time.Duration, ok bool) {
	now, factor := s.Source.Now(), float64(s.LimitFactor)
	s.mu.Lock()
	defer s.mu.Unlock()
	rows, share := max(s.visited.rows-now.Sub(s.visited.at).Seconds()*visitorsPerSecond*factor, 0), s.shares[network].by(now)
	most := visitorsRows * factor
	if renews {
		most *= 2
	}
	if share > visitorsLight*factor {
		most /= 2
	}
	if rows >= most {
		return 0, false
	}
	if len(s.shares) >= budgetsKept {
		clear(s.shares)
	}
	s.visited, s.shares[network] = spending{rows + visitorsPage, now}, spending{share + visitorsPage, now}
	if renews {
		return 0, true
	}
	return max(time.Duration((rows/factor-visitorsSoon)/visitorsPerSecond*float64(time.Second)), 0), true
}

// addRows adds rows to what a visitor's network has had read, beyond what spendVisit has counted, or takes some away.
func (s *Server) addRows(network string, rows int64) {
	if rows == 0 || network == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.visited.rows = max(s.visited.rows+float64(rows), 0)
	share := s.shares[network]
	s.shares[network] = spending{max(share.rows+float64(rows), 0), share.at}
}
