package worker_test

import (
	"errors"
	"net/http"
	"sync/atomic"
)

// road is the way to a server. It can be cut.
type road struct {
	http interface {
		Do(*http.Request) (*http.Response, error)
	}
	cut      atomic.Bool
	requests atomic.Int64
}

var errCut = errors.New("the road is cut")

func (r *road) Do(req *http.Request) (*http.Response, error) {
	r.requests.Add(1)
	if r.cut.Load() {
		return nil, errCut
	}
	return r.http.Do(req)
}
