//go:build js && wasm && stock

package main

import (
	"context"
	"log"
	"net/http"
	"time"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare/fetch"
)

// This main is the same site the way the library serves it by itself: a new
// program for each request, its own client, its own assets. bench/edge measures
// the other main against it. It is never deployed.
func main() {
	site, err := newApp(environment{
		Getenv:     getenv,
		Client:     stockClient{fetch.NewClient()},
		Queue:      stockQueue{},
		Background: func(ctx context.Context, task func(context.Context)) { task(ctx) },
		Sleep:      func(_ context.Context, d time.Duration) error { time.Sleep(d); return nil },
	})
	if err != nil {
		log.Fatal(err)
	}
	workers.Serve(site)
}

type stockClient struct{ *fetch.Client }

func (c stockClient) Do(r *http.Request) (*http.Response, error) {
	return c.Client.Do(&fetch.Request{Request: r}, &fetch.RequestInit{Redirect: fetch.RedirectModeManual})
}

func (c stockClient) RoundTrip(r *http.Request) (*http.Response, error) { return c.Do(r) }

// stockQueue loses what it is given: the measured page sends nothing once it is warm.
type stockQueue struct{}

func (stockQueue) Send(context.Context, string, ...string) error { return nil }
