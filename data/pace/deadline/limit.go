package deadline

import (
	"context"
	"time"
)

type limitKey struct{}

// WithLimit returns a context in which every single call to another server may take limit. The edge's client enforces it.
func WithLimit(ctx context.Context, limit time.Duration) context.Context {
	return context.WithValue(ctx, limitKey{}, limit)
}

// Limit returns the value of WithLimit, or 0.
func Limit(ctx context.Context) time.Duration {
	limit, _ := ctx.Value(limitKey{}).(time.Duration)
	return limit
}

// Late is the error for a call that was not made, because no time was left.
type Late struct{}

func (Late) Error() string { return "no time is left" }

// Timeout is true, as for all errors of time limits.
func (Late) Timeout() bool { return true }
