//go:build !js

package deadline

import (
	"context"
	"time"
)

// Within returns a context for one call that may take d.
func Within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(WithLimit(ctx, d), d)
}
