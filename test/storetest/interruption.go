package storetest

import (
	"net/http"

	"plaza/data/wire/hrana"
)

// Interruption is a way to a database before whose next request something else happens, once.
type Interruption struct {
	Way    hrana.Doer
	Before func()
}

// Do is hrana.Doer.
func (i *Interruption) Do(r *http.Request) (*http.Response, error) {
	if before := i.Before; before != nil {
		i.Before = nil
		before()
	}
	return i.Way.Do(r)
}
