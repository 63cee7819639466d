package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"plaza/worker"
)

// environment is what the platform gives to the site.
type environment struct {
	Getenv     func(name string) string // a variable or secret, "" when unset
	Client     *http.Client             // sends within the event of the request's context
	Queue      worker.Queue
	Background worker.Background
	Sleep      func(ctx context.Context, d time.Duration) error // the only way to wait: Go's timers do not hold here
}

// app is the site, as the platform's events reach it.
type app interface {
	http.Handler
	// Consume handles a batch of a queue and returns the indexes of the messages
	// to be delivered again; an error means all of them.
	Consume(ctx context.Context, queue string, messages []worker.Message) (retry []int, err error)
	// Scheduled does what is due at that minute.
	Scheduled(ctx context.Context, at time.Time)
}

// newApp makes the site.
func newApp(env environment) (app, error) {
	return hello{env}, nil
}

// hello stands in until package worker has its App.
type hello struct{ env environment }

func (h hello) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintf(w, "Hello from %s.\n", h.env.Getenv("SITE_NAME"))
}

func (h hello) Consume(context.Context, string, []worker.Message) ([]int, error) { return nil, nil }

func (h hello) Scheduled(context.Context, time.Time) {}
