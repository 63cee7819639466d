package wait

import (
	"context"
	"time"
)

// Within is a context for one call that may take d. The client of the edge keeps the
// limit; there is nothing to cancel.
func Within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return WithLimit(ctx, d), func() {}
}
