package ui

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestTimeAgo(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{
		-time.Hour: "now", 59 * time.Second: "now", time.Minute: "1m", 59 * time.Minute: "59m", time.Hour: "1h", 23 * time.Hour: "23h",
		24 * time.Hour: "1d", 59 * 24 * time.Hour: "59d", 60 * 24 * time.Hour: "2\u00a0mo", 729 * 24 * time.Hour: "24\u00a0mo",
		730 * 24 * time.Hour: "2\u00a0y",
	} {
		then := now.Add(-d)
		shown := `<time datetime="` + then.Format(time.RFC3339) + `" title="` + then.Format("2 Jan 2006, 15:04 UTC") + `">`
		assert.Equal(t, shown+want+"</time>", drawn(Component(func(m *Markup) { m.TimeAgo(then, now) })), d.String())
		want += " ago"
		if d < time.Minute {
			want = "just now"
		}
		assert.Equal(t, shown+want+"</time>", drawn(Since(then, now)), d.String())
	}
	assert.Empty(t, drawn(Component(func(m *Markup) { m.TimeAgo(time.Time{}, now) })))
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
