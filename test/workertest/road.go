package workertest

import (
	"errors"
	"net/http"
	"sync/atomic"
)

// Road is the way to a server. It can be cut.
type Road struct {
	Http interface {
		Do(*http.Request) (*http.Response, error)
	}
	Cut      atomic.Bool
	Requests atomic.Int64
}

var ErrCut = errors.New("the road is cut")

func (r *Road) Do(req *http.Request) (*http.Response, error) {
	r.Requests.Add(1)
	if r.Cut.Load() {
		return nil, ErrCut
	}
	return r.Http.Do(req)
}
