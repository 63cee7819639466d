package ui

import (
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
)

// TimeAgo writes how long before now something was, as 2h, with the exact time behind it, in the time zone of now.
func (m *Markup) TimeAgo(then, now time.Time) *Markup {
	return m.age(then, now, "", "now")
}

// Since writes the same as a part of a sentence, as 2h ago.
func (m *Markup) Since(then, now time.Time) *Markup {
	return m.age(then, now, " ago", "just now")
}

// Edited marks what was changed after it was posted, with the time.
func (m *Markup) Edited(then, now time.Time) *Markup {
	if then.IsZero() {
		return m
	}
	return m.Lit(`<span>edited `).TimeAgo(then, now).Lit(`</span>`)
}

// age writes the time element. The script writes its title anew, in the reader's own language.
func (m *Markup) age(then, now time.Time, end, least Literal) *Markup {
	if then.IsZero() {
		return m
	}
	m.Lit(`<time datetime="`).RFC3339(then).Lit(`" title="`).Moment(then, now).Lit(`">`)
	if d := now.Sub(then); d < time.Minute {
		m.Lit(least)
	} else {
		m.short(d).Lit(end)
	}
	return m.Lit(`</time>`)
}

// short writes a duration of at least a minute in its largest unit. A month has 30 days and a year 365.
func (m *Markup) short(d time.Duration) *Markup {
	const day = 24 * time.Hour
	n, unit := d/(365*day), Literal("\u00a0y")
	switch {
	case d < time.Hour:
		n, unit = d/time.Minute, "m"
	case d < day:
		n, unit = d/time.Hour, "h"
	case d < 60*day:
		n, unit = d/day, "d"
	case d < 730*day:
		n, unit = d/(30*day), "\u00a0mo"
	}
	m.b = strconv.AppendInt(m.b, int64(n), 10)
	return m.Lit(unit)
}

// Date writes the day of something long ago.
func (m *Markup) Date(then time.Time) *Markup {
	then = then.UTC()
	m.b = then.AppendFormat(append(m.b, `<time datetime="`...), "2006-01-02")
	m.b = then.AppendFormat(append(m.b, `">`...), "2 January 2006")
	return m.Lit(`</time>`)
}

// RFC3339 writes 2006-01-02T15:04:05Z; package time takes several times as long.
func (m *Markup) RFC3339(then time.Time) *Markup {
	then = then.UTC()
	year, month, day := then.Date()
	hour, minute, second := then.Clock()
	m.year(year).Lit("-").two(int(month)).Lit("-").two(day)
	return m.Lit("T").two(hour).Lit(":").two(minute).Lit(":").two(second).Lit("Z")
}

// Moment writes 2 Jan 2006, 15:04 UTC, in the time zone of now.
func (m *Markup) Moment(then, now time.Time) *Markup {
	then = then.In(now.Location())
	year, month, day := then.Date()
	hour, minute, _ := then.Clock()
	if day >= 10 {
		m.b = append(m.b, byte('0'+day/10))
	}
	m.b = append(m.b, byte('0'+day%10), ' ')
	m.Lit(monthNames[month-1]).Lit(" ").year(year)
	return m.Lit(", ").two(hour).Lit(":").two(minute).Lit(" ").zone(then)
}

// zone writes the name of a time's zone, such as CET; of those that have none, the difference, such as UTC+08.
func (m *Markup) zone(t time.Time) *Markup {
	name, _ := t.Zone()
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		m.Lit("UTC")
	}
	return m.Text(name)
}

var monthNames = [...]Literal{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

func (m *Markup) year(n int) *Markup {
	if n < 0 || n > 9999 {
		m.b = strconv.AppendInt(m.b, int64(n), 10)
		return m
	}
	return m.two(n / 100).two(n % 100)
}

func (m *Markup) two(n int) *Markup {
	m.b = append(m.b, byte('0'+n/10), byte('0'+n%10))
	return m
}

// Ago is TimeAgo.
func Ago(then, now time.Time) g.Node { return Component(func(m *Markup) { m.TimeAgo(then, now) }) }

// Since is Markup.Since.
func Since(then, now time.Time) g.Node { return Component(func(m *Markup) { m.Since(then, now) }) }

// Instant is a time as RFC 3339 has it; "" for none.
func Instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
