package deadline

import (
	"context"
	"time"
)

// Within returns a context for one call that may take d. The edge's client ends the call; there is nothing to cancel.
func Within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return WithLimit(ctx, d), func() {}
}
