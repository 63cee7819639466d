package migrate_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/schema"
	"plaza/data/wire/hrana"
	"plaza/ops/migrate"
	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

func quiet(migrate.Progress) {}

// run runs all missing steps.
func run(ctx context.Context, client *hrana.Client, steps []schema.Step) error {
	db, err := migrate.Open(ctx, client, steps, "")
	if err != nil {
		return err
	}
	return db.Run(ctx, quiet)
}

// query is one statement's rows.
func query(t *testing.T, client *hrana.Client, sql string) [][]any {
	t.Helper()
	results, err := client.Query(t.Context(), hrana.Stmt{SQL: sql})
	require.NoError(t, err, sql)
	return results[0].Rows()
}

func exec(t *testing.T, client *hrana.Client, statements ...string) {
	t.Helper()
	stmts := make([]hrana.Stmt, len(statements))
	for i, sql := range statements {
		stmts[i].SQL = sql
	}
	_, err := client.Tx(t.Context(), stmts...)
	require.NoError(t, err)
}

// objects returns the canonical statements of all objects in a database.
func objects(t *testing.T, client *hrana.Client) map[string]string {
	t.Helper()
	have := map[string]string{}
	for _, row := range query(t, client, `SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL
  AND name <> 'sqlite_sequence'
  AND name NOT IN (SELECT l.name FROM pragma_table_list l WHERE l.type = 'shadow')`) {
		have[row[0].(string)] = schema.Canonical(row[1].(string))
	}
	return have
}

// cutter is a connection that breaks once: at a request, before it is sent or after it was processed.
type cutter struct {
	transport hrana.Doer
	after     bool // only the response is lost; otherwise the request

	mu   sync.Mutex
	left int // requests until then
	cut  bool
}

func (c *cutter) Do(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	now := c.left == 0
	c.left--
	c.cut = c.cut || now
	c.mu.Unlock()
	if !now {
		return c.transport.Do(r)
	}
	if c.after {
		resp, err := c.transport.Do(r)
		if err != nil {
			return nil, err
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	return nil, fmt.Errorf("the line was cut: %w", io.ErrUnexpectedEOF)
}
