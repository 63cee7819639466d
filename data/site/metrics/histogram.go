package metrics

import (
	"math"
	"time"
)

// Histogram counts durations in buckets. Each bound is √2 times the one before, so a quantile is known to about a fifth. Bucket 0 has
// durations up to bucketLeast, and the last one has all longer ones. Histograms are merged by adding their buckets.
type Histogram []int64 // without the empty buckets at its end

const (
	buckets     = 32
	bucketLeast = 4 * time.Millisecond
)

// bound is the longest duration in a bucket.
func bound(bucket int) time.Duration {
	return time.Duration(float64(bucketLeast) * math.Exp2(float64(bucket)/2))
}

// Add counts a duration.
func (h *Histogram) Add(d time.Duration) {
	bucket := 0
	if d > bucketLeast {
		// One nanosecond less, because a bound belongs to its bucket.
		bucket = min(int(2*math.Log2(float64(d-1)/float64(bucketLeast)))+1, buckets-1)
	}
	h.grow(bucket + 1)
	(*h)[bucket]++
}

func (h *Histogram) grow(n int) {
	for len(*h) < n {
		*h = append(*h, 0)
	}
}

// Merge adds another histogram.
func (h *Histogram) Merge(other Histogram) {
	h.grow(min(len(other), buckets))
	for i, n := range other[:min(len(other), buckets)] {
		(*h)[i] += n
	}
}

// Count returns the number of durations.
func (h Histogram) Count() (n int64) {
	for _, count := range h {
		n += count
	}
	return n
}

// Quantile returns the duration that a share of all durations, such as 0.99, does not exceed. Within a bucket it is an estimate. It is 0
// if there are no durations.
func (h Histogram) Quantile(share float64) time.Duration {
	rank := share * float64(h.Count())
	for i, n := range h {
		if n == 0 || rank > float64(n) {
			rank -= float64(n)
			continue
		}
		within := max(rank, 0) / float64(n)
		switch i {
		case 0:
			return time.Duration(within * float64(bucketLeast))
		case buckets - 1:
			return bound(i - 1) // nothing is known beyond
		}
		return time.Duration(float64(bound(i-1)) * math.Exp2(within/2))
	}
	return 0
}
