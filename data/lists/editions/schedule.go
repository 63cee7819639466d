package editions

import (
	"slices"
	"time"
)

// Number identifies an edition: two for each day since 1 January 1970 in UTC, and one more for the second edition of a day. 0 is none.
type Number int64

const (
	perDay    = 2
	dayLength = 24 * time.Hour
	dayLayout = "2006-01-02"
)

// parts of a day, as addresses name them.
var parts = [perDay]string{"morning", "evening"}

// Day returns the day of the edition: its start in UTC.
func (n Number) Day() time.Time {
	return time.Unix(int64(n)/perDay*int64(dayLength/time.Second), 0).UTC()
}

// Part returns the part of the day: morning or evening.
func (n Number) Part() string { return parts[n%perDay] }

// URL returns the address of the edition's page.
func (n Number) URL() string { return "/edition/" + n.Day().Format(dayLayout) + "/" + n.Part() }

// OwnURL returns the address of the member's own edition with that number.
func (n Number) OwnURL() string {
	return "/edition/yours/" + n.Day().Format(dayLayout) + "/" + n.Part()
}

// Parse returns the number of the edition whose address has a day and a part; 0 if there can be none.
func Parse(day, part string) Number {
	at, err := time.Parse(dayLayout, day)
	i := slices.Index(parts[:], part)
	if err != nil || i < 0 || at.Year() < 1971 {
		return 0
	}
	return numberOf(at, i)
}

func numberOf(day time.Time, part int) Number {
	return Number(day.Unix()/int64(dayLength/time.Second)*perDay + int64(part))
}

// Schedule says when editions come out, in hours of the day in UTC, in ascending order. Without hours there are none.
type Schedule struct {
	Hours  []int
	Weekly bool // on Mondays only
}

// Last returns the edition that came out last at a time; 0 for none.
func (s Schedule) Last(now time.Time) Number {
	today := now.UTC().Truncate(dayLength)
	for day := today; today.Sub(day) <= 7*dayLength; day = day.Add(-dayLength) {
		if s.Weekly && day.Weekday() != time.Monday {
			continue
		}
		for part, hour := range slices.Backward(s.Hours) {
			if !now.Before(day.Add(time.Duration(hour) * time.Hour)) {
				return numberOf(day, part)
			}
		}
	}
	return 0
}

// Time returns when an edition comes out.
func (s Schedule) Time(n Number) time.Time {
	hour := 0
	if part := int(n % perDay); part < len(s.Hours) {
		hour = s.Hours[part]
	}
	return n.Day().Add(time.Duration(hour) * time.Hour)
}

// window is the age up to which posts count as recent: two days, or eight for a weekly edition.
func (s Schedule) window() time.Duration {
	if s.Weekly {
		return 8 * dayLength
	}
	return 2 * dayLength
}
