package view

import "plaza/data"

// sharedMax is how many forms of a post or comment are kept. Few are needed within the seconds for which it is cached.
const sharedMax = 8

// form is the HTML of a post or comment for all members whose pages have the same kind.
type form[K comparable, V any] struct {
	kind K
	html V
}

// shared returns the HTML of a kind that is kept with a cached post or comment. It makes it for the first page.
func shared[K comparable, V any](s *data.Shared, kind K, make func() V) V {
	s.Lock.Lock()
	defer s.Lock.Unlock()
	forms, _ := s.Rows.([]form[K, V])
	for i := range forms {
		if forms[i].kind == kind {
			return forms[i].html
		}
	}
	html := make()
	if len(forms) < sharedMax {
		s.Rows = append(forms, form[K, V]{kind, html})
	}
	return html
}
