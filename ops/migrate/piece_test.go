package migrate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/schema"
	"plaza/data/wire/hrana"
	"plaza/ops/migrate"
	"plaza/test/stacktest"
)

// marks is a schema that gets a column with a value for every row: triggers set it in new rows, and a step in pieces in the others.
// visits has an unusual form: it shows which rows a piece has visited twice.
var marks = []schema.Step{
	step("first", `CREATE TABLE IF NOT EXISTS marks (who INTEGER NOT NULL, what TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (who, what)) STRICT, `+
		`WITHOUT ROWID`),
	step("double", `ALTER TABLE marks ADD COLUMN visits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE marks ADD COLUMN twice INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER marks_added AFTER INSERT ON marks BEGIN UPDATE marks SET twice = 2 * n WHERE who = new.who AND what = new.what; END;
CREATE TRIGGER marks_changed AFTER UPDATE OF n ON marks BEGIN UPDATE marks SET twice = 2 * n WHERE who = new.who AND what = new.what; END`),
	{Name: "fill", Batch: schema.Batch{Table: "marks", Key: []string{"who", "what"}, Rows: 24},
		SQL: `UPDATE marks SET twice = 2 * n, visits = visits + 1
WHERE (who, what) BETWEEN (:first_who, :first_what) AND (:last_who, :last_what)`},
	step("last", `CREATE INDEX marks_twice ON marks (twice)`),
}

const (
	many = 95
	fill = `INSERT INTO marks (who, what, n) WITH RECURSIVE i (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM i WHERE i < 94)
SELECT 9000000000000000 + i / 7, 'it''s "' || (i % 7), i FROM i`
)

// openMarks makes a database at step 1 with many rows.
func openMarks(t *testing.T) (url string, transport hrana.Doer, client *hrana.Client) {
	t.Helper()
	url, transport = stacktest.OpenDB(t)
	client = hrana.New(hrana.Options{URL: url, HTTP: transport})
	require.NoError(t, run(t.Context(), client, marks[:1]))
	exec(t, client, fill)
	return url, transport, client
}

// disturb makes the writes of a site meanwhile, and returns how many old rows it has deleted.
func disturb(t *testing.T, client *hrana.Client, rng *rand.Rand) (deleted int) {
	t.Helper()
	before := old(t, client)
	place := 9000000000000000 + rng.IntN(14)
	exec(t, client,
		fmt.Sprintf(`INSERT INTO marks (who, what, n) VALUES (%d, 'new %d', 7), (1, 'before %d', 8), (9100000000000000, 'behind %d', 9)`, place,
			rng.Uint64(), rng.Uint64(), rng.Uint64()),
		fmt.Sprintf(`UPDATE marks SET n = n + 100 WHERE who = %d`, 9000000000000000+rng.IntN(14)),
		// Also the last row that the step has reached.
		`DELETE FROM marks WHERE json_array(who, what) = (SELECT reached FROM schema_steps WHERE done_at IS NULL)`,
		fmt.Sprintf(`DELETE FROM marks WHERE who = %d AND what = 'it''s "3'`, place))
	return before - old(t, client)
}

func old(t *testing.T, client *hrana.Client) int {
	t.Helper()
	return int(query(t, client, `SELECT count(*) FROM marks WHERE what LIKE 'it%'`)[0][0].(int64))
}

// requireComplete reports whether the result equals that of all steps at once.
func requireComplete(t *testing.T, client *hrana.Client, left int) {
	t.Helper()
	assert.Equal(t, left, old(t, client))
	assert.Empty(t, query(t, client, `SELECT * FROM marks WHERE twice <> 2 * n`), "every row is right")
	assert.Empty(t, query(t, client, `SELECT * FROM marks WHERE visits > 1`), "no row was visited twice")
	assert.Empty(t, query(t, client, `SELECT * FROM marks WHERE what LIKE 'it%' AND visits <> 1`), "every old row was visited")
	assert.Equal(t, [][]any{{int64(1), "first"}, {int64(2), "double"}, {int64(3), "fill"}, {int64(4), "last"}},
		query(t, client, `SELECT number, name FROM schema_steps WHERE done_at IS NOT NULL ORDER BY number`))
	assert.Contains(t, objects(t, client), "index marks_twice")
}

func TestPieces(t *testing.T) {
	_, _, client := openMarks(t)
	db, err := migrate.Open(t.Context(), client, marks, "")
	require.NoError(t, err)
	var said []migrate.Progress
	require.NoError(t, db.Run(t.Context(), func(p migrate.Progress) { said = append(said, p) }))
	requireComplete(t, client, many)
	assert.Equal(t, migrate.Progress{Number: 2, Name: "double", Done: true}, said[0])
	assert.Equal(t, migrate.Progress{Number: 3, Name: "fill", Rows: 0}, said[1])
	assert.Equal(t, migrate.Progress{Number: 3, Name: "fill", Rows: 24}, said[2])
	assert.Equal(t, migrate.Progress{Number: 3, Name: "fill", Rows: many, Done: true}, said[5])
	assert.Equal(t, migrate.Progress{Number: 4, Name: "last", Done: true}, said[6])
	assert.Len(t, said, 7)
}

// requests of a run from step 1: two reads, the three steps that are done or begun at once, and four pieces of two.
const requests = 2 + 3 + 4*2

// Wherever a run is killed, and whatever the site writes before the next one, the result is the same as without the kill.
func TestKilledAtEveryMoment(t *testing.T) {
	for _, after := range []bool{false, true} {
		for at := range requests {
			t.Run(fmt.Sprintf("request %d, answer lost: %v", at, after), func(t *testing.T) {
				t.Parallel()
				url, transport, client := openMarks(t)
				cut := &cutter{transport: transport, after: after, left: at}
				require.ErrorContains(t, run(t.Context(), hrana.New(hrana.Options{URL: url, HTTP: cut, Attempts: 1}), marks), "the line was cut")
				deleted := disturb(t, client, rand.New(rand.NewPCG(uint64(at), 1)))
				require.NoError(t, run(t.Context(), client, marks))
				requireComplete(t, client, many-deleted)
			})
		}
	}
}

func TestResponsesThatAreLost(t *testing.T) {
	for at := range requests + 1 {
		t.Run(fmt.Sprintf("request %d", at), func(t *testing.T) {
			t.Parallel()
			url, transport, client := openMarks(t)
			cut := &cutter{transport: transport, after: true, left: at}
			require.NoError(t, run(t.Context(), hrana.New(hrana.Options{URL: url, HTTP: cut}), marks), "it is sent again")
			requireComplete(t, client, many)
			require.Equal(t, at < requests, cut.cut)
		})
	}
}

func TestSeveralAtOnceWhileTheSiteWrites(t *testing.T) {
	url, transport, client := openMarks(t)
	ended := make(chan struct{})
	deleted := 0
	var site, machines sync.WaitGroup
	site.Go(func() {
		rng := rand.New(rand.NewPCG(1, 2))
		for {
			select {
			case <-ended:
				return
			default:
				deleted += disturb(t, client, rng)
			}
		}
	})
	errs := make([]error, 3)
	small := slices.Clone(marks)
	small[2].Batch.Rows = 2
	for i := range errs {
		machines.Go(func() { errs[i] = run(t.Context(), hrana.New(hrana.Options{URL: url, HTTP: transport}), small) })
	}
	machines.Wait()
	close(ended)
	site.Wait()
	assert.Equal(t, make([]error, 3), errs)
	requireComplete(t, client, many-deleted)
}

func TestPiecesThatCannotBe(t *testing.T) {
	tests := map[string]struct {
		step schema.Step
		says string
	}{
		"a statement for all rows": {schema.Step{SQL: "UPDATE marks SET n = 0"}, "it doesn't say for which rows"},
		"an unknown parameter":     {schema.Step{SQL: "UPDATE marks SET n = 0 WHERE who = :first_id"}, "there is no parameter :first_id"},
		"a key of another kind": {schema.Step{SQL: "UPDATE marks SET n = 0 WHERE n > :first_r",
			Batch: schema.Batch{Table: "reals", Key: []string{"r"}}}, "reals.r is neither an integer nor text"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, client := openMarks(t)
			exec(t, client, "CREATE TABLE reals (r REAL PRIMARY KEY)", "INSERT INTO reals VALUES (0.5)")
			test.step.Name = "bad"
			if test.step.Batch.Table == "" {
				test.step.Batch = schema.Batch{Table: "marks", Key: []string{"who", "what"}}
			}
			test.step.Batch.Rows = 10
			require.ErrorContains(t, run(t.Context(), client, append(marks[:1:1], test.step)), test.says)
			assert.Empty(t, query(t, client, `SELECT n FROM marks WHERE what LIKE 'it%' AND n <> who % 100 * 7 + substr(what, -1)`),
				"nothing was changed")
		})
	}
}

func TestPiecesAreFoundByAnIndex(t *testing.T) {
	_, _, client := openMarks(t)
	for sql, want := range map[string]string{
		`SELECT who, what FROM marks WHERE (who, what) > (1, 'a') ORDER BY who, what LIMIT 10`: "SEARCH marks USING PRIMARY KEY ((who," +
			"what)>(?,?))",
		`UPDATE marks SET n = 0 WHERE (who, what) BETWEEN (1, 'a') AND (2, 'b')`: "SEARCH marks USING PRIMARY KEY ((who,what)>(?," +
			"?) AND (who,what)<(?,?))",
	} {
		plan := query(t, client, "EXPLAIN QUERY PLAN "+sql)
		require.Len(t, plan, 1)
		assert.Equal(t, want, plan[0][3])
	}
}

// TestDamagedProgress: progress that is no key of the rows ends the step. A step that took it for the end would leave rows as they are.
func TestDamagedProgress(t *testing.T) {
	for _, reached := range []string{`[]`, `{}`, `null`, `5`, `[1]`, `[1, null]`} {
		_, _, client := openMarks(t)
		require.NoError(t, run(t.Context(), client, marks[:2]))
		exec(t, client, fmt.Sprintf(`INSERT INTO schema_steps (number, name, reached) VALUES (3, 'fill', '%s')`, reached))
		require.ErrorContains(t, run(t.Context(), client, marks[:3]), "which is no key of (who, what)")
	}
}
