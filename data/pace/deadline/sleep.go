// Package deadline is about the time of a request: how long it and each of its calls may take, and how packages wait within it by default.
// Nothing here is a timer: a limit is a value of the context, and who makes a call asks for what is left.
//
// A request has 8 seconds (Request). Its deadline is a value of its context, set where the event comes in. Each call to another server has
// its own limit or what is left of the 8 seconds, whichever is less. Work that nobody waits for, such as that of queues and the scheduled
// job, has a longer limit of its own.
//
//   - Redis has half a second, because everything it is used for can be read elsewhere or left out.
//   - A database. A read has 2.5 s and is tried twice when it hangs, a write 6 s. What writes keeps 1.5 s for the answer: a form comes back
//     with what was typed. A call that fails at once, also with a 404 or a page in HTML, is tried again while there is time, so requests
//     wait out a restart. When the database has not answered for longer than a request may last, each request tries only once
//     (data/wire/hrana/retry.go).
package deadline

import (
	"context"
	"time"
)

// SleepFunc waits and returns early with the context's error.
type SleepFunc = func(context.Context, time.Duration) error
