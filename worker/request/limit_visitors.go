package request

import (
	"plaza/data/pace/deadline"
)

// visitorsAtOnce is how many pages for visitors an instance makes at the same time. A page waits some 40 ms for its databases, so these are
// hundreds of pages a second. Scrapers who come once each from thousands of networks have no budget of their own that could end
// (limit_budget.go). Without this bound their pages would be in front of those of members.
const visitorsAtOnce = 24

// visit lets a visitor's page be made. When as many as may be are under way, the edge cache shows an older copy of the page, or there is a
// 429 if it has none. Members are not bounded, and neither is what takes no database, or waits for other servers. leave ends the visit; one
// that the platform has ended without a word is forgotten after the time that a request may take.
func (s *Server) visit(c *Call) (leave func(), err error) {
	if c.Actor != nil || !SafeMethod(c.R.Method) || c.Route.Cache != CacheListing && c.Route.Cache != CacheThread {
		return func() {}, nil
	}
	leave, err = s.visits.Acquire(c.R.Context(), 0, deadline.Request)
	if err != nil {
		return nil, TooFast(c, 1, "Very many people are reading at the moment. Please try again in a few seconds.")
	}
	return leave, nil
}
