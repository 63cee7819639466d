package storetest

import (
	"errors"
	"net/http"
	"sync/atomic"

	"plaza/data/wire/hrana"
)

// Road is the way to a server. It can be cut, and something else can happen before its next request, once.
type Road struct {
	Http   hrana.Doer
	Cut    atomic.Bool
	Before func()
}

var ErrCut = errors.New("the road is cut")

// Do is hrana.Doer.
func (r *Road) Do(req *http.Request) (*http.Response, error) {
	if r.Cut.Load() {
		return nil, ErrCut
	}
	if before := r.Before; before != nil {
		r.Before = nil
		before()
	}
	return r.Http.Do(req)
}
