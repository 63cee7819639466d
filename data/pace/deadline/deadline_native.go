//go:build !js

package deadline

import (
	"context"
	"time"
)

// DefaultSleep waits by a timer.
var DefaultSleep SleepFunc = func(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
