package worker

import (
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
)

// shapes says what the values of the parameters of cached addresses look like, as
// regular expressions of a whole value. The edge keeps one answer for all values that
// look otherwise (shim/address.mjs).
var shapes = map[string]string{
	"t":     "hour|day|week|month|year|all",
	"sort":  "best|top|new|old|controversial|qa|growth",
	"after": "[0-9a-z]{13}|[0-9a-z]{27}|[0-9]{1,19}",
	"left":  "[0-9]{1,9}",
	"url":   "[^]{1,2048}",
	"post":  "[0-9a-z]{13}|[0-9]{1,19}",
}

// pattern is the route's pattern as http.ServeMux takes it.
func (rt *route) pattern() string {
	pattern, _, _ := strings.Cut(rt.Pattern, "?")
	return pattern
}

// parameters are the parameters that the route's address may have, in their one order.
func (rt *route) parameters() []string {
	_, names, _ := strings.Cut(rt.Pattern, "?")
	return strings.FieldsFunc(names, func(r rune) bool { return r == '&' })
}

// knownQuery is a request without the parameters that its cached page doesn't know, and
// with one value of each that it knows: what would not change the page is not seen by it.
func (rt *route) knownQuery(r *http.Request) *http.Request {
	if rt.cache == cacheNever || r.URL.RawQuery == "" {
		return r
	}
	asked, kept := r.URL.Query(), url.Values{}
	for _, name := range rt.parameters() {
		if value := asked.Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	u, clean := *r.URL, *r
	u.RawQuery = kept.Encode()
	clean.URL = &u
	return &clean
}

// optionalID reads an id that an address may carry; 0 without one.
func optionalID(s string) (data.ID, error) {
	if s == "" {
		return 0, nil
	}
	return data.ParseID(s)
}
