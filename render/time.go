package render

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// timeAgo shows how long before now something was, with the exact time behind it.
func timeAgo(then, now time.Time) g.Node {
	if then.IsZero() {
		return nil
	}
	then = then.UTC()
	return h.Time(
		h.DateTime(then.Format(time.RFC3339)),
		h.Title(then.Format("2 Jan 2006, 15:04 UTC")),
		g.Text(ago(now.Sub(then))),
	)
}

func ago(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return plural(int64(d/time.Minute), "minute ago", "minutes ago")
	case d < day:
		return plural(int64(d/time.Hour), "hour ago", "hours ago")
	case d < 60*day:
		return plural(int64(d/day), "day ago", "days ago")
	case d < 730*day:
		return plural(int64(d/(30*day)), "month ago", "months ago")
	}
	return plural(int64(d/(365*day)), "year ago", "years ago")
}

// date shows the day of something long ago.
func date(then time.Time) g.Node {
	then = then.UTC()
	return h.Time(h.DateTime(then.Format("2006-01-02")), g.Text(then.Format("2 January 2006")))
}
