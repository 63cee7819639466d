package hrana

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxResponse is sqld's own default limit for all responses of a request.
const maxResponse = 32 << 20

// encoding is one of the two ways to write the protocol.
type encoding struct {
	path        string
	contentType string
	append      func([]byte, []Step) []byte
	decode      func(body string, steps int, as marking) (reply, error)
	mark        func(body []byte, as marking) []byte
}

// marking says where a pipeline has a statement of its own beside the batch, whose answer says the server's place in the log of changes:
// the answer to a batch does not say it in Protobuf (sqld 0.24).
type marking byte

const (
	unmarked marking = iota
	ahead            // the place is one that the batch has found, or it has found a later one
	behind           // what the batch has written is there
)

const markSQL = "SELECT 1"

// spares tells whether the n-th element of an answer may be an error: a statement behind the batch. The batch is done by then.
func (m marking) spares(n int) bool { return m == behind && n == 1 }

// reply is what a server says to a batch.
type reply struct {
	steps []StepResult
	index uint64 // the server's place in the log of changes, 0 where it says none
}

var (
	inProtobuf = &encoding{"/v3-protobuf/pipeline", "application/x-protobuf", appendProto, decodeProto, markProto}
	inJSON     = &encoding{"/v3/pipeline", "application/json", appendJSON, decodeJSON, markJSON}
)

// address takes the URL of a database apart. The encoding is the one to begin with: every server of Hrana 3 has to know
// Protobuf, but Turso's hosted ones answer 404 to it, and to find that out anew would cost each Worker that starts a
// round trip.
//
// https://github.com/tursodatabase/turso/blob/main/serverless/PROTOCOL.md
// https://github.com/tursodatabase/libsql/issues/2018
func address(raw string) (base string, spoken *encoding, token string, err error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		// The URL may hold a token: it is not repeated.
		return "", nil, "", errors.New("the database URL is not a URL with a scheme and a host")
	}
	switch u.Scheme {
	case "http", "https":
	case "libsql", "wss":
		u.Scheme = "https"
	case "ws":
		u.Scheme = "http"
	default:
		return "", nil, "", fmt.Errorf("the database URL has scheme %q; use libsql, https, http, wss or ws", u.Scheme)
	}
	spoken = inProtobuf
	if strings.HasSuffix(strings.ToLower(u.Hostname()), ".turso.io") {
		spoken = inJSON
	}
	token = u.Query().Get("authToken")
	u.RawQuery, u.Fragment, u.User = "", "", nil
	u.Path = strings.TrimRight(u.Path, "/")
	return u.String(), spoken, token, nil
}

// isUnknownPath tells whether the server may not know the encoding that the request was in. A missing database looks the
// same.
func (e *Error) isUnknownPath() bool {
	return e.Status == http.StatusNotFound || e.Status == http.StatusUnsupportedMediaType
}

// speech is what a client knows of the encoding that its server understands.
type speech struct {
	in      *encoding
	refused int       // times in a row that Protobuf was refused and JSON understood
	until   time.Time // JSON until then; zero is for good
}

// After a refusal JSON is spoken for a minute, then for twice as long, at most an hour:
// the path may have been unknown for a moment only.
const (
	leastJSON = time.Minute
	mostJSON  = time.Hour
)

// encoding is the one to speak now.
func (c *Client) encoding() *encoding {
	s := c.speech.Load()
	if s.in == inJSON && !s.until.IsZero() && time.Now().After(s.until) {
		return inProtobuf
	}
	return s.in
}

// understood remembers that the server understands an encoding; JSON is only spoken to
// those that refuse Protobuf.
func (c *Client) understood(in *encoding) {
	s := c.speech.Load()
	now := time.Now()
	switch {
	case in == inProtobuf && s.in != inProtobuf:
		c.speech.Store(&speech{in: inProtobuf})
	case in == inJSON && (s.in == inProtobuf || !s.until.IsZero() && now.After(s.until)):
		d := min(leastJSON<<min(s.refused, 10), mostJSON)
		c.speech.Store(&speech{in: inJSON, refused: s.refused + 1, until: now.Add(d)})
	}
}

// once sends the request and remembers the encoding if there was an answer to it.
func (c *Client) once(ctx context.Context, spoken *encoding, body []byte, steps int) (reply, *Error) {
	out, _, failed := c.exchange(ctx, c.url, spoken, body, steps, c.marking)
	return out, failed
}

// exchange is once at an address of the server, for a body that is marked so. It also returns the whole answer.
func (c *Client) exchange(ctx context.Context, url string, spoken *encoding, body []byte, steps int, as marking,
) (reply, string, *Error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+spoken.path, bytes.NewReader(body))
	if err != nil {
		return reply{}, "", &Error{Step: -1, Message: err.Error(), Err: err}
	}
	req.Header.Set("Content-Type", spoken.contentType)
	if c.auth != "" {
		req.Header.Set("Authorization", c.auth)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return reply{}, "", transportError(err)
	}
	defer resp.Body.Close()
	text, err := readAll(resp)
	if err != nil {
		return reply{}, "", err.(*Error)
	}
	foreign := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") || strings.HasPrefix(strings.TrimSpace(text), "<")
	if resp.StatusCode != http.StatusOK {
		e := statusError(resp.StatusCode, text)
		e.foreign = foreign
		return reply{}, "", e
	}
	out, err := spoken.decode(text, steps, as)
	var e *Error
	if err != nil && !errors.As(err, &e) {
		e = protocolError(err.Error())
		e.foreign = foreign
	}
	if e == nil || !e.foreign {
		// Only an answer tells that it is the path that was wrong and not the database that is missing.
		c.understood(spoken)
	}
	if e != nil {
		e.Status = resp.StatusCode
		return reply{}, "", e
	}
	return out, text, nil
}

// whole is a body that is in memory already and never changes.
type whole interface{ Whole() string }

func readAll(resp *http.Response) (string, error) {
	if body, ok := resp.Body.(whole); ok {
		if text := body.Whole(); len(text) <= maxResponse {
			return text, nil
		}
		return "", tooLarge(resp.StatusCode)
	}
	var b bytes.Buffer
	if n := resp.ContentLength; n > maxResponse {
		return "", tooLarge(resp.StatusCode)
	} else if n > 0 {
		// ReadFrom wants MinRead free bytes at the end to see EOF without growing.
		b.Grow(int(n) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(io.LimitReader(resp.Body, maxResponse+1)); err != nil {
		return "", transportError(err)
	}
	if b.Len() > maxResponse {
		return "", tooLarge(resp.StatusCode)
	}
	return b.String(), nil
}

func tooLarge(status int) *Error {
	e := protocolError(fmt.Sprintf("the response is larger than %d MiB", maxResponse>>20))
	e.Code, e.Status = "RESPONSE_TOO_LARGE", status
	return e
}
