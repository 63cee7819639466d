package metrics

import (
	"context"
	"time"
)

// Analytics is Cloudflare's Analytics Engine. It stores data points for three months. The holder of an account token can query them by
// SQL (docs/operations/metrics.md).
//
// https://developers.cloudflare.com/analytics/analytics-engine/
type Analytics interface {
	// WritePoint sends a data point. It doesn't wait, and does not report whether the point arrives.
	WritePoint(ctx context.Context, p Point)
}

// Point is a data point: index1, blob1 and so on, double1 and so on.
type Point struct {
	Indexes []string  `json:"indexes"`
	Blobs   []string  `json:"blobs"`
	Doubles []float64 `json:"doubles"`
}

// pointBuckets is how many time buckets a point has. A point has twenty numbers at most, so each bucket is two buckets of a Histogram:
// its bound is twice the one before, beginning with 5.7 ms. The last one has all that took longer.
const pointBuckets = 12

// report sends batches to Analytics Engine, a point for each class.
func (s *Store) report(ctx context.Context, batches []*Batch) {
	if s.Analytics == nil {
		return
	}
	for _, b := range batches {
		for _, class := range Classes {
			if c := b.Classes[class]; c != nil && !b.reported {
				s.Analytics.WritePoint(ctx, pointOf(class, b.At, c))
			}
		}
		b.reported = true
	}
}

// pointOf returns the point of a class. docs/operations/metrics.md lists its numbers.
func pointOf(class Class, at time.Time, c *Counts) Point {
	p := Point{Indexes: []string{string(class)}, Blobs: []string{string(class), at.UTC().Format(time.RFC3339)}}
	for _, n := range []int64{c.Handled, c.Cached, c.Stale, c.Limited, c.Failed, c.RowsRead, c.RowsWritten, c.RedisCommands} {
		p.Doubles = append(p.Doubles, float64(n))
	}
	times := make([]float64, pointBuckets)
	for i, n := range c.Times {
		times[min(i/2, pointBuckets-1)] += float64(n)
	}
	p.Doubles = append(p.Doubles, times...)
	return p
}
