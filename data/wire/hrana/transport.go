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
)

// maxResponse is sqld's own default limit for all responses of a request.
const maxResponse = 32 << 20

const pipelinePath = "/v3/pipeline"

// reply is a server's response to a batch.
type reply struct {
	steps   []StepResult
	index   uint64 // the server's index in the log of changes, 0 for none
	baton   string // identifies the stream, "" if it has ended
	baseURL string // the address of the next request on the stream, "" for the same address
}

// address parses the URL of a database.
func address(raw string) (base, token string, err error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		// The URL may contain a token, so the error does not include it.
		return "", "", errors.New("the database URL is not a URL with a scheme and a host")
	}
	switch u.Scheme {
	case "http", "https":
	case "libsql", "wss":
		u.Scheme = "https"
	case "ws":
		u.Scheme = "http"
	default:
		return "", "", fmt.Errorf("the database URL has scheme %q; use libsql, https, http, wss or ws", u.Scheme)
	}
	token = u.Query().Get("authToken")
	u.RawQuery, u.Fragment, u.User = "", "", nil
	u.Path = strings.TrimRight(u.Path, "/")
	return u.String(), token, nil
}

// exchange sends a request to an address of the server, and parses the response to a batch of so many steps.
func (c *Client) exchange(ctx context.Context, url string, body []byte, steps int) (reply, *Error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+pipelinePath, bytes.NewReader(body))
	if err != nil {
		return reply{}, &Error{Step: -1, Message: err.Error(), Err: err}
	}
	req.Header.Set("Content-Type", "application/json")
	if c.auth != "" {
		req.Header.Set("Authorization", c.auth)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return reply{}, transportError(err)
	}
	defer resp.Body.Close()
	text, failed := readAll(resp)
	if failed != nil {
		return reply{}, failed
	}
	foreign := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") || strings.HasPrefix(strings.TrimSpace(text), "<")
	if resp.StatusCode != http.StatusOK {
		e := statusError(resp.StatusCode, text)
		e.foreign = foreign
		return reply{}, e
	}
	out, err := decode(text, steps, c.isReplica)
	if err == nil {
		return out, nil
	}
	var e *Error
	if !errors.As(err, &e) {
		e = protocolError(err.Error())
		e.foreign = foreign
	}
	e.Status = resp.StatusCode
	return reply{}, e
}

// whole is a body that is in memory and never changes.
type whole interface{ Whole() string }

func readAll(resp *http.Response) (string, *Error) {
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
		// ReadFrom needs MinRead free bytes at the end to see EOF without growing.
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
