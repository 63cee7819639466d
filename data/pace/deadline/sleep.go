// Package deadline limits the time of a request and of its calls, and has the default sleep of packages that wait. It uses no timers: a
// limit is a value of the context, and each caller reads how much time is left. Each call to another server has its own limit, or the rest
// of the request's if that is less. Queue consumers and jobs have longer limits, because no user waits for them.
//
// Begin with Request and ForRequest (deadline.go). docs/inside/placement.md has the limits of all calls.
package deadline

import (
	"context"
	"time"
)

// SleepFunc waits and returns early with the context's error.
type SleepFunc = func(context.Context, time.Duration) error
