//go:build js && wasm

package edge

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/syumai/workers/cloudflare"

	"plaza/data/site/metrics"
)

// analytics writes data points with the binding METRICS of wrangler.toml.
type analytics struct{}

// newAnalytics returns nil if nothing is bound.
func newAnalytics() metrics.Analytics {
	if !cloudflare.GetBinding("METRICS").Truthy() {
		return nil
	}
	return analytics{}
}

// WritePoint passes the point to the shim, within the context's event.
func (analytics) WritePoint(ctx context.Context, p metrics.Point) {
	e, err := eventOf(ctx)
	if err != nil {
		slog.Error("edge: a data point without an event", "error", err)
		return
	}
	text, err := json.Marshal(p)
	if err != nil {
		slog.Error("edge: a data point was not written", "error", err)
		return
	}
	jsPoint.Invoke(e.turn, string(text))
}
