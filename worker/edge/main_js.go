//go:build js && wasm && !stock

package main

import (
	"log"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/cron"
	"github.com/syumai/workers/cloudflare/queues"
)

const (
	callLimit = 10 * time.Second // for one call to another server
	callBytes = 8 << 20          // of one reply
	// memoryAim makes the collector work harder before the shim recycles the
	// instance at PLAZA_RECYCLE_MB (shim/limits.mjs).
	memoryAim = 48 << 20
)

// wrap is replaced by the faults build.
var wrap = func(site app) app { return site }

func main() {
	log.SetFlags(0)
	log.SetOutput(console{})
	slog.SetDefault(slog.New(slog.NewTextHandler(console{}, nil)))
	debug.SetMemoryLimit(memoryAim)

	// Whoever forgets to pass a client gets the one that works here.
	http.DefaultTransport = transport{limit: callLimit, longest: callBytes}
	site, err := newApp(environment{
		Getenv:     getenv,
		Client:     &http.Client{Transport: http.DefaultTransport},
		Queue:      queue{},
		Background: background,
		Sleep:      sleep,
	})
	if err != nil {
		slog.Error("edge: the site did not start", "error", err)
		os.Exit(1)
	}
	site = wrap(site)

	queues.ConsumeNonBlock(consumer(site))
	cron.ScheduleTaskNonBlock(scheduler(site))
	workers.ServeNonBlock(handler{site})
	workers.Ready()
	select {}
}

// getenv returns a variable or secret, "" when it is not set.
func getenv(name string) string {
	if value := cloudflare.GetBinding(name); value.Truthy() {
		return value.String()
	}
	return ""
}
