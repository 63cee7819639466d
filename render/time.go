package render

import (
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
)

// timeAgo writes how long before now something was, with the exact time behind it, in the time zone of now.
func (m *markup) timeAgo(then, now time.Time) *markup {
	if then.IsZero() {
		return m
	}
	m.lit(`<time datetime="`).rfc3339(then).lit(`" title="`).moment(then, now).lit(`">`)
	return m.ago(now.Sub(then)).lit(`</time>`)
}

// edited marks what was changed after it was posted, with the time.
func (m *markup) edited(then, now time.Time) *markup {
	if then.IsZero() {
		return m
	}
	return m.lit(`<span>edited `).timeAgo(then, now).lit(`</span>`)
}

func (m *markup) ago(d time.Duration) *markup {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return m.lit("just now")
	case d < time.Hour:
		return m.plural(int64(d/time.Minute), "minute ago", "minutes ago")
	case d < day:
		return m.plural(int64(d/time.Hour), "hour ago", "hours ago")
	case d < 60*day:
		return m.plural(int64(d/day), "day ago", "days ago")
	case d < 730*day:
		return m.plural(int64(d/(30*day)), "month ago", "months ago")
	}
	return m.plural(int64(d/(365*day)), "year ago", "years ago")
}

// date writes the day of something long ago.
func (m *markup) date(then time.Time) *markup {
	then = then.UTC()
	m.b = then.AppendFormat(append(m.b, `<time datetime="`...), "2006-01-02")
	m.b = then.AppendFormat(append(m.b, `">`...), "2 January 2006")
	return m.lit(`</time>`)
}

// rfc3339 writes 2006-01-02T15:04:05Z; package time takes several times as long.
func (m *markup) rfc3339(then time.Time) *markup {
	then = then.UTC()
	year, month, day := then.Date()
	hour, minute, second := then.Clock()
	m.year(year).lit("-").two(int(month)).lit("-").two(day)
	return m.lit("T").two(hour).lit(":").two(minute).lit(":").two(second).lit("Z")
}

// moment writes 2 Jan 2006, 15:04 UTC, in the time zone of now.
func (m *markup) moment(then, now time.Time) *markup {
	then = then.In(now.Location())
	year, month, day := then.Date()
	hour, minute, _ := then.Clock()
	if day >= 10 {
		m.b = append(m.b, byte('0'+day/10))
	}
	m.b = append(m.b, byte('0'+day%10), ' ')
	m.lit(monthNames[month-1]).lit(" ").year(year)
	return m.lit(", ").two(hour).lit(":").two(minute).lit(" ").zone(then)
}

// zone writes the name of a time's zone, such as CET; of those that have none, the difference, such as UTC+08.
func (m *markup) zone(t time.Time) *markup {
	name, _ := t.Zone()
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		m.lit("UTC")
	}
	return m.text(name)
}

var monthNames = [...]literal{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

func (m *markup) year(n int) *markup {
	if n < 0 || n > 9999 {
		m.b = strconv.AppendInt(m.b, int64(n), 10)
		return m
	}
	return m.two(n / 100).two(n % 100)
}

func (m *markup) two(n int) *markup {
	m.b = append(m.b, byte('0'+n/10), byte('0'+n%10))
	return m
}

func ago(then, now time.Time) g.Node { return component(func(m *markup) { m.timeAgo(then, now) }) }
