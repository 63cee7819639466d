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

	"plaza/data/pace/deadline"
)

// Refusal is an error response of a service.
type Refusal struct {
	Service string // such as Cloudflare
	Call    string // method and path
	Status  int
	Code    int           // Cloudflare's number of the error; 0 for none
	Said    string        // the service's message
	After   time.Duration // Retry-After, if the service sends it
}

func (r *Refusal) Error() string {
	text := fmt.Sprintf("%s refused %s with status %d", r.Service, r.Call, r.Status)
	if r.Said != "" {
		text += ": " + r.Said
	}
	if r.Code != 0 {
		text += fmt.Sprintf(" [%d]", r.Code)
	}
	return text
}

// IsMissing tells whether a service has said that there is no such thing.
func IsMissing(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && r.Status == http.StatusNotFound
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
	// Pause is between two tries where the service doesn't say how long to wait; zero is a second.
	Pause time.Duration

	authorization string // the header
}

const (
	tries     = 3                // of a request that can be sent again, when the service is busy or fails
	longestTo = 30 * time.Second // the longest Retry-After that is respected
)

// call sends a request, with body as JSON unless it is nil, and decodes the response's JSON into a value unless into is nil. An error is
// a *Refusal, or reports that there was no response. Reading and deleting are retried when the service is busy (429) or fails (5xx).
func (a *API) call(ctx context.Context, method, path string, body, into any) error {
	for try := 1; ; try++ {
		err := a.send(ctx, method, path, body, into)
		var r *Refusal
		if try == tries || method != http.MethodGet && method != http.MethodDelete || !errors.As(err, &r) ||
			r.Status != http.StatusTooManyRequests && r.Status < 500 ||
			deadline.DefaultSleep(ctx, min(cmp.Or(r.After, a.Pause, time.Second), longestTo)) != nil {
			return err
		}
	}
}

func (a *API) send(ctx context.Context, method, path string, body, into any) error {
	call := method + " " + path
	if a.ReadOnly && method != http.MethodGet {
		return fmt.Errorf("%s would change something at %s, and this is a dry run", call, a.Service)
	}
	content := []byte{}
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, a.URL+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "plaza-setup")
	r.Header.Set("Authorization", a.authorization)
	res, err := a.HTTP.Do(r)
	if err != nil {
		return fmt.Errorf("no answer from %s to %s: %w", a.Service, call, err)
	}
	defer res.Body.Close()
	response, err := io.ReadAll(io.LimitReader(res.Body, responseBytes))
	if err != nil {
		return fmt.Errorf("the answer of %s to %s broke off: %w", a.Service, call, err)
	}
	refusal := &Refusal{Service: a.Service, Call: call, Status: res.StatusCode}
	if refusal.read(response) || res.StatusCode < 200 || res.StatusCode > 299 {
		if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
			refusal.After = time.Duration(seconds) * time.Second
		}
		return refusal
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(response, into); err != nil {
		return fmt.Errorf("%s answered %s with something else than its documentation says: %w", a.Service, call, err)
	}
	return nil
}

// read reads what a service says of an error: Cloudflare in a list, Turso and Upstash as {"error": "..."} or in a message. Otherwise it is
// the beginning of a plain text. failed tells whether the answer says of itself that it is no success, whatever its status is.
func (r *Refusal) read(body []byte) (failed bool) {
	var response struct {
		Success *bool
		Errors  []struct {
			Code    int
			Message string
		}
		Error   any
		Message string
	}
	if json.Unmarshal(body, &response) == nil {
		if len(response.Errors) > 0 {
			r.Code, r.Said = response.Errors[0].Code, response.Errors[0].Message
		} else if r.Said, _ = response.Error.(string); r.Said == "" {
			r.Said = response.Message
		}
	}
	if text := strings.TrimSpace(string(body)); r.Said == "" && !strings.HasPrefix(text, "<") {
		r.Said = fmt.Sprintf("%.300s", text)
	}
	return response.Success != nil && !*response.Success
}
