package importer

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"plaza/data"
)

// Ids contain the time since data.Epoch, and lists by id, such as the oldest comments of a thread, must be in the order of time for older
// items as well. So the first earlyInto of the ids' time range stand for the earlySpan before, which has the whole history of web forums.
const (
	earlySpan = 32 * 365 * 24 * time.Hour
	earlyInto = 8 * 24 * time.Hour
)

// idsAtOnce is how many ids a kind has in a millisecond.
const idsAtOnce = 2048

// idTime returns the time in the id of an item that was made at t: t itself, unless ids can't contain it.
func idTime(t time.Time) time.Time {
	before := data.Epoch.Sub(t)
	if before <= 0 {
		return t
	}
	return data.Epoch.Add(earlyInto - time.Duration(float64(min(before, earlySpan))/float64(earlySpan)*float64(earlyInto)))
}

// idFor makes an id for a row. The id of another Plaza, at the end of source, is used again if possible, because it is in addresses. salt
// is how many others were taken. Times in whole seconds are spread over the second, so that there are enough ids.
func idFor(source string, created time.Time, shard int, kind data.Kind, salt uint32) data.ID {
	if text := source[strings.LastIndexByte(source, ':')+1:]; salt == 0 && len(text) == data.IDTextLen { // the site may have a port
		id, err := data.ParseID(text)
		if err == nil && !id.Time().After(time.Now()) && (kind == data.KindOther || id.IsComment() == (kind == data.KindComment)) {
			return data.NewID(id.Time(), shard, kind, uint32(id))
		}
	}
	h := hash(source)
	t := idTime(created)
	if created.Nanosecond() == 0 && t.Equal(created) {
		t = t.Add(time.Duration(h>>12%1000) * time.Millisecond)
	}
	return data.NewID(t.Add(time.Duration(salt/idsAtOnce)*time.Millisecond), shard, kind, h+salt*2)
}

// numbers assigns ids to rows that no other row of the batch or the table has.
type numbers struct {
	used map[data.ID]bool
}

const (
	takenPosts    = `SELECT p.id FROM json_each(?) j JOIN posts p ON p.id = j.value`
	takenComments = `SELECT c.id FROM json_each(?) j JOIN comments c ON c.id = j.value`
	takenUsers    = `SELECT u.id FROM json_each(?) j JOIN users u ON u.id = j.value`
)

// maxStep limits how many ids are skipped at once.
const maxStep = 1 << 20

// give assigns ids to n rows. candidate makes the id of the i-th for a salt, and set sets it.
func (g *numbers) give(ctx context.Context, db *sql.DB, taken string, n int, candidate func(i int, salt uint32) data.ID,
	set func(i int, id data.ID)) error {
	if g.used == nil {
		g.used = map[data.ID]bool{}
	}
	salts := make([]uint32, n)
	left := make([]int, n)
	for i := range left {
		left[i] = i
	}
	for step := uint32(1); len(left) > 0; step = min(2*step, maxStep) {
		ids := make([]data.ID, len(left))
		for k, i := range left {
			for ids[k] = candidate(i, salts[i]); g.used[ids[k]]; ids[k] = candidate(i, salts[i]) {
				salts[i]++
			}
			g.used[ids[k]] = true
		}
		there, err := idSet(ctx, db, taken, ids)
		if err != nil {
			return err
		}
		var again []int
		for k, i := range left {
			if there[ids[k]] {
				salts[i] += step // if many have the same time, not each of them costs a query
				again = append(again, i)
				continue
			}
			set(i, ids[k])
		}
		left = again
	}
	return nil
}

// idSet runs a query over ids and returns those that it finds.
func idSet(ctx context.Context, db *sql.DB, query string, ids []data.ID) (map[data.ID]bool, error) {
	rows, err := db.QueryContext(ctx, query, data.JSONIDs(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[data.ID]bool{}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		found[data.ID(id)] = true
	}
	return found, rows.Err()
}
