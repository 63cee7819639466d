package wait

// Default is none: a Go timer set for one request would fire inside another one's event.
var Default Func
