package verify_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/events/outbox"
	"plaza/test/sitetest"
)

// TestPendingJobs enqueues jobs of each kind: about what is there, which a repair leaves alone, and about nothing, which it deletes. Work
// that this version does not know stays.
func TestPendingJobs(t *testing.T) {
	s := sitetest.OpenFilled(t, 1)
	skipped := []string{"dance 8"}
	enqueue := func(work outbox.Job, id int64) {
		_, err := s.Shards[0].Exec(`INSERT OR REPLACE INTO outbox (subject_id, job, queued_at, due_at) VALUES (?1, ?2, 0, 0)`, id, string(work))
		require.NoError(t, err)
	}
	enqueue("dance", 8)
	for n, kind := range outbox.Kinds {
		enqueue(kind.Job, int64(4000+2*n))
		for m, column := range kind.About {
			id := present(t, s.Shards[0], column, int64(5000+2*(10*n+m)))
			enqueue(kind.Job, id)
			skipped = append(skipped, fmt.Sprintf("%s %d", kind.Job, id))
		}
	}
	lost := 0
	for _, f := range repair(t, s) {
		if f.Table == "outbox" {
			lost++
		}
	}
	require.Equal(t, len(outbox.Kinds), lost)
	rows, err := s.Shards[0].Query(`SELECT job || ' ' || subject_id FROM outbox WHERE subject_id IN (SELECT value FROM json_each(?1))`, idsOf(skipped))
	require.NoError(t, err)
	defer rows.Close()
	var stays []string
	for rows.Next() {
		var one string
		require.NoError(t, rows.Scan(&one))
		stays = append(stays, one)
	}
	require.Subset(t, stays, skipped)
}

func idsOf(jobs []string) string {
	ids := make([]string, len(jobs))
	for i, work := range jobs {
		_, ids[i], _ = strings.Cut(work, " ")
	}
	return "[" + strings.Join(ids, ",") + "]"
}

// present returns a value of a column, from a row that is made if the table has none.
func present(t *testing.T, db *sql.DB, column string, id int64) int64 {
	t.Helper()
	table, name, _ := strings.Cut(column, ".")
	if db.QueryRow(fmt.Sprintf("SELECT %s FROM %s ORDER BY 1 DESC LIMIT 1", name, table)).Scan(&id) == nil {
		return id
	}
	rows, err := db.Query(`SELECT name, type FROM pragma_table_info(?1) WHERE "notnull" = 1 AND dflt_value IS NULL OR name = ?2`, table, name)
	require.NoError(t, err)
	var columns, values []string
	for rows.Next() {
		var of, kind string
		require.NoError(t, rows.Scan(&of, &kind))
		value := "0"
		if of == name {
			value = fmt.Sprint(id)
		} else if kind == "TEXT" {
			value = "'note'" // a side of a conversation, for one
		}
		columns, values = append(columns, of), append(values, value)
	}
	require.NoError(t, rows.Close())
	_, err = db.Exec(fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ", "), strings.Join(values, ", ")))
	require.NoError(t, err, table)
	return id
}
