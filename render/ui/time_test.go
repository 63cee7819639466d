package ui

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestTimeAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago", 59 * time.Minute: "59 minutes ago",
		time.Hour:      "1 hour ago",
		23 * time.Hour: "23 hours ago", 24 * time.Hour: "1 day ago", 59 * 24 * time.Hour: "59 days ago", 60 * 24 * time.Hour: "2 months ago",
		729 * 24 * time.Hour: "24 months ago", 730 * 24 * time.Hour: "2 years ago",
	} {
		assert.Equal(t, want, drawn(Component(func(m *Markup) { m.ago(d) })), d.String())
	}
	assert.Empty(t, drawn(Component(func(m *Markup) { m.TimeAgo(time.Time{}, time.Now()) })))
}

func TestTimesAreWrittenAsPackageTimeDoes(t *testing.T) {
	zone := time.FixedZone("", -5*60*60)
	rapid.Check(t, func(t *rapid.T) {
		then := time.Unix(rapid.Int64Range(-62_000_000_000, 253_402_300_799).Draw(t, "then"), 0).In(zone)
		want := then.UTC().Format(`2006-01-02T15:04:05Z 2 Jan 2006, 15:04 UTC`)
		assert.Equal(t, want, write(func(m *Markup) { m.RFC3339(then).Lit(" ").Moment(then, then.UTC()) }))
	})
	assert.Equal(t, "12026-01-01T00:00:00Z", write(func(m *Markup) { m.RFC3339(time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)) }))
}
