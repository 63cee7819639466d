package mover_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/workertest"
	"plaza/tools/mover"
)

// TestAMoveThatWaitsIsTold ends a move when it has closed the community. Monitors and administrators are told, and how to go on, as long
// as no process works on it. The site is well meanwhile.
func TestAMoveThatWaitsIsTold(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	m := openMoving(t)
	m.Config.HealthToken = "a token of the monitor"
	m.Restart(m.Config)
	root := m.Admin("rita")
	root.MustPost("/communities", "name", "gophers")
	m.found()
	healthz := func() (body string, rows int64) {
		t.Helper()
		ctx, meter := hrana.WithMeter(t.Context())
		r := m.Visitor().Request("/healthz").WithContext(ctx)
		r.Header.Set("Authorization", "Bearer "+m.Config.HealthToken)
		res := (&workertest.Browser{Site: m.Site, Header: http.Header{}}).Send(r)
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "ok\n", m.Visitor().Page("/healthz"))
		return res.Body.String(), meter.RowsRead()
	}
	quiet := func(when string) (rows int64) {
		t.Helper()
		body, rows := healthz()
		require.NotContains(t, body, `"move"`, when)
		require.NotContains(t, root.Page("/admin/health"), "plaza shards move", when)
		return rows
	}
	quiet("the first one writes")
	before := quiet("without a move")

	m.until(mover.StepClose)
	body, rows := healthz()
	require.Contains(t, body, `"move":{"closed":true,"community":"gophers","to":1}`)
	require.LessOrEqual(t, rows, before+2)
	page := root.Page("/admin/health")
	require.Contains(t, page, "Nobody can write there until the move goes on.")
	require.Contains(t, page, "<code>plaza shards move gophers 1</code>")

	m.Exec("UPDATE slot_moves SET seen_at = ?1", m.Now.UnixMilli())
	quiet("a process works on it")
	m.Exec("UPDATE slot_moves SET seen_at = 0, step = 'copy'")
	body, _ = healthz()
	require.Contains(t, body, `"move":{"closed":false,"community":"gophers","to":1}`)
	page = root.Page("/admin/health")
	require.Contains(t, page, "The move of gophers to shard 1 is not finished")
	require.NotContains(t, page, "Nobody can write")

	// The step that has the directory name the shard ended right after that.
	m.Exec("UPDATE slot_moves SET step = 'switch'")
	body, _ = healthz()
	require.Contains(t, body, `"move":{"closed":true,"community":"gophers","to":1}`)
	m.Exec("UPDATE slots SET shard = 1 WHERE slot = (SELECT slot FROM slot_moves)")
	body, _ = healthz()
	require.Contains(t, body, `"move":{"closed":false,"community":"gophers","to":1}`)
	under, err := mover.Look(t.Context(), m.Sql.Directory)
	require.NoError(t, err)
	require.False(t, under.Closed())
	m.Exec("UPDATE slots SET shard = 0 WHERE slot = (SELECT slot FROM slot_moves)")
	under, err = mover.Look(t.Context(), m.Sql.Directory)
	require.NoError(t, err)
	require.True(t, under.Closed())
	m.Exec("UPDATE slot_moves SET step = 'copy'")

	m.until("")
	quiet("it is finished")
}
