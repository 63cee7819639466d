package migrate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/schema"
	"plaza/data/wire/hrana"
)

// piece runs the next piece of a step and returns how many rows it has. Then it waits for as long as that took, so that half of the time is
// left to the site.
func (d *Database) piece(ctx context.Context, number int, step schema.Step) (rows int, err error) {
	began := time.Now()
	before := d.records[number-1]
	keys, err := d.keys(ctx, step.Batch, before.reached)
	if err != nil {
		return 0, err
	}
	last := len(keys) < step.Batch.Rows
	reached, params := before.reached, map[string]any{}
	if len(keys) > 0 {
		text, err := json.Marshal(keys[len(keys)-1])
		if err != nil {
			return 0, err
		}
		reached = string(text)
		for i, column := range step.Batch.Key {
			params["first_"+column], params["last_"+column] = keys[0][i], keys[len(keys)-1][i]
		}
	}
	stmts := []hrana.Stmt{reach(number, before.reached, reached, last)}
	if len(keys) > 0 {
		bound, err := bind(step, params)
		if err != nil {
			return 0, err
		}
		stmts = append(stmts, bound...)
	}
	if err := d.commit(ctx, number, stepRecord{step.Name, reached, last}, stmts); err != nil {
		return 0, err
	}
	if !last {
		err = deadline.DefaultSleep(ctx, time.Since(began))
	}
	return len(keys), err
}

// reach returns a statement that records the progress of a step. If the stored progress is not the expected one, the statement and its
// transaction fail: the value would be NULL, which the column refuses.
func reach(number int, before, reached string, done bool) hrana.Stmt {
	return hrana.Stmt{
		SQL: `UPDATE schema_steps SET reached = iif(reached = :before AND done_at IS NULL, :reached, NULL), done_at = iif(:done, ` + now +
			`, NULL)
WHERE number = :number`,
		Named: []hrana.Named{{Name: "number", Value: number}, {Name: "before", Value: before}, {Name: "reached", Value: reached},
			{Name: "done", Value: done}},
	}
}

// keys reads the keys of the next rows after the key reached.
func (d *Database) keys(ctx context.Context, b schema.Batch, reached string) ([][]any, error) {
	columns := strings.Join(b.Key, ", ")
	stmt := hrana.Stmt{Named: []hrana.Named{{Name: "rows", Value: b.Rows}}}
	where := ""
	if reached != "" {
		// A damaged key, or one of a build with other columns, would select no rows, and the step would count as done.
		if key := []json.RawMessage{}; json.Unmarshal([]byte(reached), &key) != nil || len(key) != len(b.Key) ||
			slices.ContainsFunc(key, func(v json.RawMessage) bool { return string(v) == "null" }) {
			return nil, fmt.Errorf("the step has reached %s, which is no key of (%s)", reached, columns)
		}
		after := make([]string, len(b.Key))
		for i := range after {
			after[i] = fmt.Sprintf(":reached ->> %d", i)
		}
		where = fmt.Sprintf("WHERE (%s) > (%s) ", columns, strings.Join(after, ", "))
		stmt.Named = append(stmt.Named, hrana.Named{Name: "reached", Value: reached})
	}
	stmt.SQL = fmt.Sprintf("SELECT %s FROM %s %sORDER BY %s LIMIT :rows", columns, b.Table, where, columns)
	results, err := d.client.Query(ctx, stmt)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, stmt.SQL)
	}
	for _, key := range results[0].Rows() {
		for i, v := range key {
			switch v.(type) {
			case int64, string:
			default:
				return nil, fmt.Errorf("%s.%s is neither an integer nor text: pieces can't be told apart by it", b.Table, b.Key[i])
			}
		}
	}
	return results[0].Rows(), nil
}

// bind returns a step's statements with the keys of a piece. It refuses a statement without keys, which would change the whole table.
func bind(step schema.Step, params map[string]any) (stmts []hrana.Stmt, err error) {
	for _, sql := range schema.Split(step.SQL) {
		stmt := hrana.Stmt{SQL: sql}
		for _, name := range schema.Parameters(sql) {
			value, ok := params[name]
			if !ok {
				return nil, fmt.Errorf("there is no parameter :%s\n%s", name, sql)
			}
			stmt.Named = append(stmt.Named, hrana.Named{Name: name, Value: value})
		}
		if len(stmt.Named) == 0 {
			return nil, errors.New("it doesn't say for which rows\n" + sql)
		}
		stmts = append(stmts, stmt)
	}
	return stmts, nil
}
