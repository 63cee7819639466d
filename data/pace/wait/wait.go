// Package wait is about the time of a request: how long it and each of its calls may take, and how packages wait
// within it by default.
package wait

import (
	"context"
	"time"
)

// Func waits and returns early with the context's error.
type Func = func(context.Context, time.Duration) error
