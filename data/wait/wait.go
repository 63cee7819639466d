// Package wait is how packages wait by default for some time within a request.
package wait

import (
	"context"
	"time"
)

// Func waits and returns early with the context's error.
type Func = func(context.Context, time.Duration) error
