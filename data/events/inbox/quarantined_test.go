package inbox_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/test/storetest"
)

// TestVotersOfALargeCase: a delivery notifies ten thousand voters, and the next one the others. Each voter has one notification, however
// often the work is done.
func TestVotersOfALargeCase(t *testing.T) {
	k := open(t)
	ann := k.Member("ann")
	k.Community(ann, "gophers")
	p := k.Post(ann, "gophers", "Brigaded")
	const all = 10_500
	c := k.Posts.Source.NewID(p.ID.Slot(), data.KindOther)
	k.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at)
WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT i << 22, 'mob' || i, 'mob' || i, '', 0 FROM n`, int64(all))
	k.ExecAt(p.ID, `INSERT INTO votes (target_id, user_id, value, status, updated_at)
WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT ?2, i << 22, 1, 1, 0 FROM n`, int64(all), int64(p.ID))
	k.ExecAt(p.ID, `INSERT INTO quarantines (id, target_id, community_id, direction, evidence, votes, created_at)
SELECT ?1, id, community_id, 1, '{}', ?2, 0 FROM posts WHERE id = ?3`, int64(c), int64(all), int64(p.ID))
	k.ExecAt(p.ID, `INSERT INTO quarantined_votes (quarantine_id, user_id) SELECT ?1, user_id FROM votes WHERE target_id = ?2 AND status = 1`,
		int64(c), int64(p.ID))
	k.ExecAt(p.ID, `INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (?1, 'quarantined', 0, 0)`, int64(c))
	deliver := func(due int) int64 {
		list, _, err := k.outbox.FindDue(storetest.Ctx, 0)
		require.NoError(t, err)
		list = slices.DeleteFunc(list, func(d outbox.Due) bool { return d.Job != outbox.JobQuarantined })
		require.Len(t, list, due)
		missed, err := k.inbox.NotifyQuarantined(storetest.Ctx, []data.ID{c})
		require.NoError(t, err)
		require.Empty(t, missed)
		*k.Clock = k.Clock.Add(2 * time.Minute)
		return k.One(`SELECT count(*) FROM inbox WHERE event = 'vote-quarantined'`).(int64)
	}
	require.Equal(t, int64(10_000), deliver(1))
	require.Equal(t, int64(all), deliver(1))
	require.Equal(t, int64(all), deliver(0))
	require.Empty(t, k.RowsOfAll(`SELECT 1 FROM outbox WHERE job = 'quarantined'`))
	require.Equal(t, int64(all), k.One(`SELECT count(DISTINCT user_id) FROM inbox`))
}

// TestVotersOfSeveralCases: all cases of a delivery share one limit. Each voter is notified exactly once.
func TestVotersOfSeveralCases(t *testing.T) {
	k := open(t)
	ann := k.Member("ann")
	k.Community(ann, "gophers")
	const all = 5200
	k.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at)
WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT i << 22, 'mob' || i, 'mob' || i, '', 0 FROM n`, int64(all))
	var cases []data.ID
	for _, title := range []string{"Brigaded", "Too", "As well"} {
		p := k.Post(ann, "gophers", title)
		c := k.Posts.Source.NewID(p.ID.Slot(), data.KindOther)
		cases = append(cases, c)
		k.ExecAt(p.ID, `INSERT INTO votes (target_id, user_id, value, status, updated_at)
WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT ?2, i << 22, 1, 1, 0 FROM n`, int64(all), int64(p.ID))
		k.ExecAt(p.ID, `INSERT INTO quarantines (id, target_id, community_id, direction, evidence, votes, created_at)
SELECT ?1, id, community_id, 1, '{}', ?2, 0 FROM posts WHERE id = ?3`, int64(c), int64(all), int64(p.ID))
		k.ExecAt(p.ID, `INSERT INTO quarantined_votes (quarantine_id, user_id) SELECT ?1, user_id FROM votes WHERE target_id = ?2 AND status = 1`,
			int64(c), int64(p.ID))
		k.ExecAt(p.ID, `INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (?1, 'quarantined', 0, 0)`, int64(c))
	}
	notified := func() int64 { return k.One(`SELECT count(*) FROM inbox WHERE event = 'vote-quarantined'`).(int64) }
	deliveries := 0
	for before := int64(0); notified() < int64(len(cases)*all); before = notified() {
		missed, err := k.inbox.NotifyQuarantined(storetest.Ctx, cases)
		require.NoError(t, err)
		require.Empty(t, missed)
		require.LessOrEqual(t, notified()-before, int64(10_000))
		require.Greater(t, notified(), before)
		*k.Clock = k.Clock.Add(2 * time.Minute)
		deliveries++
	}
	require.Equal(t, 2, deliveries)
	require.Equal(t, int64(len(cases)*all), k.One(`SELECT count(*) FROM (SELECT DISTINCT user_id, subject_id FROM inbox)`))
	require.Empty(t, k.RowsOfAll(`SELECT 1 FROM outbox WHERE job = 'quarantined'`))
}
