package view

import "plaza/data"

// variantsMax is how many variants of one post or comment are cached. Further ones are rendered each time.
const variantsMax = 8

// variant is the HTML of a post or comment for all members with the same key.
type variant[K comparable, V any] struct {
	key  K
	html V
}

// shared returns the HTML of a cached post or comment for a key. If no page has rendered it yet, it calls render.
func shared[K comparable, V any](s *data.Shared, key K, render func() V) V {
	s.Lock.Lock()
	defer s.Lock.Unlock()
	variants, _ := s.HTML.([]variant[K, V])
	for i := range variants {
		if variants[i].key == key {
			return variants[i].html
		}
	}
	html := render()
	if len(variants) < variantsMax {
		s.HTML = append(variants, variant[K, V]{key, html})
	}
	return html
}
