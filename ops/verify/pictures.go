package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"plaza/data/wire/hrana"
	"plaza/ops/bucket"
	"plaza/protocol/unfurl"
)

// UnusedGrace is how long an object may be in the bucket without a row in the directory.
const UnusedGrace = 24 * time.Hour

// The small version of a picture has smallSide pixels at most (worker/edge/shim/form.mjs).
const smallSide = 320

const (
	pictureColumns = `SELECT p.sum, p.type, p.width, p.height, p.bytes, p.small, p.state, p.check_at FROM pictures p `
	picturePage    = pictureColumns + `WHERE p.sum > :after ORDER BY p.sum LIMIT :limit`
	pictureOf      = pictureColumns + `WHERE p.sum = :sum`
	// For each picture 1 if the database uses it, plus 2 if the directory still has to learn that it was used there.
	usesOf = `SELECT EXISTS (SELECT 1 FROM picture_uses u WHERE u.sum = j.value) + 2 * EXISTS (SELECT 1 FROM picture_losses l
  WHERE l.sum = j.value) FROM json_each(:sums) j ORDER BY j.key`
	usedSums      = `SELECT DISTINCT u.sum FROM picture_uses u WHERE u.sum > :after ORDER BY u.sum LIMIT :limit`
	withoutRows   = `SELECT j.value FROM json_each(:sums) j WHERE NOT EXISTS (SELECT 1 FROM pictures p WHERE p.sum = j.value)`
	insertPicture = `INSERT INTO pictures (sum, type, width, height, bytes, small, colour, hash, user_id, created_at, state, check_at)
VALUES (:sum, :type, :width, :height, :bytes, :small, '', NULL, NULL, :at, 'stored', ` + databaseNow + `) ON CONFLICT (sum) DO NOTHING`
	repairFacts   = `UPDATE pictures SET type = :type, width = :width, height = :height, bytes = :bytes WHERE sum = :sum`
	repairSmall   = `UPDATE pictures SET small = 0 WHERE sum = :sum`
	repairCheckAt = `UPDATE pictures SET check_at = ` + databaseNow + ` + 86400000 WHERE sum = :sum AND check_at IS NULL
  AND state <> 'deleting'`
	// While this row exists, nothing new can use the picture. endDrop deletes it after the bucket has deleted the picture.
	beginDrop = `INSERT INTO pictures (sum, type, width, height, bytes, small, colour, hash, user_id, created_at, state, check_at)
VALUES (:sum, '', 0, 0, 0, 0, '', NULL, NULL, ` + databaseNow + `, 'deleting', ` + databaseNow + `) ON CONFLICT (sum) DO NOTHING`
	endDrop       = `DELETE FROM pictures WHERE sum = :sum AND state = 'deleting'`
	deletePicture = `DELETE FROM pictures WHERE sum = :sum AND state = 'stored'`
)

// pictureTotals compares the number and bytes of each member's pictures, and of all pictures.
var pictureTotals = []check{
	{table: "picture_totals", keys: keysOf("user_id"), upsert: true, size: 500,
		pages: `SELECT user_id AS id FROM pictures WHERE user_id > :user_id UNION SELECT user_id FROM picture_totals
  WHERE user_id > :user_id ORDER BY 1 LIMIT :limit`, // a merge of two indexes: a subquery would read all rows after the page, too
		with: `computed AS (SELECT page.id, count(p.sum) AS pictures, coalesce(sum(p.bytes), 0) AS bytes
  FROM page LEFT JOIN pictures p ON p.user_id = page.id AND p.user_id IS NOT NULL GROUP BY page.id)`,
		columns: columnsOf("pictures", "bytes")},
	{table: "picture_totals", keys: keysOf("user_id"), upsert: true, size: 2, // one row
		pages:   `SELECT 0 AS id WHERE :user_id = 0 LIMIT :limit`,
		with:    `computed AS (SELECT 0 AS id, count(*) AS pictures, coalesce(sum(p.bytes), 0) AS bytes FROM pictures p)`,
		columns: columnsOf("pictures", "bytes")},
}

// picture is what the tables and the bucket have of one picture.
type picture struct {
	v             *verifier
	sum, kind     string
	width, height int64
	bytes         int64
	small         bool
	state         string
	unscheduled   bool // check_at is NULL, so no job will check it
	hasRow        bool // in the directory
	used, lost    bool // in at least one database (usesOf)
	object        bucket.Object
	found         []finding
}

// objects is what reports have as the table of objects in the bucket.
const objects = "objects"

func (v *verifier) pictureOf(row []any) *picture {
	return &picture{v: v, sum: strings.Clone(row[0].(string)), kind: strings.Clone(row[1].(string)), width: row[2].(int64),
		height: row[3].(int64), bytes: row[4].(int64), small: row[5] == int64(1), state: strings.Clone(row[6].(string)),
		unscheduled: row[7] == nil, hasRow: true}
}

// bySum are the keys of pictures, read in the order in which the bucket lists them.
var bySum = keys{named("after", "")}

const picturePageSize = 500 // of the tables of pictures

// pictures compares the tables of pictures with each other and with the bucket. It checks each difference again after Options.Wait, because
// the site does not write a row and its object at the same moment.
func (v *verifier) pictures(ctx context.Context) error {
	suspects, err := v.suspects(ctx)
	if err == nil && len(suspects) > 0 {
		err = v.Wait(ctx)
	}
	if err != nil {
		return err
	}
	for _, sum := range suspects {
		if err := v.picture(ctx, sum); err != nil {
			return fmt.Errorf("picture %s: %w", sum, err)
		}
	}
	return forEach(pictureTotals, func(c check) error { return v.check(ctx, v.all[0], c) })
}

// suspects returns the sums of pictures that may be wrong.
func (v *verifier) suspects(ctx context.Context) ([]string, error) {
	suspects := map[string]bool{}
	suspect := func(sum string) { suspects[sum] = true }
	walk := bucket.NewWalk(v.Bucket)
	walk.Skipped = suspect // objects without a row
	all := pageQuery{table: "pictures", query: picturePage, keys: bySum, size: picturePageSize}
	err := v.pages(ctx, v.all[0], all, func(rows [][]any) error {
		list := mapSlice(rows, v.pictureOf)
		if err := v.findUses(ctx, list...); err != nil {
			return err
		}
		v.pictureRows += len(list)
		return forEach(list, func(p *picture) (err error) {
			if p.object, err = walk.To(ctx, p.sum); err != nil {
				return err
			}
			if err = p.compare(ctx); len(p.found) > 0 {
				suspect(p.sum)
			}
			p.found = nil // their repairs keep the object's bytes in memory
			return err
		})
	})
	if err == nil {
		_, err = walk.To(ctx, bucket.AllSums)
	}
	if v.result.Pictures = walk.Count; err != nil {
		return nil, err
	}
	err = forEach(v.all, func(db *database) error { // pictures that a database uses without a row in the directory
		uses := pageQuery{table: "picture_uses", query: usedSums, keys: bySum, size: picturePageSize}
		return v.pages(ctx, db, uses, func(rows [][]any) error {
			sums := mapSlice(rows, func(row []any) any { return row[0] })
			lacking, err := v.all[0].rows(ctx, withoutRows, named("sums", jsonOf(sums)))
			for _, row := range lacking {
				suspect(strings.Clone(row[0].(string)))
			}
			return err
		})
	})
	return slices.Sorted(maps.Keys(suspects)), err
}

// findUses sets used and lost of these pictures from all databases.
func (v *verifier) findUses(ctx context.Context, list ...*picture) error {
	sums := mapSlice(list, func(p *picture) string { return p.sum })
	return forEach(v.all, func(db *database) error {
		rows, err := db.rows(ctx, usesOf, named("sums", jsonOf(sums)))
		for i, row := range rows {
			p, how := list[i], row[0].(int64)
			p.used, p.lost = p.used || how&1 != 0, p.lost || how&2 != 0
		}
		return err
	})
}

// picture compares one picture again. It reports the differences that remain, and repairs them.
func (v *verifier) picture(ctx context.Context, sum string) error {
	p := &picture{v: v, sum: sum}
	rows, err := v.all[0].rows(ctx, pictureOf, named("sum", sum))
	if len(rows) > 0 {
		p = v.pictureOf(rows[0])
	}
	if err == nil {
		err = v.findUses(ctx, p)
	}
	if err == nil && v.Bucket != nil {
		p.object, err = v.Bucket.Find(ctx, sum)
	}
	if err != nil {
		return err
	}
	if err := p.compare(ctx); err != nil {
		return err
	}
	return v.reportOrRepair(ctx, p.found...)
}

// wrong adds a finding, in the directory or in the bucket.
func (p *picture) wrong(table, column, stored, computed string, how repair) {
	db := p.v.all[0]
	if table == objects {
		db = &database{name: "bucket"}
	}
	p.found = append(p.found, db.finding(table, p.sum, column, stored, computed, how))
}

// by returns a repair by one statement with the argument :sum.
func (p *picture) by(statement string, args ...hrana.Named) repair {
	return p.v.by(p.v.all[0], statement, append(args, named("sum", p.sum))...)
}

// compare compares the row of a picture with its uses, and with its objects in the bucket.
func (p *picture) compare(ctx context.Context) error {
	o := p.object
	switch {
	case p.hasRow:
		if p.state != "deleting" && p.unscheduled && !p.used && !p.lost {
			p.wrong("pictures", "check_at", "nothing", "a time, as nothing uses it", p.by(repairCheckAt))
		}
	case p.used && p.v.Bucket == nil:
		p.wrong("pictures", "row", "missing", "there, as something uses it", unrepairable("without the bucket nothing tells what it is"))
	case p.used:
		p.wrong("pictures", "row", "missing", "there, as something uses it", p.insertRow)
	case o.Bytes > 0 && time.Since(o.Kept) > UnusedGrace:
		p.wrong(objects, "picture", "there", "gone, as it has no row", p.dropObject)
	case o.Bytes == 0 && o.Small > 0 && time.Since(o.SmallKept) > UnusedGrace:
		p.wrong(objects, "small version", "there", "gone, as it has no picture", p.dropObject)
	}
	if !p.hasRow || p.v.Bucket == nil || p.state != "stored" {
		return nil
	}
	if o.Bytes == 0 {
		p.wrong(objects, "picture", "missing", "there", p.restore)
		return nil
	}
	if p.v.PictureBytes || o.Bytes != p.bytes || o.Type != p.kind {
		if whole, err := p.compareBytes(ctx); err != nil || !whole {
			return err
		}
	}
	return p.compareSmall(ctx)
}

// compareBytes reads a picture from the bucket. whole reports whether its bytes have the right sum.
func (p *picture) compareBytes(ctx context.Context) (whole bool, err error) {
	read, kind, err := p.v.Bucket.Read(ctx, p.sum, false)
	if errors.Is(err, bucket.ErrMissing) {
		p.wrong(objects, "picture", "missing", "there", p.restore)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if sum := bucket.SumOf(read); sum != p.sum {
		p.wrong(objects, "bytes", "others, of the sum "+sum, "those of its sum", p.restore)
		return false, nil
	}
	is := unfurl.ImageType(read)
	if is != kind {
		p.wrong(objects, "type", text(kind), text(is), func(ctx context.Context) (string, error) { return p.replace(ctx, read) })
	}
	width, height, bytes := p.width, p.height, int64(len(read))
	w, h := unfurl.ImageSize(read)
	turned := int64(w) == height && int64(h) == width // a file may be stored rotated
	if w > 0 && !turned {
		width, height = int64(w), int64(h)
	}
	repair := p.by(repairFacts, named("type", is), named("width", width), named("height", height), named("bytes", bytes))
	p.found = append(p.found, p.v.all[0].findings("pictures", []any{p.sum}, columnsOf("type", "bytes", "width", "height"),
		[]any{p.kind, is, p.bytes, bytes, p.width, width, p.height, height}, repair)...)
	return true, nil
}

// compareSmall compares the small version of a picture with its row and, with PictureBytes, reads its bytes.
func (p *picture) compareSmall(ctx context.Context) error {
	switch {
	case p.small && p.object.Small == 0:
		p.wrong(objects, "small version", "missing", "there", p.restoreSmall)
	case !p.small && p.object.Small > 0 && time.Since(p.object.SmallKept) > UnusedGrace:
		p.wrong(objects, "small version", "there", "gone, as its row has none", func(ctx context.Context) (string, error) {
			return "", p.v.Bucket.DeleteSmall(ctx, p.sum)
		})
	case p.small && p.v.PictureBytes:
		read, kind, err := p.v.Bucket.Read(ctx, p.sum, true)
		if err != nil && !errors.Is(err, bucket.ErrMissing) {
			return err
		}
		if w, h := unfurl.ImageSize(read); err != nil || w == 0 || max(w, h) > smallSide || unfurl.ImageType(read) != kind {
			p.wrong(objects, "small version", "none that can be shown", "there", p.restoreSmall)
		}
	}
	return nil
}

// noCopy is the reason in the report if a picture is missing or damaged and no backup has it.
const noCopy = "no copy of it was given: --pictures-from names a backup"

// saved returns the copy of a picture in the backup; nil if there is none.
func (p *picture) saved(small bool) []byte {
	if p.v.Saved == nil {
		return nil
	}
	saved, err := p.v.Saved(p.sum, small)
	if err != nil || !small && bucket.SumOf(saved) != p.sum {
		return nil
	}
	return saved
}

// restore restores a picture from the backup. If there is no copy and nothing uses the picture, it deletes the row.
func (p *picture) restore(ctx context.Context) (string, error) {
	if saved := p.saved(false); saved != nil {
		return p.replace(ctx, saved)
	}
	if p.used {
		return noCopy, nil
	}
	if err := p.v.Bucket.Delete(ctx, p.sum); err != nil {
		return "", err
	}
	return p.by(deletePicture)(ctx)
}

// replace replaces the object of a picture, so that the bucket stores these bytes and their type, and keeps the small version. If the site
// refuses the bytes, skipped is its error. If it refuses the small version, the next run finds it missing.
func (p *picture) replace(ctx context.Context, picture []byte) (skipped string, err error) {
	small, _, err := p.v.Bucket.Read(ctx, p.sum, true)
	if err != nil && !errors.Is(err, bucket.ErrMissing) {
		return "", err
	}
	if small == nil && p.small {
		small = p.saved(true)
	}
	if err := p.v.Bucket.Delete(ctx, p.sum); err != nil { // Write would keep the old object
		return "", err
	}
	err = p.v.Bucket.Write(ctx, p.sum, false, picture)
	if errors.Is(err, bucket.ErrRefused) {
		return err.Error(), nil
	}
	if err == nil && small != nil {
		if err = p.v.Bucket.Write(ctx, p.sum, true, small); errors.Is(err, bucket.ErrRefused) {
			err = nil
		}
	}
	return "", err
}

// restoreSmall restores a small version from the backup. If there is no copy, it sets small to 0, and listings show the picture itself.
func (p *picture) restoreSmall(ctx context.Context) (string, error) {
	if err := p.v.Bucket.DeleteSmall(ctx, p.sum); err != nil {
		return "", err
	}
	if small := p.saved(true); small != nil {
		if err := p.v.Bucket.Write(ctx, p.sum, true, small); !errors.Is(err, bucket.ErrRefused) {
			return "", err
		}
	}
	return p.by(repairSmall)(ctx)
}

// dropObject deletes an object from the bucket that has no row.
func (p *picture) dropObject(ctx context.Context) (string, error) {
	if p.v.pictureRows == 0 {
		return "the directory knows no picture at all: is this its bucket?", nil
	}
	n, err := p.v.write(ctx, p.v.all[0], beginDrop, named("sum", p.sum))
	if err != nil || n == 0 {
		return "it is being uploaded", err
	}
	if err := p.v.Bucket.Delete(ctx, p.sum); err != nil {
		return "", err // the row's state is deleting, so the hourly job deletes the object later
	}
	return p.by(endDrop)(ctx)
}

// insertRow inserts the missing row of a picture that something uses, from its bytes. The hourly job then finds that it is used.
func (p *picture) insertRow(ctx context.Context) (string, error) {
	picture, _, err := p.v.Bucket.Read(ctx, p.sum, false)
	if err != nil && !errors.Is(err, bucket.ErrMissing) {
		return "", err
	}
	if err != nil || bucket.SumOf(picture) != p.sum {
		if picture = p.saved(false); picture == nil {
			return noCopy, nil
		}
		if skipped, err := p.replace(ctx, picture); err != nil || skipped != "" {
			return skipped, err
		}
	}
	width, height := unfurl.ImageSize(picture)
	return p.by(insertPicture, named("type", unfurl.ImageType(picture)), named("width", width), named("height", height),
		named("bytes", len(picture)), named("small", min(p.object.Small, 1)), named("at", max(p.object.Kept.UnixMilli(), 0)))(ctx)
}
