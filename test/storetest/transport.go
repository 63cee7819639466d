package storetest

import (
	"errors"
	"net/http"
	"sync/atomic"

	"plaza/data/wire/hrana"
)

// Transport is a Doer for a server. It fails while Cut is set. Before is called once, before the next request.
type Transport struct {
	Http   hrana.Doer
	Cut    atomic.Bool
	Before func()
}

var ErrCut = errors.New("the connection is cut")

// Do is hrana.Doer.
func (r *Transport) Do(req *http.Request) (*http.Response, error) {
	if r.Cut.Load() {
		return nil, ErrCut
	}
	if before := r.Before; before != nil {
		r.Before = nil
		before()
	}
	return r.Http.Do(req)
}
