package stack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Sharing is a transport to sqld whose requests share connections, one request at a time each, until Stop. Plaza's client asks for a new
// connection with every request, and sqld reads the whole schema for each, which takes it several times as long as what a page asks for. A
// request that begins and closes a stream of its own is changed to go on with a stream that an earlier request has left open. What the
// statements do and answer stays the same. Those of database/sql are in streams_json.go. Requests of another form, such as those with a
// transaction over several requests, pass unchanged. Answers have to come uncompressed.
type Sharing struct {
	next    http.RoundTripper
	most    int // streams of a database that are left open
	stopped atomic.Bool
	mu      sync.Mutex
	open    map[string][]stream // by host, which names the database; the last one used is the last
}

// NewSharing returns a transport that sends by next, and leaves no more than so many streams of a database open.
func NewSharing(next http.RoundTripper, most int) *Sharing {
	return &Sharing{next: next, most: most, open: map[string][]stream{}}
}

// stream is one that no request uses.
type stream struct {
	baton string
	since time.Time
}

// streamLife is how long a stream that nobody uses is taken to be there. sqld closes it after ten seconds.
const streamLife = 5 * time.Second

// The fields of Hrana's Protobuf messages, as far as they are changed here.
// https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md
const (
	pipelinePath  = "/v3-protobuf/pipeline"
	fieldBaton    = 1<<3 | 2 // PipelineReqBody, PipelineRespBody
	fieldRequests = 2<<3 | 2 // PipelineReqBody
	fieldClose    = 1<<3 | 2 // StreamRequest
	fieldState    = 8<<3 | 2 // StreamRequest, StreamResponse: get_autocommit
)

var (
	closing = []byte{fieldRequests, 2, fieldClose, 0}
	staying = []byte{fieldRequests, 2, fieldState, 0}
	// How an answer ends whose stream has no open transaction: the field is_autocommit of GetAutocommitStreamResp is true.
	idle = []byte{fieldState, 2, 1 << 3, 1}
)

// RoundTrip is http.RoundTripper.
func (s *Sharing) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.stopped.Load() || r.URL.Path != pipelinePath && r.URL.Path != pipelinePathJSON || r.Body == nil {
		return s.next.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil {
		return nil, err
	}
	if r.URL.Path == pipelinePathJSON {
		return s.roundTripJSON(r, body)
	}
	if len(body) == 0 || body[0] != fieldRequests || !bytes.HasSuffix(body, closing) {
		return s.send(r, body)
	}
	changed := append(body[:len(body)-len(closing):len(body)-len(closing)], staying...)
	if baton := s.take(r.URL.Host); baton != "" {
		res, answer, err := s.exchange(r, onStream(baton, changed))
		if err != nil {
			return nil, err
		}
		if res.StatusCode == http.StatusOK {
			s.leave(r, answer)
			return res, nil
		}
		// The stream is gone, and nothing was done.
	}
	res, answer, err := s.exchange(r, changed)
	if err == nil && res.StatusCode == http.StatusOK {
		s.leave(r, answer)
	}
	return res, err
}

// Stop gives each later request a connection of its own, and closes those that were shared. A test in which requests meet faults calls it
// before they do. The server is at base, and authorization is the header that it asks for.
func (s *Sharing) Stop(base, authorization string) (err error) {
	s.stopped.Store(true)
	s.mu.Lock()
	open := s.open
	s.open = map[string][]stream{}
	s.mu.Unlock()
	for _, list := range open {
		for _, one := range list {
			r, failed := http.NewRequest(http.MethodPost, base+pipelinePath, nil)
			if failed != nil {
				return failed
			}
			r.Header.Set("Content-Type", "application/x-protobuf")
			r.Header.Set("Authorization", authorization)
			res, failed := s.send(r, onStream(one.baton, closing))
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

// exchange sends a body and reads the whole answer, which can still be read from the response.
func (s *Sharing) exchange(r *http.Request, body []byte) (*http.Response, []byte, error) {
	res, err := s.send(r, body)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(answer))
	return res, answer, nil
}

func (s *Sharing) send(r *http.Request, body []byte) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return s.next.RoundTrip(r)
}

func onStream(baton string, body []byte) []byte {
	out := binary.AppendUvarint([]byte{fieldBaton}, uint64(len(baton)))
	return slices.Concat(out, []byte(baton), body)
}

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

// keep leaves a stream to the next request, if there is room.
func (s *Sharing) keep(host, baton string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.open[host]
	if len(list) >= s.most && time.Since(list[0].since) > streamLife {
		list = nil
	}
	if s.stopped.Load() || len(list) >= s.most {
		return false
	}
	s.open[host] = append(list, stream{baton, time.Now()})
	return true
}

// Forget is for a database that goes: sqld closes its streams.
func (s *Sharing) Forget(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, host)
}

// leave keeps the stream of an answer for the next request. One that can't be kept, or has an open transaction, is closed, as the request
// asked.
func (s *Sharing) leave(r *http.Request, answer []byte) {
	baton := batonOf(answer)
	if baton != "" && !(bytes.HasSuffix(answer, idle) && s.keep(r.URL.Host, baton)) {
		if res, err := s.send(r, onStream(baton, closing)); err == nil {
			res.Body.Close()
		}
	}
}

// batonOf reads the baton of an answer, which is its first field.
func batonOf(answer []byte) string {
	if len(answer) == 0 || answer[0] != fieldBaton {
		return ""
	}
	size, n := binary.Uvarint(answer[1:])
	if n <= 0 || size > uint64(len(answer)-1-n) {
		return ""
	}
	return strings.Clone(string(answer[1+n : 1+n+int(size)]))
}
