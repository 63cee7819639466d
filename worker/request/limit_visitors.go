package request

import (
	"strings"

	"plaza/data/pace/deadline"
)

// visitorsAtOnce is how many pages for visitors an instance makes at the same time. A page waits some 40 ms for its databases, so these are
// hundreds of pages a second. A scraper with thousands of networks uses each of them once, so the budget of a network (limit_budget.go)
// never stops it. Without this bound members would wait behind its pages.
const visitorsAtOnce = 24

// visit lets a visitor's page be made; leave ends the visit. It returns RateLimited while visitorsAtOnce pages are being made. Then the
// edge cache shows an older copy of the page, or a 429 if it has none. Only pages with CacheListing or CacheThread are bounded, and only
// for visitors. Searches are not: they wait for each other (package listing), and would keep the places meanwhile. If the platform ends a
// request before it calls leave, the visit ends by itself after deadline.Request.
func (s *Server) visit(c *Call) (leave func(), err error) {
	if c.Actor != nil || !SafeMethod(c.R.Method) || c.Route.Cache != CacheListing && c.Route.Cache != CacheThread ||
		strings.HasPrefix(c.Route.Pattern, "/search") {
		return func() {}, nil
	}
	leave, err = s.visits.Acquire(c.R.Context(), 0, deadline.Request)
	if err != nil {
		return nil, TooFast(c, 1, "The site is very busy right now. Please try again in a few seconds.")
	}
	return leave, nil
}
