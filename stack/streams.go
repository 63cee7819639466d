package stack

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Sharing is a transport to sqld whose requests share connections, one request at a time each, until Stop. Plaza's client opens a new
// connection with every request, and sqld reads the whole schema for each, which takes several times as long as the statements of a page.
// Sharing changes a request that begins and closes a stream of its own to continue a stream that an earlier request has left open. The
// statements and results stay the same. Requests of database/sql are in streams_sql.go. Requests of another form, such as those with a
// transaction over several requests, pass unchanged. Responses must be uncompressed.
type Sharing struct {
	next    http.RoundTripper
	maxIdle int // streams of a database
	stopped atomic.Bool
	mu      sync.Mutex
	open    map[string][]stream // by host, which identifies the database; the last used one is the last
}

// NewSharing returns a transport over next, with at most maxIdle idle streams of a database.
func NewSharing(next http.RoundTripper, maxIdle int) *Sharing {
	return &Sharing{next: next, maxIdle: maxIdle, open: map[string][]stream{}}
}

// stream is an idle stream.
type stream struct {
	baton string
	since time.Time
}

// streamLife is how long an idle stream is assumed to exist. sqld closes it after ten seconds.
const streamLife = 5 * time.Second

// The form of the requests of Plaza's client that are changed here, and the end of a response whose stream has no open transaction.
// https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md
const (
	pipelinePath = "/v3/pipeline"
	beginning    = `{"baton":null,`
	closing      = `{"type":"close"}]}`
	staying      = `{"type":"get_autocommit"}]}`
	idle         = `"is_autocommit":true}}]}`
)

// RoundTrip implements http.RoundTripper.
func (s *Sharing) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.stopped.Load() || r.URL.Path != pipelinePath && r.URL.Path != sqlPipelinePath || r.Body == nil {
		return s.next.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil {
		return nil, err
	}
	if r.URL.Path == sqlPipelinePath {
		return s.roundTripSQL(r, body)
	}
	rest, begins := bytes.CutPrefix(body, []byte(beginning))
	rest, closes := bytes.CutSuffix(rest, []byte(closing))
	if !begins || !closes {
		return s.send(r, body)
	}
	if baton := s.take(r.URL.Host); baton != "" {
		res, response, err := s.exchange(r, slices.Concat(onStream(baton), rest, []byte(staying)))
		if err != nil {
			return nil, err
		}
		if res.StatusCode == http.StatusOK {
			s.release(r, response)
			return res, nil
		}
		// The stream has ended, and nothing was executed.
	}
	res, response, err := s.exchange(r, slices.Concat([]byte(beginning), rest, []byte(staying)))
	if err == nil && res.StatusCode == http.StatusOK {
		s.release(r, response)
	}
	return res, err
}

// Stop gives each later request a connection of its own, and closes the shared ones. Tests call it before requests meet faults. The server
// is at base, and authorization is the header that it requires.
func (s *Sharing) Stop(base, authorization string) (err error) {
	s.stopped.Store(true)
	s.mu.Lock()
	open := s.open
	s.open = map[string][]stream{}
	s.mu.Unlock()
	for _, list := range open {
		for _, stream := range list {
			r, failed := http.NewRequest(http.MethodPost, base+pipelinePath, nil)
			if failed != nil {
				return failed
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", authorization)
			res, failed := s.send(r, closeOf(stream.baton))
			if failed == nil {
				failed = res.Body.Close()
			}
			err = errors.Join(err, failed)
		}
	}
	return err
}

// Resume shares connections again.
func (s *Sharing) Resume() { s.stopped.Store(false) }

// exchange sends a body and reads the whole response, which can still be read again.
func (s *Sharing) exchange(r *http.Request, body []byte) (*http.Response, []byte, error) {
	res, err := s.send(r, body)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	response, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(response))
	return res, response, nil
}

func (s *Sharing) send(r *http.Request, body []byte) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return s.next.RoundTrip(r)
}

// onStream returns the beginning of a request that continues a stream. sqld's batons need no escapes.
func onStream(baton string) []byte { return []byte(`{"baton":"` + baton + `",`) }

// closeOf returns the request that only closes a stream.
func closeOf(baton string) []byte { return append(onStream(baton), `"requests":[`+closing...) }

func (s *Sharing) take(host string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.open[host]
	if len(list) == 0 {
		return ""
	}
	last := list[len(list)-1]
	if time.Since(last.since) > streamLife {
		delete(s.open, host)
		return ""
	}
	s.open[host] = list[:len(list)-1]
	return last.baton
}

// keep stores a stream for the next request, if there is room.
func (s *Sharing) keep(host, baton string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.open[host]
	if len(list) >= s.maxIdle && time.Since(list[0].since) > streamLife {
		list = nil
	}
	if s.stopped.Load() || len(list) >= s.maxIdle {
		return false
	}
	s.open[host] = append(list, stream{baton, time.Now()})
	return true
}

// Forget is for a database that will be deleted: sqld closes its streams.
func (s *Sharing) Forget(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, host)
}

// release keeps the stream of a response for the next request. A stream that can't be kept, or has an open transaction, is closed, as the
// request required.
func (s *Sharing) release(r *http.Request, response []byte) {
	baton := batonOf(response)
	if baton != "" && !(bytes.HasSuffix(response, []byte(idle)) && s.keep(r.URL.Host, baton)) {
		if res, err := s.send(r, closeOf(baton)); err == nil {
			res.Body.Close()
		}
	}
}

// batonOf parses the baton of a request or a response, which is its first field; "" for none.
func batonOf(text []byte) string {
	rest, found := bytes.CutPrefix(text, []byte(`{"baton":"`))
	if !found {
		return ""
	}
	baton, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(baton)
}
