package metrics_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/site/metrics"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// instance is the store of a separate instance, on the databases of s.
func instance(s *storetest.Stores) *metrics.Store {
	return &metrics.Store{Base: s.Accounts.Base, Recorder: &metrics.Recorder{}}
}

// counted makes an instance count requests of visitors now.
func counted(m *metrics.Store, n int64) {
	m.Recorder.Add(m.Source.Now(), func(b *metrics.Batch) {
		c := b.Of(metrics.Visitor)
		c.Handled += n
		c.Times.Add(20 * time.Millisecond)
	})
}

// handled returns how many requests the site has counted since a time.
func handled(s *storetest.Stores, m *metrics.Store, since time.Time) (n int64) {
	s.Helper()
	r := s.DB.Read()
	list := m.Find(r, since)
	require.NoError(s, r.Run(storetest.Ctx))
	for _, b := range *list {
		n += b.Sum(metrics.Visitor).Handled
	}
	return n
}

func TestAnInstanceWritesARowWhenItsFiveMinutesAreOver(t *testing.T) {
	s := storetest.Open(t)
	*s.Clock = time.Date(2026, 11, 21, 12, 1, 0, 0, time.UTC)
	m := instance(s)
	counted(m, 2)
	require.False(t, m.Recorder.Due(*s.Clock))
	require.NoError(t, m.Save(storetest.Ctx))
	require.EqualValues(t, 0, s.One("SELECT count(*) FROM metrics"), "it is not over")
	*s.Clock = s.Clock.Add(4 * time.Minute)
	require.True(t, m.Recorder.Due(*s.Clock))
	counted(m, 5) // belongs to the next
	require.NoError(t, m.Save(storetest.Ctx))
	require.False(t, m.Recorder.Due(*s.Clock))
	require.EqualValues(t, 1, s.One("SELECT count(*) FROM metrics"))
	assert.EqualValues(t, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).UnixMilli(), s.One("SELECT at FROM metrics"))
	assert.EqualValues(t, 7, handled(s, m, s.Clock.Add(-time.Hour)), "the page also has what this instance has not written")
	assert.EqualValues(t, 2, handled(s, instance(s), s.Clock.Add(-time.Hour)), "another instance doesn't")
}

// A database that doesn't write.
const (
	full = `CREATE TRIGGER full BEFORE INSERT ON metrics BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`
	room = `DROP TRIGGER full`
)

func TestWhatCouldNotBeWrittenIsWrittenLaterAndOnce(t *testing.T) {
	s := storetest.Open(t)
	m := instance(s)
	counted(m, 3)
	*s.Clock = s.Clock.Add(metrics.Span)
	s.Exec(full)
	require.Error(t, m.Save(storetest.Ctx))
	s.Exec(room)
	require.NoError(t, m.Save(storetest.Ctx))
	require.NoError(t, m.Save(storetest.Ctx))
	assert.EqualValues(t, 3, handled(s, instance(s), s.Clock.Add(-time.Hour)))
	t.Run("it is due a minute after it failed, and not with each request until then", func(t *testing.T) {
		counted(m, 1)
		*s.Clock = s.Clock.Add(metrics.Span)
		s.Exec(full)
		require.True(t, m.Recorder.Due(*s.Clock))
		require.Error(t, m.Save(storetest.Ctx))
		require.False(t, m.Recorder.Due(s.Clock.Add(59*time.Second)))
		require.True(t, m.Recorder.Due(s.Clock.Add(61*time.Second)))
		s.Exec(room)
		require.NoError(t, m.Save(storetest.Ctx))
	})
	t.Run("but not all of a long outage", func(t *testing.T) {
		s.Exec(full)
		for range 40 {
			counted(m, 1)
			*s.Clock = s.Clock.Add(metrics.Span)
			require.Error(t, m.Save(storetest.Ctx))
		}
		assert.Len(t, m.Recorder.Unsaved(), 12)
	})
}

// TestARowWhoseWriteIsNotKnownToHaveFailed: the response gets lost, the row is merged, and then the instance tries again.
func TestARowWhoseWriteIsNotKnownToHaveFailed(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	sql, line := hrana.New(hrana.Options{URL: url, HTTP: client}),
		hrana.New(hrana.Options{URL: url, HTTP: storetest.Line{Name: storetest.ToSQL, Http: client}, Attempts: 2})
	s := storetest.New(t, data.NewDB(sql, sql), sql, stacktest.OpenRedis(t))
	m, job := instance(s), instance(s)
	m.DB = data.NewDB(line, line)
	for _, later := range []time.Duration{0, 2 * metrics.Span, 3 * time.Hour, 80 * time.Hour} {
		began := *s.Clock
		counted(m, 3)
		*s.Clock = s.Clock.Add(metrics.Span)
		lost := &storetest.Trouble{Plan: slices.Repeat([]storetest.Fault{storetest.Lose}, 500)}
		require.Error(t, m.Save(storetest.With(storetest.Ctx, storetest.ToSQL, lost)))
		*s.Clock = s.Clock.Add(later)
		require.NoError(t, job.Compact(storetest.Ctx))
		require.NoError(t, m.Save(storetest.Ctx))
		require.NoError(t, job.Compact(storetest.Ctx))
		require.EqualValues(t, 3, handled(s, job, began.Truncate(24*time.Hour)), "%v later", later)
		s.Exec("DELETE FROM metrics")
	}
}

// TestCompact has three instances count for forty days, with the job of each five minutes. No request is lost or counted twice, and the
// table stays small.
func TestCompact(t *testing.T) {
	s := storetest.Open(t)
	*s.Clock = time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	began := *s.Clock
	instances := []*metrics.Store{instance(s), instance(s), instance(s)}
	var total int64
	tick := func(n int64) {
		for i, m := range instances {
			if n > 0 {
				counted(m, n+int64(i))
				total += n + int64(i)
			}
		}
		*s.Clock = s.Clock.Add(metrics.Span)
		for _, m := range instances {
			require.NoError(t, m.Save(storetest.Ctx))
		}
		require.NoError(t, instances[0].Compact(storetest.Ctx))
		require.NoError(t, instances[0].Purge(storetest.Ctx))
	}
	for range 12 * 27 { // more than a day
		tick(7)
		require.Equal(t, total, handled(s, instances[0], began), "at %v", *s.Clock)
	}
	rows := func(span string) any { return s.One("SELECT count(*) FROM metrics WHERE span = ?1", span) }
	assert.EqualValues(t, 3, rows("instance"), "those of the last five minutes")
	assert.LessOrEqual(t, rows("minutes"), int64(24))
	assert.LessOrEqual(t, rows("hour"), int64(48))
	t.Run("it costs a bounded number of rows a day", func(t *testing.T) {
		ctx, meter := s.Metered()
		for range 288 {
			for _, m := range instances {
				counted(m, 1)
				total++
			}
			*s.Clock = s.Clock.Add(metrics.Span)
			for _, m := range instances {
				require.NoError(t, m.Save(ctx))
			}
			require.NoError(t, instances[0].Compact(ctx))
			require.NoError(t, instances[0].Purge(ctx))
		}
		t.Logf("%d rows written, %d read, a day of three instances", meter.RowsWritten(), meter.RowsRead())
		assert.LessOrEqual(t, meter.RowsWritten(), int64(3*2*288+2*288+2*24+10))
		assert.LessOrEqual(t, meter.RowsRead(), int64(18_000))
		require.Equal(t, total, handled(s, instances[0], began))
	})
	t.Run("an instance that was idle for hours writes late, and is counted", func(t *testing.T) {
		late := instance(s)
		counted(late, 1000)
		total += 1000
		for range 12 * 5 {
			tick(0)
		}
		late.Recorder.Due(*s.Clock)
		require.NoError(t, late.Save(storetest.Ctx))
		tick(0)
		require.Equal(t, total, handled(s, instances[0], began))
	})
	t.Run("two jobs at a time count nothing twice", func(t *testing.T) {
		for range 30 {
			counted(instances[0], 1)
			total++
			*s.Clock = s.Clock.Add(metrics.Span)
			require.NoError(t, instances[0].Save(storetest.Ctx))
		}
		done := make(chan error, 4)
		for _, m := range append(instances, instance(s)) {
			go func() { done <- m.Compact(storetest.Ctx) }()
		}
		for range 4 {
			require.NoError(t, <-done)
		}
		require.NoError(t, instances[0].Compact(storetest.Ctx))
		require.Equal(t, total, handled(s, instances[0], began))
	})
	t.Run("days are deleted after a month", func(t *testing.T) {
		*s.Clock = s.Clock.Add(40 * 24 * time.Hour)
		for range 3 {
			tick(0)
		}
		assert.EqualValues(t, 0, s.One("SELECT count(*) FROM metrics"))
	})
}

func TestCompactGoesOnWhereThereIsTooMuch(t *testing.T) {
	s := storetest.Open(t)
	m := instance(s)
	at := m.Source.Now().Add(-time.Hour).Truncate(metrics.Span).UnixMilli()
	s.Exec(`INSERT INTO metrics (span, at, instance, body) SELECT 'instance', ?1, value, '{"classes":{"visitor":{"made":1}}}'
  FROM generate_series(1, 5000)`, at)
	require.NoError(t, m.Compact(storetest.Ctx))
	assert.EqualValues(t, 1000, s.One("SELECT count(*) FROM metrics WHERE span = 'instance'"))
	require.NoError(t, m.Compact(storetest.Ctx))
	assert.EqualValues(t, `{"classes":{"visitor":{"made":5000}}}`, s.One("SELECT body FROM metrics"))
}

func TestARowThatCannotBeReadCountsNothingAndGoes(t *testing.T) {
	s := storetest.Open(t)
	*s.Clock = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	m := instance(s)
	began := *s.Clock
	for i, body := range []string{`{"classes":`, `{"classes":{"visitor":{"made":"x"}}}`, `{"classes":{"visitor":null}}`, `{"classes":{"visitor":{"made":3}}}`} {
		s.Exec(`INSERT INTO metrics (span, at, instance, body) VALUES ('instance', ?1, ?2, ?3)`, began.UnixMilli(), i+1, body)
	}
	s.Exec(`INSERT INTO metrics (span, at, instance, body) VALUES ('minutes', ?1, 0, 'x')`, began.UnixMilli())
	require.EqualValues(t, 3, handled(s, m, began.Add(-time.Hour)))
	*s.Clock = s.Clock.Add(3 * metrics.Span)
	require.NoError(t, m.Compact(storetest.Ctx))
	require.EqualValues(t, 3, handled(s, m, began.Add(-time.Hour)))
	require.EqualValues(t, `{"classes":{"visitor":{"made":3}}}`, s.One("SELECT body FROM metrics"), "one row is left")
}

func TestRowsOfInstancesHaveAnEndWithoutTheJob(t *testing.T) {
	s := storetest.Open(t)
	*s.Clock = time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	m := instance(s)
	save := func() {
		counted(m, 1)
		*s.Clock = s.Clock.Add(metrics.Span)
		require.NoError(t, m.Save(storetest.Ctx))
	}
	save()
	*s.Clock = s.Clock.Add(30 * 24 * time.Hour)
	save()
	require.EqualValues(t, 2, s.One("SELECT count(*) FROM metrics"))
	*s.Clock = s.Clock.Add(2 * 24 * time.Hour)
	save()
	require.EqualValues(t, 2, s.One("SELECT count(*) FROM metrics"), "the first is older than a month")
}

func TestWhatTheShimCounts(t *testing.T) {
	var r metrics.Recorder
	now := time.Date(2026, 11, 21, 12, 1, 0, 0, time.UTC)
	r.AddEdge(now, "")
	require.Empty(t, r.Unsaved())
	r.AddEdge(now, "visitor.cached=12 visitor.stale=3 picture.cached=4 member.failed=2 member.late=1")
	r.AddEdge(now, "visitor.cached=1 nobody.cached=5 votes.cached=5 visitor.made=2 visitor.rows=9 visitor.cached=-7 visitor.cached=x visitor =")
	b := r.Unsaved()[0]
	assert.Equal(t, &metrics.Counts{Handled: 2, Cached: 13, Stale: 3}, b.Classes[metrics.Visitor])
	assert.Equal(t, &metrics.Counts{Cached: 4}, b.Classes[metrics.Picture])
	assert.Equal(t, &metrics.Counts{Failed: 2, Late: 1}, b.Classes[metrics.Member])
	assert.Len(t, b.Classes, 3)
}

// recorded is an Analytics Engine that stores its points.
type recorded struct{ points []metrics.Point }

func (r *recorded) WritePoint(_ context.Context, p metrics.Point) { r.points = append(r.points, p) }

func TestAnalyticsEngineGetsEachBatchOnce(t *testing.T) {
	s := storetest.Open(t)
	*s.Clock = time.Date(2026, 11, 21, 12, 1, 0, 0, time.UTC)
	engine := &recorded{}
	m := instance(s)
	m.Analytics = engine
	counted(m, 2)
	m.Recorder.Add(*s.Clock, func(b *metrics.Batch) {
		c := b.Of(metrics.Visitor)
		c.Cached, c.Stale, c.Limited, c.Failed, c.RowsRead, c.RowsWritten, c.RedisCommands = 3, 4, 5, 6, 7, 8, 9
		c.Times.Add(time.Hour)
	})
	*s.Clock = s.Clock.Add(metrics.Span)
	s.Exec(full)
	require.Error(t, m.Save(storetest.Ctx))
	s.Exec(room)
	require.NoError(t, m.Save(storetest.Ctx))
	want := metrics.Point{Indexes: []string{"visitor"}, Blobs: []string{"visitor", "2026-11-21T12:00:00Z"},
		Doubles: []float64{2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1}}
	assert.Equal(t, fmt.Sprint([]metrics.Point{want}), fmt.Sprint(engine.points))
	assert.EqualValues(t, 1, s.One("SELECT count(*) FROM metrics"), "the page needs its row all the same")
}
