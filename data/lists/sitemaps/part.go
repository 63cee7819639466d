package sitemaps

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Part is one sitemap: the posts of a day, or of one of several equal parts of that day.
type Part struct {
	Day    time.Time // its start, UTC
	Number int       // of the part, from 1
	Parts  int       // parts of the day
}

const (
	// partPosts is how many posts a part should have. Most have fewer; a busy part has more.
	partPosts = 500
	// partsMax is the maximum number of parts of a day, each of a minute and a half.
	partsMax  = 960
	dayLayout = "2006-01-02"
)

func daysOf(counts map[int64]int64) []Day {
	days := make([]Day, 0, len(counts))
	for _, day := range slices.Sorted(maps.Keys(counts)) {
		days = append(days, Day{Begin: time.Unix(day*int64(dayLength/time.Second), 0).UTC(), Posts: counts[day]})
	}
	return days
}

// Parts returns the sitemaps of a day.
func (d Day) Parts() []Part {
	n := int(min((d.Posts+partPosts-1)/partPosts, partsMax))
	parts := make([]Part, n)
	for i := range parts {
		parts[i] = Part{Day: d.Begin, Number: i + 1, Parts: n}
	}
	return parts
}

// String returns the name of the part in its address: 2026-11-22, or 2026-11-22-3-of-8.
func (p Part) String() string {
	day := p.Day.Format(dayLayout)
	if p.Parts == 1 {
		return day
	}
	return fmt.Sprintf("%s-%d-of-%d", day, p.Number, p.Parts)
}

// ParsePart parses the result of String; ok is false for every other text.
func ParsePart(s string) (p Part, ok bool) {
	if len(s) < len(dayLayout) {
		return p, false
	}
	day, err := time.Parse(dayLayout, s[:len(dayLayout)])
	if err != nil {
		return p, false
	}
	p = Part{Day: day, Number: 1, Parts: 1}
	if rest := s[len(dayLayout):]; rest != "" {
		if _, err := fmt.Sscanf(rest, "-%d-of-%d", &p.Number, &p.Parts); err != nil {
			return p, false
		}
	}
	return p, p.Number >= 1 && p.Number <= p.Parts && p.Parts <= partsMax && p.String() == s
}

// Span returns the start and the end of the part; the end is excluded.
func (p Part) Span() (from, to time.Time) {
	length := dayLength / time.Duration(p.Parts)
	from = p.Day.Add(time.Duration(p.Number-1) * length)
	if p.Number == p.Parts {
		return from, p.Day.Add(dayLength)
	}
	return from, from.Add(length)
}
