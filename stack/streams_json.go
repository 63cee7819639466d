package stack

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strconv"
)

// The client of database/sql begins a stream with the first statement of a connection and closes it by a request of its own before it uses
// the connection again.
const pipelinePathJSON = "/v2/pipeline"

var (
	closesJSON = regexp.MustCompile(`^\{"baton":"([^"\\]+)","requests":\[\{"type":"close"\}\]\}$`)
	closedJSON = []byte(`{"baton":null,"base_url":null,"results":[{"type":"ok","response":{"type":"close"}}]}`)
)

// roundTripJSON lets a request that begins a stream go on with one that was left, and leaves a stream that is to be closed.
func (s *Sharing) roundTripJSON(r *http.Request, body []byte) (*http.Response, error) {
	if m := closesJSON.FindSubmatch(body); m != nil {
		return s.leaveJSON(r, body, string(m[1]))
	}
	begins, found := bytes.CutPrefix(body, []byte(`{"requests":`))
	if !found {
		return s.send(r, body)
	}
	if baton := s.take(r.URL.Host); baton != "" {
		quoted, err := json.Marshal(baton)
		if err != nil {
			return nil, err
		}
		res, err := s.send(r, bytes.Join([][]byte{[]byte(`{"baton":`), quoted, []byte(`,"requests":`), begins}, nil))
		if err != nil {
			return nil, err
		}
		if res.StatusCode == http.StatusOK {
			return res, nil
		}
		// The stream is gone, and nothing was done.
		res.Body.Close()
	}
	return s.send(r, body)
}

// leaveJSON keeps a stream without an open transaction in place of closing it.
func (s *Sharing) leaveJSON(r *http.Request, body []byte, baton string) (*http.Response, error) {
	res, answer, err := s.exchange(r, []byte(`{"baton":"`+baton+`","requests":[{"type":"get_autocommit"}]}`))
	if err != nil || res.StatusCode != http.StatusOK {
		return res, err
	}
	var said struct {
		Baton   string `json:"baton"`
		Results []struct {
			Response struct {
				IsAutocommit bool `json:"is_autocommit"`
			} `json:"response"`
		} `json:"results"`
	}
	if err := json.Unmarshal(answer, &said); err != nil {
		return nil, err
	}
	if said.Baton == "" {
		return s.send(r, body)
	}
	if len(said.Results) != 1 || !said.Results[0].Response.IsAutocommit {
		return s.send(r, []byte(`{"baton":"`+said.Baton+`","requests":[{"type":"close"}]}`))
	}
	if !s.keep(r.URL.Host, said.Baton) {
		return s.send(r, []byte(`{"baton":"`+said.Baton+`","requests":[{"type":"close"}]}`))
	}
	res.Body = io.NopCloser(bytes.NewReader(closedJSON))
	res.ContentLength = int64(len(closedJSON))
	res.Header.Set("Content-Length", strconv.Itoa(len(closedJSON)))
	return res, nil
}
