package wait

// Default is nil: a Go timer that is set for one request would fire in another one's event.
var Default Func
