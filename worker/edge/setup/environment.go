package setup

import (
	"context"
	"net/http"
	"time"

	"plaza/data/site/metrics"
	"plaza/worker/pictures"
	"plaza/worker/queue"
	"plaza/worker/request"
)

// Environment is what the platform gives to the site.
type Environment struct {
	Getenv     func(name string) string // a variable or secret; "" if unset
	Client     Client                   // sends within the event of the request's context
	Queue      queue.Queue
	Background request.Background
	Pictures   pictures.Bucket
	Analytics  metrics.Analytics                                // nil if none is bound
	Sleep      func(ctx context.Context, d time.Duration) error // the only way to wait: Go's timers don't work here
}

// Client sends requests, each within the event of its context, and follows no
// redirects. It is an interface because *http.Client links all of net/http's
// transport, TLS and HTTP/2: 2.6 MB of module (0.7 MB gzipped) that are never used.
type Client interface {
	http.RoundTripper
	Do(*http.Request) (*http.Response, error)
}

// App is the site, as the platform's events use it.
type App interface {
	http.Handler
	// SenderOf returns the id of the member whose session or token a request's headers Cookie and Authorization have; "" if the site has not
	// signed it. The shim reads uploads only of members, and of each member one long upload at a time.
	SenderOf(cookies, authorization string) string
	// Consume handles a batch of a queue and returns the indexes of the messages
	// to be delivered again; an error means all of them.
	Consume(ctx context.Context, queue string, messages []queue.Message) (retry []int, err error)
	// Scheduled runs the jobs that are due at that minute.
	Scheduled(ctx context.Context, at time.Time)
}
