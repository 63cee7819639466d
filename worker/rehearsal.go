package worker

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
)

// A Rehearsal makes some pages where there are no databases yet, from a tape of what databases have answered before.
// In Wasm a function is compiled when it is first called. After a rehearsal the first request of an instance finds
// what it needs compiled. A rehearsal has an App of its own, so it has no other effect.
//
// cmd/rehearsal makes the tapes, of a visitor's and a member's pages, one for each encoding of the database's answers. A tape is a list of
// entries, each a line of words and what follows it:
//
//	page PATH [COOKIE]     a page that is asked for, with the Cookie header of a member
//	answer PATH LENGTH     the next answer for that page: the end of the address asked, and LENGTH bytes of body
type Rehearsal struct {
	App  *App
	tape string // what is still to come
}

// RehearsalSecret signs the members' cookies on the tapes, and no others.
const RehearsalSecret = "known to everybody, for rehearsals alone"

// RehearsalTime is a day after the tapes' posts were written.
var RehearsalTime = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

var errTape = errors.New("the tape of the rehearsal has no such answer")

// NewRehearsal is a rehearsal with a tape, for a site whose database is at the address. client makes a client that answers with what the
// tape does.
func NewRehearsal(tape, database string, client func(tape hrana.Doer) hrana.Doer) (*Rehearsal, error) {
	r := &Rehearsal{tape: tape}
	http := client(r)
	app, err := New(Config{
		DB:         data.NewDB(hrana.New(hrana.Options{URL: database, HTTP: http, Attempts: 1})),
		Redis:      upstash.New(upstash.Options{URL: "http://redis.example", HTTP: http}), // no tape has an answer of it
		Background: func(context.Context, func(context.Context)) {},
		Sleep:      func(context.Context, time.Duration) error { return errTape },
		Source:     data.Source{Now: func() time.Time { return RehearsalTime }},
		Secret:     []byte(RehearsalSecret),
		SiteURL:    "https://plaza.example",
		Log:        slog.New(slog.DiscardHandler),
	})
	r.App = app
	return r, err
}

// Next returns the next page to ask App for: its path and the Cookie header, "" for a visitor. Both are "" at the end.
func (r *Rehearsal) Next() (path, cookie string) {
	for r.tape != "" {
		entry, _ := r.take()
		if entry[0] == "page" {
			return entry[1], strings.Join(entry[2:], " ")
		}
	}
	return "", ""
}

// Do answers a request to a database. It fails when the page asks for something else than was recorded.
func (r *Rehearsal) Do(q *http.Request) (*http.Response, error) {
	if !strings.HasPrefix(r.tape, "answer "+q.URL.Path+" ") {
		return nil, errTape
	}
	_, body := r.take()
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)), Request: q}, nil
}

// take takes the next entry from the tape.
func (r *Rehearsal) take() (entry []string, body string) {
	line, rest, _ := strings.Cut(r.tape, "\n")
	entry = strings.Fields(line)
	if entry[0] == "answer" {
		n, _ := strconv.Atoi(entry[2])
		body, rest = rest[:n], rest[n+1:]
	}
	r.tape = rest
	return entry, body
}
