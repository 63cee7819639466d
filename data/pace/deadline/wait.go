// Package deadline is about the time of a request: how long it and each of its calls may take, and how packages wait
// within it by default.
package deadline

import (
	"context"
	"time"
)

// SleepFunc waits and returns early with the context's error.
type SleepFunc = func(context.Context, time.Duration) error
