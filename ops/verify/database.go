package verify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
)

// databaseNow is the time of the database's clock, in milliseconds.
const databaseNow = `CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)`

// database is a client of one database, with its name in reports.
type database struct {
	*hrana.Client
	name      string
	directory bool
}

// shardOf returns the database of an id's shard; nil if there is none.
func (v *verifier) shardOf(id int64) *database {
	if n, ok := v.slots.Of(data.ID(id).Slot()); ok && n < len(v.shards) {
		return v.shards[n]
	}
	return nil
}

// findSlots reads which shard each slot is on.
func (v *verifier) findSlots(ctx context.Context) error {
	rows, err := v.all[0].rows(ctx, data.SlotRows)
	for _, row := range rows {
		v.slots.Put(int(row[0].(int64)), int(row[1].(int64)))
	}
	return err
}

// rowsFromShards reads the rows of a statement for :ids, each id in the database of its shard.
func (v *verifier) rowsFromShards(ctx context.Context, query string, ids []int64, args ...hrana.Named) (rows [][]any, err error) {
	byShard := map[*database][]int64{}
	for _, id := range ids {
		if shard := v.shardOf(id); shard != nil {
			byShard[shard] = append(byShard[shard], id)
		}
	}
	for shard, some := range byShard {
		more, err := shard.rows(ctx, query, append(slices.Clip(args), named("ids", jsonOf(some)))...)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// named returns an argument of a statement.
func named(name string, value any) hrana.Named { return hrana.Named{Name: name, Value: value} }

// maxTries bounds how often a statement is sent while the database is unavailable, or the site holds its write lock.
const maxTries = 7

// send runs a statement on a stream, without a time limit. A write is sent again only if the database was busy and refused it.
func (db *database) send(ctx context.Context, writes bool, query string, args []hrana.Named) (hrana.Result, error) {
	for try := 1; ; try++ {
		results, err := db.Stream().Last(ctx, hrana.Stmt{SQL: query, Named: args})
		if err == nil {
			return results[0], nil
		}
		if try == maxTries || !hrana.IsBusy(err) && (writes || !hrana.IsUnavailable(err)) {
			return hrana.Result{}, fmt.Errorf("%s: %w", db.name, err)
		}
		if err := deadline.DefaultSleep(ctx, 50*time.Millisecond<<try); err != nil {
			return hrana.Result{}, err
		}
	}
}

// rows reads all rows of a statement, which bounds their number. A row's text keeps the whole response in memory: clone what you keep.
func (db *database) rows(ctx context.Context, query string, args ...hrana.Named) ([][]any, error) {
	result, err := db.send(ctx, false, query, args)
	if err != nil {
		return nil, err
	}
	return result.Rows(), nil
}

// rowsByID returns the rows of a statement for :ids, by the id that each begins with.
func (db *database) rowsByID(ctx context.Context, query string, ids []int64) (map[int64][]any, error) {
	rows, err := db.rows(ctx, query, named("ids", jsonOf(ids)))
	byID := make(map[int64][]any, len(rows))
	for _, row := range rows {
		byID[idOf(row)] = row
	}
	return byID, err
}

// write runs a statement that repairs, and returns how many rows it has changed.
func (v *verifier) write(ctx context.Context, db *database, statement string, args ...hrana.Named) (int64, error) {
	if v.MayRepair != nil {
		if err := v.MayRepair(ctx); err != nil {
			return 0, err
		}
	}
	result, err := db.send(ctx, true, statement, args)
	return result.RowsAffected, err
}

// pageSize is how many rows most pages have.
const pageSize = 1000

// keys are the columns by which a table is ordered for reading. Their values in a page's last row are arguments of the next page.
type keys []hrana.Named

// keysOf returns keys of integer columns, or of text columns if " text" follows the name. Their values are the smallest ones.
func keysOf(columns ...string) (k keys) {
	for _, column := range columns {
		name, isText := strings.CutSuffix(column, " text")
		if k = append(k, named(name, int64(math.MinInt64))); isText {
			k[len(k)-1].Value = ""
		}
	}
	return k
}

// of returns the keys with the values that a row begins with.
func (k keys) of(row []any) keys {
	values := make(keys, len(k))
	for i, key := range k {
		values[i] = named(key.Name, row[i])
	}
	return values
}

func (k keys) names() []string {
	return mapSlice(k, func(key hrana.Named) string { return key.Name })
}

// pageQuery is a statement that selects a page of rows: at most :limit, after the keys in its arguments. Each row begins with its keys.
type pageQuery struct {
	table, query string
	keys         keys
	size         int  // 0: pageSize
	short        bool // a page of fewer rows than size need not be the last
}

// pages calls do with each page of rows.
func (v *verifier) pages(ctx context.Context, db *database, p pageQuery, do func(rows [][]any) error) error {
	p.size = cmp.Or(p.size, pageSize)
	for after := p.keys; ; {
		rows, err := db.rows(ctx, p.query, append(slices.Clone(after), named("limit", p.size))...)
		if err == nil && len(rows) > 0 {
			err = do(rows)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.table, err)
		}
		v.result.Rows += int64(len(rows))
		v.Progress(min(v.result.Rows, v.total), v.total, db.name+", "+p.table)
		if len(rows) == 0 || len(rows) < p.size && !p.short {
			return nil
		}
		after = p.keys.of(rows[len(rows)-1])
	}
}
