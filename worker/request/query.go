package request

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"plaza/data"
	"plaza/locale"
)

// Shapes are regular expressions of the whole values that parameters of cached addresses may have. The edge keeps one
// copy for all other values (worker/edge/shim/address.mjs).
var Shapes = map[string]string{
	"t":     "hour|day|week|month|year|all",
	"sort":  sorts(),
	"after": "[0-9a-z]{13}|[A-Za-z][0-9a-z]{26}|[0-9]{1,19}",
	"left":  "[0-9]{1,9}",
	"url":   "[^]{1,2048}",
	"flair": "[0-9a-z]{13}|[0-9]{1,19}",
	"q":     "[^]{1,200}",
	"post":  "[0-9a-z]{13}|[0-9]{1,19}",
	"but":   "[0-9a-z]{13}|[0-9]{1,19}",
	"read":  "[0-9a-z]{13}|[0-9]{1,19}",
	"month": "[0-9]{4}-[0-9]{2}",
	"half":  "[0-9]{4}-[12]",

	"format": "json|xml", "maxwidth": "[0-9]{1,5}", "maxheight": "[0-9]{1,5}", // of oEmbed
	// Parameters of a search, with q.
	"type":      "posts|comments|communities|people",
	"community": "[^]{1,40}",
	"author":    "[^]{1,40}",
	"kind":      "text|link|image",
	"tag":       "[^]{1,120}", // a letter may have several combining marks after it
	"domain":    "[^]{1,253}",
}

// sorts returns the names of all orders of threads and profiles, of the list of communities, and of a search.
func sorts() string {
	var names []string
	for _, name := range slices.Concat(data.OrderNames(data.ThreadOrders), []string{"members", "growth"},
		data.OrderNames(data.ProfilePostOrders), data.OrderNames(data.ProfileCommentOrders), []string{"relevance"}) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

// Path returns the route's pattern for http.ServeMux, without formats and parameters.
func (rt *Route) Path() string {
	pattern, _, _ := strings.Cut(rt.Pattern, "?")
	pattern, _, _ = strings.Cut(pattern, "[")
	return pattern
}

// Parameters returns those that the route's page knows, in the order in which the cached address has them.
func (rt *Route) Parameters() []string {
	_, names, _ := strings.Cut(rt.Pattern, "?")
	return strings.FieldsFunc(names, func(r rune) bool { return r == '&' })
}

// knownQuery returns the request as a cached page may see it: with one value of each parameter that its route names,
// and no others. So addresses that share a copy in the cache get the same page.
func (rt *Route) knownQuery(r *http.Request) *http.Request {
	if rt.Cache == CacheNever || r.URL.RawQuery == "" {
		return r
	}
	asked, kept := r.URL.Query(), url.Values{}
	for _, name := range rt.Parameters() {
		if value := asked.Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	u, clean := *r.URL, *r
	u.RawQuery = kept.Encode()
	clean.URL = &u
	return &clean
}

// Unknown handles an order or a window that a page doesn't know. A browser gets the page as without it, because old and mistyped links
// should still work. A program gets the error, because it would take one order for another.
func (c *Call) Unknown(field string, message locale.Text) error {
	if !c.WantsJSON() {
		return nil
	}
	return &data.Error{Code: data.Invalid, Field: field, Message: message}
}

// UnknownOrder is Unknown for an order that a list doesn't have. The error names those that it has.
func (c *Call) UnknownOrder(list locale.Text, orders []data.NamedOrder) error {
	return c.Unknown("sort", locale.With("{} is sorted by {}.", list, either(verbatim(data.OrderNames(orders)))))
}

// either joins at least two names: "a, b or c".
func either(names []locale.Text) locale.Text {
	last := len(names) - 1
	list := names[0]
	for _, name := range names[1:last] {
		list = locale.With("{}, {}", list, name)
	}
	return locale.With("{} or {}", list, names[last])
}

// verbatim returns texts that are the same in all languages.
func verbatim(names []string) (list []locale.Text) {
	for _, name := range names {
		list = append(list, locale.Verbatim(name))
	}
	return list
}

// OptionalID parses an id that an address may have; 0 for none.
func OptionalID(s string) (data.ID, error) {
	if s == "" {
		return 0, nil
	}
	return data.ParseID(s)
}
