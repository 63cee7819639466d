package ranking

import (
	"slices"
	"time"
)

// A Window is a rolling span of time that ends now. The zero value is no window. Its text, used in addresses,
// never changes.
type Window string

// The windows, shortest first.
const (
	WindowHour  Window = "hour"
	WindowDay   Window = "day"
	WindowWeek  Window = "week"
	WindowMonth Window = "month" // 30 days
	WindowYear  Window = "year"  // 365 days
	WindowAll   Window = "all"
)

// Windows lists every window, shortest first.
func Windows() []Window {
	return []Window{WindowHour, WindowDay, WindowWeek, WindowMonth, WindowYear, WindowAll}
}

// ParseWindow finds a window by its text, in exactly this spelling.
func ParseWindow(s string) (Window, bool) {
	if !slices.Contains(Windows(), Window(s)) {
		return "", false
	}
	return Window(s), true
}

// Duration returns the length of the window; 0 for [WindowAll], which has none.
func (w Window) Duration() time.Duration {
	const day = 24 * time.Hour
	switch w {
	case WindowHour:
		return time.Hour
	case WindowDay:
		return day
	case WindowWeek:
		return 7 * day
	case WindowMonth:
		return 30 * day
	case WindowYear:
		return 365 * day
	}
	return 0
}

// Contains reports whether the creation time is in the window that ends now. created + Duration is the first moment outside of it. A time
// in the future (clocks differ) is in. An unknown window contains nothing.
func (w Window) Contains(created, now time.Time) bool {
	if w == WindowAll {
		return true
	}
	return created.Add(w.Duration()).After(now) && w.Duration() > 0
}
