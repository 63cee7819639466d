package ui

import (
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"

	"plaza/locale"
)

// TimeAgo writes how long before now something was, such as 2h. Its title is the exact time, in the time zone of now.
func (m *Markup) TimeAgo(then, now time.Time) *Markup { return m.age(then, now, "{}", "now") }

// Since writes the same as a part of a sentence, such as 2h ago.
func (m *Markup) Since(then, now time.Time) *Markup { return m.age(then, now, "{} ago", "just now") }

// Edited marks what was changed after it was posted, with the time.
func (m *Markup) Edited(then, now time.Time) *Markup {
	if then.IsZero() {
		return m
	}
	m.Lit(`<span>`)
	// Unlike Say with a component, this allocates nothing.
	m.language().Each("edited {}", locale.Number{}, func(words string) { m.Text(words) }, func(int) { m.TimeAgo(then, now) })
	return m.Lit(`</span>`)
}

// LastComment says when the last comment of a post was written; nothing without one.
func (m *Markup) LastComment(then, now time.Time) *Markup {
	if then.IsZero() {
		return m
	}
	m.Lit(`<span>`)
	m.language().Each("last comment {}", locale.Number{}, func(words string) { m.Text(words) }, func(int) { m.Since(then, now) })
	return m.Lit(`</span>`)
}

// age writes the time element. The script rewrites its title in the reader's time zone. least is the text for less than a minute.
func (m *Markup) age(then, now time.Time, ago, least locale.Text) *Markup {
	if then.IsZero() {
		return m
	}
	m.Lit(`<time datetime="`).RFC3339(then).Lit(`" title="`).Moment(then, now).Lit(`">`)
	switch d := now.Sub(then); {
	case d < time.Minute:
		m.Say(least)
	case ago == "{}":
		m.short(d)
	default:
		m.Say(ago, Component(func(m *Markup) { m.short(d) }))
	}
	return m.Lit(`</time>`)
}

// short writes a duration of at least a minute in its largest unit. A month has 30 days and a year 365.
func (m *Markup) short(d time.Duration) *Markup {
	const day = 24 * time.Hour
	units := &locale.Units
	n, unit := d/(365*day), units.Year
	switch {
	case d < time.Hour:
		n, unit = d/time.Minute, units.Minute
	case d < day:
		n, unit = d/time.Hour, units.Hour
	case d < 60*day:
		n, unit = d/day, units.Day
	case d < 730*day:
		n, unit = d/(30*day), units.Month
	}
	m.b = strconv.AppendInt(m.b, int64(n), 10)
	m.add(m.language().Unit(unit))
	return m
}

// Date writes the day of a time, in UTC.
func (m *Markup) Date(then time.Time) *Markup {
	then = then.UTC()
	m.b = then.AppendFormat(append(m.b, `<time datetime="`...), "2006-01-02")
	return m.Lit(`">`).Text(m.language().Day(then)).Lit(`</time>`)
}

// RFC3339 writes 2006-01-02T15:04:05Z; package time takes several times as long.
func (m *Markup) RFC3339(then time.Time) *Markup {
	then = then.UTC()
	year, month, day := then.Date()
	hour, minute, second := then.Clock()
	m.year(year).Lit("-").two(int(month)).Lit("-").two(day)
	return m.Lit(`T`).two(hour).Lit(`:`).two(minute).Lit(`:`).two(second).Lit(`Z`)
}

// Moment writes 2 Jan 2006, 15:04 UTC, in the time zone of now.
func (m *Markup) Moment(then, now time.Time) *Markup {
	then = then.In(now.Location())
	year, month, day := then.Date()
	hour, minute, _ := then.Clock()
	if day >= 10 {
		m.b = append(m.b, byte('0'+day/10))
	}
	m.b = append(m.b, byte('0'+day%10))
	l := m.language()
	m.add(l.Ordinal)
	m.b = append(m.b, ' ')
	m.add(l.ShortMonth(month))
	m.Lit(" ").year(year)
	return m.Lit(", ").two(hour).Lit(":").two(minute).Lit(" ").zone(then)
}

// zone writes the name of a time zone, such as CET, or for one without a name the offset, such as UTC+08.
func (m *Markup) zone(t time.Time) *Markup {
	name, _ := t.Zone()
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		m.Lit(`UTC`)
	}
	return m.Text(name)
}

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

// Ago is Markup.TimeAgo.
func Ago(then, now time.Time) g.Node { return Component(func(m *Markup) { m.TimeAgo(then, now) }) }

// Since is Markup.Since.
func Since(then, now time.Time) g.Node { return Component(func(m *Markup) { m.Since(then, now) }) }

// Instant is a time in RFC 3339; "" for the zero time.
func Instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
