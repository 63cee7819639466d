//go:build js && wasm

// Command stock is the site with the server of github.com/syumai/workers: a new program for each request, and the library's client and
// assets. ./build.sh bench measures the site against it. It is never deployed.
package main

import (
	"context"
	"log"
	"net/http"
	"time"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/fetch"

	"plaza/worker/edge/setup"
)

func main() {
	site, err := setup.New(setup.Environment{
		Getenv: func(name string) string {
			if value := cloudflare.GetBinding(name); value.Truthy() {
				return value.String()
			}
			return ""
		},
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

// stockQueue drops its messages: the page that is measured sends none once it is warm.
type stockQueue struct{}

func (stockQueue) Send(context.Context, string, ...string) error { return nil }
