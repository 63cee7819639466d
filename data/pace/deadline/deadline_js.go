package deadline

// DefaultSleep is nil: a Go timer that is set for one request would fire in another one's event.
var DefaultSleep SleepFunc
