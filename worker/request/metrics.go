package request

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/data/site/metrics"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
)

// countsHeader has what the shim has counted since the last request (worker/edge/shim/counts.mjs). No client can send it.
const countsHeader = "X-Plaza-Counts"

// renewalHeader says that the shim renews a copy. The shim counts such a request, by what the visitor gets: the copy or the new page.
const renewalHeader = "X-Plaza-Renewal"

// measured begins to measure a call. The function that it returns counts the call after its end.
func (s *Server) measured(c *Call) (end func()) {
	c.began = time.Now()
	ctx, rows := hrana.WithMeter(c.R.Context())
	ctx, commands := upstash.WithMeter(ctx)
	c.R, c.rows, c.commands = c.R.WithContext(ctx), rows, commands
	return func() {
		took := time.Since(c.began) - c.waited
		s.Metrics.Count(func(b *metrics.Batch) {
			n := b.Of(c.class())
			if c.R.Header.Get(renewalHeader) == "" {
				n.Handled++
			}
			if c.status != http.StatusTooManyRequests { // refusals are fast, and would make a busy site look fast
				n.Times.Add(took)
			}
			switch {
			case c.status == http.StatusTooManyRequests:
				n.Limited++
			case c.status >= http.StatusInternalServerError:
				n.AddFailure(c.cause)
			}
			n.AddCost(rows, commands)
		})
		s.SaveMetrics(c.R.Context())
	}
}

// class returns the class of metrics that a call is counted in. worker/edge/shim/counts.mjs has the same rule.
func (c *Call) class() metrics.Class {
	path := c.R.URL.Path
	switch {
	case !SafeMethod(c.R.Method):
		return metrics.Action
	case strings.HasPrefix(path, "/img/"), strings.HasPrefix(path, "/card/"), strings.HasPrefix(path, "/picture/"):
		return metrics.Picture
	case c.Format != nil && c.Format.name == "atom", strings.HasPrefix(path, "/sitemap"), path == "/robots.txt":
		return metrics.Feed
	case strings.HasPrefix(path, "/feed/"):
		return metrics.Member
	case c.Route.Pattern == "/", slices.Contains(noPages, path):
		return metrics.Other
	case c.Actor != nil, c.ByToken:
		return metrics.Member
	case c.WantsJSON():
		return metrics.JSON
	}
	return metrics.Visitor
}

// noPages are addresses that are neither pages nor feeds.
var noPages = []string{"/healthz", "/manifest.webmanifest", "/oembed", SecurityURL}

// SaveMetrics writes what this instance has counted, after the response, if five minutes are over. While the directory is unavailable, it
// tries again every minute. The rows that it costs are counted for no request.
func (s *Server) SaveMetrics(ctx context.Context) {
	if !s.Metrics.Recorder.Due(s.Metrics.Source.Now()) {
		return
	}
	s.Background(ctx, func(ctx context.Context) {
		if err := s.Metrics.Save(hrana.WithoutMeter(ctx)); err != nil {
			s.Log.WarnContext(ctx, "metrics not written", "error", err)
		}
	})
}

// setServerTiming adds the header with the durations to a member's response (https://www.w3.org/TR/server-timing/). Visitors' responses
// have none. Most of them are cached at the edge, where the times would belong to another request. On the others, such as the login page,
// the times would show strangers what the site has done. On Cloudflare the clock does not run while code runs, so there render is 0 unless
// the page waits for something.
func (c *Call) setServerTiming(h http.Header) {
	if c.Actor == nil || c.rows == nil {
		return
	}
	rendering := c.began
	for _, ended := range []time.Time{c.rows.Waits().Ended(), c.commands.Waits().Ended()} {
		if ended.After(rendering) {
			rendering = ended
		}
	}
	b := appendTiming(make([]byte, 0, 80), "db;dur=", c.rows.Waits().Total())
	b = appendTiming(b, ", redis;dur=", c.commands.Waits().Total())
	b = appendTiming(b, ", render;dur=", time.Since(rendering))
	h.Set("Server-Timing", string(appendTiming(b, ", total;dur=", time.Since(c.began))))
}

// appendTiming appends a duration in milliseconds, with one decimal.
func appendTiming(b []byte, name string, d time.Duration) []byte {
	tenths := (max(d, 0).Microseconds() + 50) / 100
	return append(strconv.AppendInt(append(b, name...), tenths/10, 10), '.', byte('0'+tenths%10))
}
