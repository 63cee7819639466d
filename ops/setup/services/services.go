// Package services has clients of the parts of Cloudflare's, Turso's and Upstash's public APIs that plaza setup needs. Each call names
// the page that documents it. None of them runs at the edge.
//
// A Refusal has the request's address and the service's message. It never contains a token: tokens are sent only in headers and bodies,
// and a Refusal quotes neither.
package services

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Refusal is an error response of a service.
type Refusal struct {
	Service string // such as Cloudflare
	Call    string // method and path
	Status  int
	Code    int           // Cloudflare's number of the error; 0 for none
	Message string        // the service's message
	After   time.Duration // Retry-After, if the service sends it
}

func (r *Refusal) Error() string {
	text := fmt.Sprintf("%s refused %s with status %d", r.Service, r.Call, r.Status)
	if r.Message != "" {
		text += ": " + r.Message
	}
	if r.Code != 0 {
		text += fmt.Sprintf(" [%d]", r.Code)
	}
	return text
}

// IsMissing reports whether a service has responded that the object does not exist.
func IsMissing(err error) bool { return isStatus(err, http.StatusNotFound) }

// IsForbidden reports whether a service has refused a token or its request.
func IsForbidden(err error) bool {
	return isStatus(err, http.StatusUnauthorized) || isStatus(err, http.StatusForbidden)
}

func isStatus(err error, status int) bool {
	var r *Refusal
	return errors.As(err, &r) && r.Status == status
}

// responseBytes limits how much of a response is read.
const responseBytes = 4 << 20

// API is one service.
type API struct {
	Service string
	URL     string // without a slash at the end
	HTTP    *http.Client
	// ReadOnly refuses every request that could change something, before it is sent.
	ReadOnly bool

	// Pause is the time between two attempts if the service has no Retry-After; zero is a second.
	Pause time.Duration

	authorize func(*http.Request)
	// message returns the service's message in the body of a refusal.
	message func(body []byte) (code int, text string)
	// failed reports whether a response with a good status is an error; nil if the status is enough.
	failed func(body []byte) bool
}

const (
	maxTries      = 3                // of a GET or DELETE request, if the service is busy or fails
	maxRetryAfter = 30 * time.Second // the longest Retry-After that is respected
)

// call sends a request, with body as JSON unless it is nil, and decodes the response's JSON to into unless it is nil. The error is a
// *Refusal for an error response. GET and DELETE requests are retried if the service is busy (429) or fails (5xx).
func (a *API) call(ctx context.Context, method, path string, body, into any) error {
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		return a.send(ctx, method, path, "application/json", bytes.NewReader(b), into)
	}
	for try := 1; ; try++ {
		err := a.send(ctx, method, path, "", nil, into)
		var r *Refusal
		if try == maxTries || method != http.MethodGet && method != http.MethodDelete || !errors.As(err, &r) ||
			r.Status != http.StatusTooManyRequests && r.Status < 500 {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(min(cmp.Or(r.After, a.Pause, time.Second), maxRetryAfter)):
		}
	}
}

func (a *API) send(ctx context.Context, method, path, kind string, content io.Reader, into any) error {
	if a.ReadOnly && method != http.MethodGet {
		return fmt.Errorf("%s %s would change something at %s, and this is a dry run", method, path, a.Service)
	}
	r, err := http.NewRequestWithContext(ctx, method, a.URL+path, content)
	if err != nil {
		return err
	}
	if content != nil {
		r.Header.Set("Content-Type", kind)
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "plaza-setup")
	a.authorize(r)
	res, err := a.HTTP.Do(r)
	if err != nil {
		return fmt.Errorf("no response from %s to %s %s: %w", a.Service, method, path, err)
	}
	defer res.Body.Close()
	response, err := io.ReadAll(io.LimitReader(res.Body, responseBytes))
	if err != nil {
		return fmt.Errorf("the response of %s to %s %s broke off: %w", a.Service, method, path, err)
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		refusal := &Refusal{Service: a.Service, Call: method + " " + path, Status: res.StatusCode}
		refusal.Code, refusal.Message = a.message(response)
		if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
			refusal.After = time.Duration(seconds) * time.Second
		}
		return refusal
	}
	if a.failed != nil && a.failed(response) {
		refusal := &Refusal{Service: a.Service, Call: method + " " + path, Status: res.StatusCode}
		refusal.Code, refusal.Message = a.message(response)
		return refusal
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(response, into); err != nil {
		return fmt.Errorf("%s answered %s %s in another way than its documentation says: %w", a.Service, method, path, err)
	}
	return nil
}

// errorField returns the message of {"error": "..."} or of an object with a message, as Turso and Upstash respond, otherwise the beginning
// of a plain text.
func errorField(body []byte) (int, string) {
	var response struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &response) == nil {
		var text string
		if json.Unmarshal(response.Error, &text) == nil && text != "" {
			return 0, text
		}
		if response.Message != "" {
			return 0, response.Message
		}
	}
	text := strings.TrimSpace(string(body))
	if text == "" || strings.HasPrefix(text, "<") {
		return 0, ""
	}
	return 0, fmt.Sprintf("%.300s", text)
}
