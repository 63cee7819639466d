// Package upstash speaks Redis over the Upstash REST protocol: a command, a pipeline or a transaction is one HTTP request. It defines no
// keys, and never retries, because only the caller knows whether a command is safe to repeat. While calls to Redis time out, the next ones
// fail at once (data/wire/breaker).
//
// Arguments are sent as JSON strings: a JSON number above 2^53 may lose digits. Arguments must be UTF-8. Replies are in base64, because the
// plain form replaces bytes that are not UTF-8 with U+FFFD.
//
// Begin with Client. docs/inside/placement.md lists the commands that a Redis needs. The protocol:
// https://upstash.com/docs/redis/features/restapi
package upstash

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/wire/breaker"
)

// maxReply is the maximum size of a response, in bytes; a longer one is an error. The service limits a request to 1 MB on its free
// plan; a page of Plaza reads some 100 kB, and a worker has 128 MB in all.
const maxReply = 8 << 20

// ErrMalformed is wrapped by the error for a response that violates the protocol: truncated, not JSON, or with another number of results
// than commands. It is then unknown whether the commands ran.
var ErrMalformed = errors.New("upstash: malformed response")

// ErrTooLarge is wrapped by the error for a response longer than this package reads.
var ErrTooLarge = errors.New("upstash: response too large")

// ErrCircuitOpen is the error of a call that was refused because earlier calls to Redis timed out.
var ErrCircuitOpen = errors.New("upstash: the circuit is open: earlier calls timed out")

// The time limits of a call: in a request, and if no request waits for it.
const (
	requestLimit = 500 * time.Millisecond
	workLimit    = 5 * time.Second
)

// Options say where the database is. Token is the bearer token and appears in no error.
type Options struct {
	URL   string
	Token string
	HTTP  Doer // http.DefaultClient when nil, except in js/wasm, where it is required
	// Limit is the time limit of a call in a request; 0 is half a second.
	Limit time.Duration
}

// Client sends commands to one database. It is safe for concurrent use.
type Client struct {
	url     string
	auth    string
	http    Doer
	limit   int64 // bytes of a reply
	time    time.Duration
	breaker breaker.Breaker
}

// New returns a client. It sends nothing.
func New(o Options) *Client {
	c := &Client{url: strings.TrimRight(o.URL, "/"), auth: "Bearer " + o.Token, http: o.HTTP, limit: maxReply,
		time: cmp.Or(o.Limit, requestLimit)}
	if c.http == nil {
		c.http = defaultHTTP
	}
	return c
}

// Do runs one command. A command that fails returns its *Error, which is also in the Reply.
func (c *Client) Do(ctx context.Context, cmd Cmd) (Reply, error) {
	body, err := appendCmd(make([]byte, 0, 256), cmd)
	if err != nil {
		return Reply{}, err
	}
	response, err := c.post(ctx, "/", body, 1)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return Reply{kind: kindError, err: e}, err
		}
		return Reply{}, err
	}
	r, err := newDecoder(response).document()
	if err != nil {
		return Reply{}, err
	}
	return r, r.Err()
}

// Pipeline runs the commands in order in one request; other clients' commands may run between them. The error is for
// the request as a whole; the error of a command is in its Reply (see FirstError). Without commands it sends nothing.
func (c *Client) Pipeline(ctx context.Context, cmds ...Cmd) ([]Reply, error) {
	return c.batch(ctx, "/pipeline", cmds)
}

// Multi runs the commands as one transaction (MULTI … EXEC), alone and in order. As in Redis, a command that fails when it runs undoes
// nothing and has its error in its Reply; a command that is refused before that (unknown, wrong number of arguments) discards all of
// them, and its error is returned.
func (c *Client) Multi(ctx context.Context, cmds ...Cmd) ([]Reply, error) {
	return c.batch(ctx, "/multi-exec", cmds)
}

func (c *Client) batch(ctx context.Context, path string, cmds []Cmd) ([]Reply, error) {
	if len(cmds) == 0 {
		return nil, nil
	}
	body := append(make([]byte, 0, 128*len(cmds)), '[')
	for i, cmd := range cmds {
		if i > 0 {
			body = append(body, ',')
		}
		var err error
		if body, err = appendCmd(body, cmd); err != nil {
			return nil, fmt.Errorf("command %d: %w", i, err)
		}
	}
	response, err := c.post(ctx, path, append(body, ']'), len(cmds))
	if err != nil {
		return nil, err
	}
	replies, err := newDecoder(response).documents(len(cmds))
	if err != nil {
		return nil, err
	}
	if len(replies) != len(cmds) {
		return nil, fmt.Errorf("%w: %d results for %d commands", ErrMalformed, len(replies), len(cmds))
	}
	return replies, nil
}

// post sends body. It returns the body of a response with status 200, and an *Error for any other status.
func (c *Client) post(ctx context.Context, path string, body []byte, commands int) (string, error) {
	limit := workLimit
	if deadline.InRequest(ctx) {
		limit = c.time
	}
	remaining := deadline.Remaining(ctx, limit)
	if remaining <= 0 {
		return "", fmt.Errorf("upstash: %w", deadline.Late{})
	}
	if !c.breaker.Allow() {
		return "", ErrCircuitOpen
	}
	inTime, cancel := deadline.Within(ctx, remaining)
	defer cancel()
	out, err := c.send(inTime, path, body, commands)
	var e *Error
	var timeout interface{ Timeout() bool }
	switch {
	case err == nil || errors.As(err, &e) || errors.Is(err, ErrMalformed) || errors.Is(err, ErrTooLarge):
		c.breaker.Responded()
	case remaining == limit && ctx.Err() == nil && errors.As(err, &timeout) && timeout.Timeout():
		c.breaker.TimedOut()
	}
	return out, err
}

func (c *Client) send(ctx context.Context, path string, body []byte, commands int) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, bytes.NewReader(body))
	if err != nil {
		return "", fmt.Errorf("upstash: %w", err)
	}
	req.Header.Set("Authorization", c.auth)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Upstash-Encoding", "base64")
	defer meterFrom(ctx).add(commands)()
	res, err := c.http.Do(req)
	if err != nil {
		return "", fmt.Errorf("upstash: %w", err)
	}
	defer res.Body.Close()
	out, err := read(res, c.limit)
	if res.StatusCode != http.StatusOK {
		return "", &Error{Status: res.StatusCode, Message: failure(out)}
	}
	if err != nil {
		return "", err
	}
	return out, nil
}

func read(res *http.Response, limit int64) (string, error) {
	if res.ContentLength > limit {
		return "", fmt.Errorf("%w: %d bytes", ErrTooLarge, res.ContentLength)
	}
	var buf bytes.Buffer
	if res.ContentLength > 0 {
		buf.Grow(int(res.ContentLength) + bytes.MinRead)
	}
	n, err := buf.ReadFrom(io.LimitReader(res.Body, limit+1))
	switch {
	case err != nil:
		return buf.String(), fmt.Errorf("upstash: reading the response: %w", err)
	case n > limit:
		return buf.String(), fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	return buf.String(), nil
}

// failure returns the message of a response whose status is not 200: its "error" if it follows the protocol, otherwise the start of a
// proxy's text, on one line.
func failure(body string) string {
	if r, err := newDecoder(body).document(); err == nil && r.kind == kindError {
		return r.err.Message
	}
	const maxLen = 200
	text := strings.Join(strings.Fields(strings.ToValidUTF8(body[:min(len(body), 4*maxLen)], "")), " ")
	if len(text) > maxLen {
		text = strings.ToValidUTF8(text[:maxLen], "") + "…"
	}
	return text
}
