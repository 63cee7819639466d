//go:build !js

package wait

import (
	"context"
	"time"
)

// Default waits by a timer.
var Default Func = func(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
