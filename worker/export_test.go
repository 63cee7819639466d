package worker

import "time"

// RouteInfo is what the tests need to know of a route.
type RouteInfo struct {
	Method, Pattern          string
	Member, Limited, Private bool
	Moderator, Admin         bool
}

// Routes lists the table.
func Routes() (list []RouteInfo) {
	for _, rt := range routes {
		list = append(list, RouteInfo{rt.Method, rt.Pattern, rt.access != public, rt.limit.max > 0, rt.cache == cacheNever, rt.access == moderator, rt.access == admin})
	}
	return list
}

// ActionInfo is what the documentation says of an action.
type ActionInfo struct {
	Method, Pattern string
	Max             int
	Per             time.Duration
}

// Actions lists the routes with their limits.
func Actions() (list []ActionInfo) {
	for _, rt := range routes {
		list = append(list, ActionInfo{rt.Method, rt.Pattern, rt.limit.max, rt.limit.per})
	}
	return list
}
