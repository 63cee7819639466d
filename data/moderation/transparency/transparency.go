// Package transparency has the numbers of a half-year: legal notices, decisions, appeals, and how long they took. They are in the table
// transparency. Items that leave the queue, legal notices, objections and appeals are counted beside the statement that changes them, in
// its transaction (Counting). So nothing is counted twice, and the numbers stay when the counted rows are purged. Entries of the log stay,
// so a daily job counts decisions again (count.go). Each database counts its own rows; a page adds the numbers up.
//
// A page reads the rows of one half-year: one for each combination of kind, ground, origin and step of time. Times are counted in steps
// of hours. So a median is one of these steps: half of the cases took at most that long.
package transparency

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"plaza/data"
)

// The kinds of counts.
const (
	Decision    = "decision"  // an entry of the log
	Queue       = "queue"     // an item of the queue was decided
	LegalNotice = "notice"    // a legal notice was received (kind ""), or decided
	Objection   = "objection" // an objection to the decision about a legal notice was received, or decided
	Appeal      = "appeal"    // an appeal against a decision was received, or decided
)

// Longer is the value of Within for everything that took longer than the last step.
const Longer = 1000

// rowsMax limits the rows of a half-year in a database.
const rowsMax = 5000

// Half is half a year, UTC: 20262 is the second half of 2026.
type Half int64

// HalfOf returns the half-year of a time.
func HalfOf(t time.Time) Half {
	t = t.UTC()
	return Half(t.Year()*10 + 1 + int(t.Month()-1)/6)
}

// Begin returns when the half-year begins, UTC.
func (h Half) Begin() time.Time {
	return time.Date(int(h/10), time.Month(int(h%10-1)*6+1), 1, 0, 0, 0, 0, time.UTC)
}

// End returns when the next one begins.
func (h Half) End() time.Time { return h.Begin().AddDate(0, 6, 0) }

// IDs returns the lowest ids of the half-year and of the next one.
func (h Half) IDs() (from, next data.ID) {
	return data.NewID(h.Begin(), 0, data.KindOther, 0), data.NewID(h.End(), 0, data.KindOther, 0)
}

// ParseHalf parses the result of String. Invalid.
func ParseHalf(s string) (Half, error) {
	var year, half int
	if n, _ := fmt.Sscanf(s, "%4d-%1d", &year, &half); n != 2 || len(s) != 6 || year < 1000 || half != 1 && half != 2 {
		return 0, data.Mistake("half", "There is no such half-year.")
	}
	return Half(year*10 + half), nil
}

// String returns the half-year as in addresses, such as 2026-2.
func (h Half) String() string { return fmt.Sprintf("%d-%d", h/10, h%10) }

// Count is a number with its kind.
type Count struct {
	What, Kind, Ground, Found string
	Within                    int64 // hours that it took at most; 0 if no time is measured, Longer after the last step
	N, Undone                 int64
}

// Numbers are the numbers of a half-year.
type Numbers struct {
	Counts         []Count
	Earlier, Later Half // the nearest half-years with counts; 0 is none
}

const (
	// Primary key, in its order.
	counts = `SELECT t.what, t.kind, t.ground, t.found, t.within, t.n, t.undone FROM transparency t WHERE t.half = :half
ORDER BY t.what, t.kind, t.ground, t.found, t.within LIMIT :limit`
	// Primary key, from the ends of two ranges.
	nearHalves = `SELECT (SELECT max(t.half) FROM transparency t WHERE t.half < :half), (SELECT min(t.half) FROM transparency t
  WHERE t.half > :half)`
)

// Find reads the numbers of a half-year from all databases, along with a page.
func Find(r *data.Read, db *data.DB, half Half) *Numbers {
	n := &Numbers{}
	r.FindEverywhere(nearHalves, data.Args{"half": int64(half)}, func(row *data.Row) {
		earlier, later := Half(row.Int()), Half(row.Int())
		if n.Earlier = max(n.Earlier, earlier); n.Later == 0 || later != 0 && later < n.Later {
			n.Later = later
		}
	})
	r.FindEverywhere(counts, data.Args{"half": int64(half), "limit": rowsMax}, func(row *data.Row) {
		n.Counts = append(n.Counts, Count{row.Text(), row.Text(), row.Text(), row.Text(), row.Int(), row.Int(), row.Int()})
	})
	r.After(n.merge)
	return n
}

// merge adds up the counts of several databases.
func (n *Numbers) merge() {
	key := func(c Count) Count { c.N, c.Undone = 0, 0; return c }
	slices.SortFunc(n.Counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Ground, b.Ground), cmp.Compare(a.Found, b.Found),
			cmp.Compare(a.Within, b.Within))
	})
	merged := n.Counts[:0]
	for _, c := range n.Counts {
		if last := len(merged) - 1; last >= 0 && key(merged[last]) == key(c) {
			merged[last].N += c.N
			merged[last].Undone += c.Undone
		} else {
			merged = append(merged, c)
		}
	}
	n.Counts = merged
}

// Sum adds up the matching counts, and how many of them were undone since.
func (n *Numbers) Sum(fits func(Count) bool) (all, undone int64) {
	for _, c := range n.Counts {
		if fits(c) {
			all, undone = all+c.N, undone+c.Undone
		}
	}
	return all, undone
}

// Median returns the step of time, in hours, within which half of the matching cases were decided; 0 if there were none.
func (n *Numbers) Median(fits func(Count) bool) int64 {
	cases := map[int64]int64{} // by their step
	all := int64(0)
	for _, c := range n.Counts {
		if c.Within > 0 && fits(c) {
			cases[c.Within] += c.N
			all += c.N
		}
	}
	done := int64(0)
	for _, step := range slices.Sorted(maps.Keys(cases)) {
		if done += cases[step]; 2*done >= all {
			return step
		}
	}
	return 0
}
