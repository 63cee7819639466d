package stack

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strconv"
)

// The client of database/sql begins a stream with the first statement of a connection and closes it by a separate request before it uses
// the connection again.
const sqlPipelinePath = "/v2/pipeline"

var closed = []byte(`{"baton":null,"base_url":null,"results":[{"type":"ok","response":{"type":"close"}}]}`)

// roundTripSQL makes a request that begins a stream continue an idle one, and keeps a stream that would be closed.
func (s *Sharing) roundTripSQL(r *http.Request, body []byte) (*http.Response, error) {
	if baton := batonOf(body); bytes.Equal(body, closeOf(baton)) {
		return s.releaseSQL(r, body, baton)
	}
	begins, found := bytes.CutPrefix(body, []byte(`{"requests":`))
	if !found {
		return s.send(r, body)
	}
	if baton := s.take(r.URL.Host); baton != "" {
		res, err := s.send(r, slices.Concat(onStream(baton), []byte(`"requests":`), begins))
		if err != nil {
			return nil, err
		}
		if res.StatusCode == http.StatusOK {
			return res, nil
		}
		// The stream has ended, and nothing was executed.
		res.Body.Close()
	}
	return s.send(r, body)
}

// releaseSQL keeps a stream without an open transaction instead of closing it.
func (s *Sharing) releaseSQL(r *http.Request, body []byte, baton string) (*http.Response, error) {
	res, response, err := s.exchange(r, append(onStream(baton), `"requests":[`+staying...))
	if err != nil || res.StatusCode != http.StatusOK {
		return res, err
	}
	next := batonOf(response)
	if next == "" {
		return s.send(r, body)
	}
	if !bytes.HasSuffix(response, []byte(idle)) || !s.keep(r.URL.Host, next) {
		return s.send(r, closeOf(next))
	}
	res.Body = io.NopCloser(bytes.NewReader(closed))
	res.ContentLength = int64(len(closed))
	res.Header.Set("Content-Length", strconv.Itoa(len(closed)))
	return res, nil
}
