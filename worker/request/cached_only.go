package request

import (
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/data/site"
	"plaza/render/ui"
)

// Administrators can let visitors get cached pages only (site.VisitorsCached), for as long as scrapers overload the site. A visitor whose
// page is not in the edge cache is then refused before anything is read. Pages get into the cache all the same: the routes table says
// which are made for visitors (Uncached), and the edge renews the copies that it has.

// Uncached says which pages of a route are made for visitors who get cached pages only.
type Uncached int

const (
	Refused    Uncached = iota
	FirstPage           // the page without parameters; with any, if the route is never cached
	RecentPost          // the same, if its post is not older than recentAge; the handler checks that with RefuseOld
	Always
)

const (
	recentAge = 7 * 24 * time.Hour
	// cachedRetry is after how many seconds programs may try again. Administrators leave site.VisitorsCached on for hours.
	cachedRetry = 3600

	codeCachedOnly data.Code = "cached_only"
)

// GetsCachedOnly reports whether the caller gets cached pages only. Renewals of copies are not refused, so that pages that are read stay
// fresh; only the edge can say that it renews one.
func (c *Call) GetsCachedOnly() bool {
	return c.Actor == nil && SafeMethod(c.R.Method) && c.Route.Access == Public && c.R.Header.Get(renewalHeader) == "" &&
		c.Server.Settings.Now().Visitors == site.VisitorsCached
}

// admitCachedOnly refuses a visitor who gets cached pages only, unless the route's page is made for them. An instance that only refuses
// reads the settings twice a minute, so that it learns when this ends.
func (s *Server) admitCachedOnly(c *Call) error {
	if !c.GetsCachedOnly() || c.Route.WhenCachedOnly == Always {
		return nil
	}
	_ = s.Settings.Refresh(deadline.ForPart(c.R.Context(), settingsWait)) // an error leaves them as they are
	first := c.Route.Cache == CacheNever || c.R.URL.RawQuery == ""
	if !c.GetsCachedOnly() || c.Route.WhenCachedOnly != Refused && first {
		return nil
	}
	return c.refuseUncached()
}

// RefuseOld refuses the page of a post that was created at a time, if the caller gets cached pages only and the post is not recent.
func (c *Call) RefuseOld(created time.Time) error {
	if !c.GetsCachedOnly() || c.At.Sub(created) <= recentAge {
		return nil
	}
	return c.refuseUncached()
}

func (c *Call) refuseUncached() error {
	c.W.Header().Set("Retry-After", strconv.Itoa(cachedRetry))
	return &data.Error{Code: codeCachedOnly, See: ui.WithReturn("/login", c.place()),
		Message: "Very many programs are reading this site right now. Until they stop, only members can open this page. The front page, " +
			"communities and the threads of the last week are open to everybody."}
}
