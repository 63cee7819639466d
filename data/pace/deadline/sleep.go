// Package deadline limits the time of a request and of its calls, and has the default sleep of packages that wait. It uses no timers: a
// limit is a value of the context, and each caller reads how much time is left.
//
// A request has 8 seconds (Request). Its deadline is a value of its context, set where the event comes in. Each call to another server has
// its own limit or the rest of the 8 seconds, whichever is less. Queue consumers and the scheduled job have a longer limit, because no user
// waits for them.
//
//   - Redis has half a second, because everything in it can be read elsewhere or left out.
//   - A database. A read has 2.5 s and is tried twice when it hangs, a write 6 s. A request that writes keeps 1.5 s for its response, so
//     that a failed form comes back with what was typed. A call that fails at once, also with a 404 or a page in HTML, is tried again while
//     there is time, so requests wait out a restart. When the database has not answered for longer than a request may last, each request
//     tries only once (data/wire/hrana/retry.go).
//   - A page that merges the lists of all shards waits for each of them until 1.5 s after the beginning of the request (Optional). Then it
//     is made without those that have not answered (data.Read.AllowMissing).
package deadline

import (
	"context"
	"time"
)

// SleepFunc waits and returns early with the context's error.
type SleepFunc = func(context.Context, time.Duration) error
