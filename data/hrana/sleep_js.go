package hrana

import (
	"context"
	"time"
)

// A Go timer set for one request would fire inside another one's event, so there is no default in Wasm.
var defaultSleep func(context.Context, time.Duration) error
