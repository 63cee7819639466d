package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/tools/migrate"
	"plaza/worker"
	"plaza/worker/request"
)

// site is a small site. Its clock goes on with each request and its numbers are not random, so that it is the same each time.
type site struct {
	ctx      context.Context
	config   worker.Config
	app      *worker.App
	now      time.Time
	drawn    uint32
	messages map[string][]request.Message // that its queues hold
	err      error                        // the first that there was
}

// recordOn makes the site in an empty database and an empty Redis, and then the tapes.
func recordOn(ctx context.Context, database hrana.Options, redis upstash.Options) (tapes map[string]string, err error) {
	client := hrana.New(database)
	if _, err := client.Tx(ctx, migrate.Whole()...); err != nil {
		return nil, err
	}
	s := &site{ctx: ctx, now: worker.RehearsalTime.AddDate(0, 0, -1), messages: map[string][]request.Message{}}
	s.config = worker.Config{
		DB: data.NewDB(client), Redis: upstash.New(redis), Queue: s, SiteURL: "https://plaza.example", LimitFactor: 100,
		Background: func(ctx context.Context, task func(context.Context)) { task(ctx) },
		Source:     data.Source{Now: s.time, Database: s.time, Rand: s.draw},
		Secret:     []byte(worker.RehearsalSecret),
		HashCost:   credentials.HashCost{Memory: 64, Passes: 1}, // nobody logs in
		Log:        slog.New(slog.DiscardHandler),
	}
	s.open()
	bob, address := s.write()
	// As in a rehearsal.
	s.now = worker.RehearsalTime
	s.config.Background = func(context.Context, func(context.Context)) {}
	tapes = map[string]string{}
	for _, name := range []string{"protobuf", "json"} {
		var tape bytes.Buffer
		database.HTTP, redis.HTTP = recorder{tape: &tape, json: name == "json"}, recorder{tape: &tape}
		s.config.DB, s.config.Redis = data.NewDB(hrana.New(database)), upstash.New(redis)
		s.open()
		for _, page := range [][2]string{{"/"}, {"/c/gophers"}, {address}, {"/", bob}, {"/c/gophers", bob}} {
			// A member's post has a form with a random token, and a rehearsal has no random bytes.
			fmt.Fprintln(&tape, strings.TrimSpace("page "+page[0]+" "+page[1]))
			s.page(page[0], page[1])
		}
		tapes[name] = tape.String()
	}
	return tapes, s.err
}

// write fills the site. It returns a member's cookie, and the address of a post.
func (s *site) write() (cookie, address string) {
	ann, bob := s.join("ann"), s.join("bob")
	s.post(ann, "/communities", "name", "gophers")
	s.post(ann, "/submit", "community", "gophers", "title", "Another post", "link", "https://go.dev/blog")
	address = s.post(ann, "/submit", "community", "gophers", "title", "A post about gophers", "text", "They dig. **A lot.**").Get("Location")
	post := s.target(ann, address, 0)
	s.post(bob, "/comment", "post", post, "body", "A comment with a [link](https://go.dev).")
	s.post(ann, "/comment", "post", post, "parent", s.target(ann, address, 1), "body", "An answer.")
	s.post(bob, "/vote", "target", post, "value", "1")
	s.deliver()
	s.page("/", ann)
	s.page("/c/gophers", ann)
	s.deliver() // the hot sets are whole
	return bob, address
}

func (s *site) open() {
	app, err := worker.New(s.config)
	s.fail(err)
	s.app = app
}

func (s *site) time() time.Time { return s.now }

func (s *site) draw() uint32 {
	s.drawn += 2 // the lowest bit of an id belongs to its kind
	return s.drawn
}

// Send keeps messages until they are delivered.
func (s *site) Send(_ context.Context, queue string, bodies ...string) error {
	for _, body := range bodies {
		s.messages[queue] = append(s.messages[queue], request.Message{ID: body, Body: body, Attempts: 1})
	}
	return nil
}

func (s *site) deliver() {
	for _, queue := range []string{request.QueueVotes, request.QueueEvents} {
		messages := s.messages[queue]
		s.messages[queue] = nil
		_, err := s.app.Consume(s.ctx, queue, messages)
		s.fail(err)
	}
}

// join signs somebody up, and returns their cookie.
func (s *site) join(name string) (cookie string) {
	cookie, _, _ = strings.Cut(s.post("", "/signup", "username", name, "password", "correct horse").Get("Set-Cookie"), ";")
	return cookie
}

// post sends a form.
func (s *site) post(cookie, path string, fields ...string) http.Header {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	r := httptest.NewRequestWithContext(s.ctx, http.MethodPost, s.config.SiteURL+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return s.send(r, cookie, http.StatusSeeOther).Header()
}

func (s *site) page(path, cookie string) string {
	r := httptest.NewRequestWithContext(s.ctx, http.MethodGet, s.config.SiteURL+path, nil)
	return s.send(r, cookie, http.StatusOK).Body.String()
}

func (s *site) send(r *http.Request, cookie string, status int) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	if s.err != nil {
		return w
	}
	s.now = s.now.Add(time.Second)
	if cookie != "" {
		r.Header.Set("Cookie", cookie)
	}
	s.app.ServeHTTP(w, r)
	if w.Code != status {
		s.fail(fmt.Errorf("%s %s answers %d: %s", r.Method, r.URL.Path, w.Code, w.Body))
	}
	return w
}

func (s *site) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

var upvote = regexp.MustCompile(`action="/vote\?target=([0-9a-z]{13})" class="up"`)

// target is the id that the nth pair of vote buttons of a page names.
func (s *site) target(cookie, path string, n int) string {
	found := upvote.FindAllStringSubmatch(s.page(path, cookie), -1)
	if n >= len(found) {
		s.fail(errors.New(path + " has too few buttons to vote with"))
		return ""
	}
	return found[n][1]
}
