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
	Cut atomic.Bool
}

var ErrCut = errors.New("the road is cut")

func (r *Road) Do(req *http.Request) (*http.Response, error) {
	if r.Cut.Load() {
		return nil, ErrCut
	}
	return r.Http.Do(req)
}
