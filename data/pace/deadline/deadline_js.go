package deadline

// DefaultSleep is nil: a Go timer of one request would fire in another one's event.
var DefaultSleep SleepFunc
