//go:build js && wasm

package edge

import (
	"log"
	"log/slog"
	"os"
	"runtime/debug"
	"syscall/js"
	"time"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare/cron"
	"github.com/syumai/workers/cloudflare/queues"

	"plaza/worker/edge/setup"
	"plaza/worker/queue"
)

const (
	callLimit = 10 * time.Second // for one call to another server
	callBytes = 8 << 20          // of one reply
	// memoryLimit, in bytes, makes the garbage collector run more often, before the shim recycles the instance at
	// PLAZA_RECYCLE_MB (shim/limits.mjs).
	memoryLimit = 48 << 20
	// gcPercent lets garbage grow to four times the live data, which are a few megabytes. A collection reads all live data,
	// and a page leaves little garbage.
	gcPercent = 400
)

// Run serves the platform's events with the site that newApp makes. It does not return.
func Run(newApp func(setup.Environment) (setup.App, error)) {
	log.SetFlags(0)
	log.SetOutput(console{})
	slog.SetDefault(slog.New(slog.NewJSONHandler(console{}, nil)))
	debug.SetMemoryLimit(memoryLimit)
	debug.SetGCPercent(gcPercent)

	waitForBegin()
	site, err := newApp(setup.Environment{
		Getenv:     getenv,
		Client:     transport{limit: callLimit, maxBytes: callBytes},
		Queue:      queue.Deduplicate(producer{}, queue.VotesDelay),
		Background: background,
		Pictures:   newBucket(),
		Analytics:  newAnalytics(),
		Sleep:      sleep,
	})
	if err != nil {
		slog.Error("edge: the site did not start", "error", err)
		os.Exit(1)
	}
	queues.ConsumeNonBlock(consumer(site))
	cron.ScheduleTaskNonBlock(scheduler(site))
	handleRequests(site)
	workers.Ready()
	select {}
}

// waitForBegin returns when JavaScript calls begin, because the environment is ready (shim/supervisor.mjs). While it waits, the build takes
// the snapshot. Until then there is no environment, no time and nothing random.
func waitForBegin() {
	begun := make(chan struct{})
	bridge.Set("begin", js.FuncOf(func(js.Value, []js.Value) any {
		close(begun)
		return nil
	}))
	<-begun
}
