package group

import (
	"context"
	"time"
)

// A Go timer set for one request would fire inside another one's event.
var defaultSleep func(context.Context, time.Duration) error
