package importer

import (
	"context"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"plaza/data"
)

// Ids contain the time since data.Epoch, and lists by id, such as the oldest comments of a thread, must be in the order of time for older
// items as well. So in ids, the earlyInto after data.Epoch stand for the earlySpan before it, which has the whole history of web forums.
const (
	earlySpan = 32 * 365 * 24 * time.Hour
	earlyInto = 8 * 24 * time.Hour
)

// idsPerMilli is how many ids of a kind a millisecond has.
const idsPerMilli = 2048

// idTime returns the time in the id of an item that was made at t: t itself, unless ids can't contain it.
func idTime(t time.Time) time.Time {
	before := data.Epoch.Sub(t)
	if before <= 0 {
		return t
	}
	return data.Epoch.Add(earlyInto - time.Duration(float64(min(before, earlySpan))/float64(earlySpan)*float64(earlyInto)))
}

// idFor returns an id for a row. If source ends with an id of another Plaza, it keeps all of it but the slot, because addresses have it.
// salt is how many ids were taken already. Times in whole seconds are spread over the second, so that there are enough ids.
func idFor(source string, created time.Time, slot int, kind data.Kind, salt uint32) data.ID {
	if text := source[strings.LastIndexByte(source, ':')+1:]; salt == 0 && len(text) == data.IDTextLen { // the site may have a port
		id, err := data.ParseID(text)
		if err == nil && !id.Time().After(time.Now()) && (kind == data.KindOther || id.IsComment() == (kind == data.KindComment)) {
			return data.NewID(id.Time(), slot, kind, uint32(id))
		}
	}
	h := hash(source)
	t := idTime(created)
	if created.Nanosecond() == 0 && t.Equal(created) {
		t = t.Add(time.Duration(h>>12%1000) * time.Millisecond)
	}
	return data.NewID(t.Add(time.Duration(salt/idsPerMilli)*time.Millisecond), slot, kind, h+salt*2)
}

// importID returns an id for a row without a time of its own. It has the time of the import, and a millisecond more for each 4,096 salts,
// because a slot has no more ids in a millisecond.
func importID(now time.Time, slot int, source string, salt uint32) data.ID {
	return data.NewID(now.Add(time.Duration(salt>>12)*time.Millisecond), slot, data.KindOther, hash(source)+salt)
}

// Which of :ids are taken by rows. Primary keys.
const (
	takenPosts       = `SELECT p.id FROM json_each(:ids) j JOIN posts p ON p.id = j.value`
	takenComments    = `SELECT c.id FROM json_each(:ids) j JOIN comments c ON c.id = j.value`
	takenUsers       = `SELECT u.id FROM json_each(:ids) j JOIN users u ON u.id = j.value`
	takenFlairs      = `SELECT f.id FROM json_each(:ids) j JOIN flairs f ON f.id = j.value`
	takenPages       = `SELECT g.id FROM json_each(:ids) j JOIN wiki_pages g ON g.id = j.value`
	takenCommunities = `SELECT c.id FROM json_each(:ids) j JOIN communities c ON c.id = j.value`
)

// maxStep limits how many salts giveIDs skips at once.
const maxStep = 1 << 20

// giveIDs returns n different ids that no row has. The statement taken selects the ids that rows have. candidate returns an id for the i-th
// with a salt.
func giveIDs(ctx context.Context, db *data.DB, at data.Where, taken string, n int,
	candidate func(i int, salt uint32) data.ID) ([]data.ID, error) {
	ids, salts, used := make([]data.ID, n), make([]uint32, n), map[data.ID]bool{}
	left := make([]int, n)
	for i := range left {
		left[i] = i
	}
	for step := uint32(1); len(left) > 0; step = min(2*step, maxStep) {
		var candidates []data.ID
		for _, i := range left {
			for ids[i] = candidate(i, salts[i]); used[ids[i]]; ids[i] = candidate(i, salts[i]) {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				salts[i]++
			}
			used[ids[i]], candidates = true, append(candidates, ids[i])
		}
		inUse := map[data.ID]bool{}
		if err := find(ctx, db, at, taken, data.Args{"ids": candidates}, func(row *data.Row) { inUse[row.ID()] = true }); err != nil {
			return nil, err
		}
		left = slices.DeleteFunc(left, func(i int) bool { return !inUse[ids[i]] })
		for _, i := range left {
			salts[i] += step // growing steps, so that many rows of one moment need few queries
		}
	}
	return ids, nil
}

func hash(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // it never fails
	return h.Sum32()
}
