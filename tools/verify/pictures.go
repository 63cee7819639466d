package verify

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"plaza/data/wire/hrana"
	"plaza/protocol/unfurl"
	"plaza/tools/bucket"
)

// Grace is how long an object may be in the bucket without a row in the directory.
const Grace = 24 * time.Hour

// The small version of a picture has smallSide pixels at most (worker/edge/shim/form.mjs).
const smallSide = 320

const (
	pictureColumns = `SELECT p.sum, p.type, p.width, p.height, p.bytes, p.small, p.state, p.check_at FROM pictures p `
	picturePage    = pictureColumns + `WHERE p.sum > :after ORDER BY p.sum LIMIT :limit`
	pictureOf      = pictureColumns + `WHERE p.sum = :sum`
	// For each picture 1 if the database uses it, plus 2 if its use has ended and the directory does not know that yet.
	usesOf = `SELECT j.value, EXISTS (SELECT 1 FROM picture_uses u WHERE u.sum = j.value) + 2 * EXISTS (SELECT 1 FROM picture_losses l
  WHERE l.sum = j.value) FROM json_each(:sums) j`
	usedSums   = `SELECT DISTINCT u.sum FROM picture_uses u WHERE u.sum > :after ORDER BY u.sum LIMIT :limit`
	havingRows = `SELECT p.sum FROM json_each(:sums) j CROSS JOIN pictures p ON p.sum = j.value`
	bringRow   = `INSERT INTO pictures (sum, type, width, height, bytes, small, colour, hash, user_id, created_at, state, check_at)
VALUES (:sum, :type, :width, :height, :bytes, :small, '', NULL, NULL, :at, 'stored', ` + databaseNow + `) ON CONFLICT (sum) DO NOTHING`
	repairFacts   = `UPDATE pictures SET type = :type, width = :width, height = :height, bytes = :bytes WHERE sum = :sum`
	repairSmall   = `UPDATE pictures SET small = 0 WHERE sum = :sum`
	repairCheckAt = `UPDATE pictures SET check_at = ` + databaseNow + ` + 86400000 WHERE sum = :sum AND check_at IS NULL
  AND state <> 'deleting'`
	// While there is such a row, the picture can't get a new use. The row is deleted once the bucket does not have the picture any more.
	beginDrop = `INSERT INTO pictures (sum, type, width, height, bytes, small, colour, hash, user_id, created_at, state, check_at)
VALUES (:sum, '', 0, 0, 0, 0, '', NULL, NULL, ` + databaseNow + `, 'deleting', ` + databaseNow + `) ON CONFLICT (sum) DO NOTHING`
	endDrop    = `DELETE FROM pictures WHERE sum = :sum AND state = 'deleting'`
	forgetSum  = `DELETE FROM pictures WHERE sum = :sum AND state = 'stored'`
	pictureSum = `SELECT count(*), coalesce(sum(p.bytes), 0), (SELECT t.pictures FROM picture_totals t WHERE t.user_id = 0),
  (SELECT t.bytes FROM picture_totals t WHERE t.user_id = 0) FROM pictures p`
	repairPictureSum = `INSERT INTO picture_totals (user_id, pictures, bytes) SELECT 0, count(*), coalesce(sum(p.bytes), 0)
FROM pictures p WHERE true
ON CONFLICT (user_id) DO UPDATE SET pictures = excluded.pictures, bytes = excluded.bytes`
)

// pictureTotals are the numbers and bytes of each member's pictures. A page goes from one member to the next in the index.
var pictureTotals = check{
	table: "picture_totals", key: "user_id", upsert: true, size: 500,
	pages: `WITH RECURSIVE t (id) AS (SELECT min(coalesce((SELECT min(p.user_id) FROM pictures p WHERE p.user_id > :after
      AND p.user_id IS NOT NULL), 1 << 62), coalesce((SELECT min(o.user_id) FROM picture_totals o WHERE o.user_id > :after), 1 << 62))
    UNION ALL SELECT min(coalesce((SELECT min(p.user_id) FROM pictures p WHERE p.user_id > t.id AND p.user_id IS NOT NULL), 1 << 62),
      coalesce((SELECT min(o.user_id) FROM picture_totals o WHERE o.user_id > t.id), 1 << 62)) FROM t WHERE t.id < 1 << 62 LIMIT :limit)
  SELECT t.id FROM t WHERE t.id < 1 << 62`,
	with: `computed AS (SELECT page.id, count(p.sum) AS pictures, coalesce(sum(p.bytes), 0) AS bytes
  FROM page LEFT JOIN pictures p ON p.user_id = page.id AND p.user_id IS NOT NULL GROUP BY page.id)`,
	columns: columnsOf("pictures", "bytes"),
}

// stored is a picture as the tables have it.
type stored struct {
	sum, kind     string
	width, height int64
	bytes         int64
	small         bool
	state         string
	unlooked      bool // check_at is NULL, so no job will check it
	there         bool // the directory has a row
	used, lost    bool // in at least one database
}

func storedOf(row []any) *stored {
	return &stored{sum: strings.Clone(row[0].(string)), kind: strings.Clone(row[1].(string)), width: row[2].(int64), height: row[3].(int64),
		bytes: row[4].(int64), small: row[5] == int64(1), state: strings.Clone(row[6].(string)), unlooked: row[7] == nil, there: true}
}

// picturePageSize is how many pictures a page has. The bucket lists as many at once, and a statement reads them quickly.
const picturePageSize = 500

// pictures compares the tables of pictures with each other and with the bucket. It checks each difference again after a while, because
// the site writes meanwhile, and a row and its object are not written at the same moment.
func (v *verifier) pictures(ctx context.Context) error {
	suspects, err := v.suspects(ctx)
	if err != nil {
		return err
	}
	if len(suspects) > 0 {
		if err := v.Wait(ctx); err != nil {
			return err
		}
	}
	for _, sum := range suspects {
		if err := v.picture(ctx, sum); err != nil {
			return fmt.Errorf("picture %s: %w", sum, err)
		}
	}
	return v.pictureSum(ctx)
}

// suspects returns the sums of pictures that may be wrong.
func (v *verifier) suspects(ctx context.Context) (sums []string, err error) {
	known := map[string]bool{}
	suspect := func(sum string) {
		if !known[sum] {
			known[sum] = true
			sums = append(sums, sum)
		}
	}
	objects := bucket.NewWalk(v.Bucket)
	for after := ""; ; {
		page, err := rowsOf(ctx, v.Directory, picturePage, named("after", after), named("limit", picturePageSize))
		if err != nil {
			return nil, err
		}
		list := make([]*stored, len(page))
		for i, row := range page {
			list[i] = storedOf(row)
		}
		if err := v.findUses(ctx, list...); err != nil {
			return nil, err
		}
		v.pictureRows += len(list)
		for _, p := range list {
			after = p.sum
			var o bucket.Object
			for v.Bucket != nil {
				next, err := objects.Next(ctx)
				if err != nil {
					return nil, err
				}
				if next == nil || next.Sum > p.sum {
					break
				}
				if objects.Take(); next.Sum == p.sum {
					o = *next
					break
				}
				suspect(next.Sum)
			}
			wrong, err := v.compare(ctx, p, o)
			if err != nil {
				return nil, err
			}
			if len(wrong) > 0 {
				suspect(p.sum)
			}
		}
		v.read(v.all[0], "pictures", len(page))
		if len(page) < picturePageSize {
			break
		}
	}
	for v.Bucket != nil {
		next, err := objects.Next(ctx)
		if err != nil {
			return nil, err
		}
		if next == nil {
			break
		}
		objects.Take()
		suspect(next.Sum)
	}
	v.result.Pictures = objects.Taken
	return sums, v.usesWithoutRow(ctx, suspect)
}

// usesWithoutRow finds pictures that a database uses but that have no row in the directory.
func (v *verifier) usesWithoutRow(ctx context.Context, suspect func(string)) error {
	for _, db := range v.all {
		for after := ""; ; {
			page, err := rowsOf(ctx, db.Client, usedSums, named("after", after), named("limit", picturePageSize))
			if err != nil {
				return err
			}
			var sums []string
			for _, row := range page {
				sums = append(sums, strings.Clone(row[0].(string)))
			}
			rows, err := rowsOf(ctx, v.Directory, havingRows, named("sums", jsonOf(sums)))
			if err != nil {
				return err
			}
			having := map[string]bool{}
			for _, row := range rows {
				having[row[0].(string)] = true
			}
			for _, sum := range sums {
				if after = sum; !having[sum] {
					suspect(sum)
				}
			}
			if len(page) < picturePageSize {
				break
			}
		}
	}
	return nil
}

// findUses reads from all databases whether these pictures are in use.
func (v *verifier) findUses(ctx context.Context, list ...*stored) error {
	bySum, sums := map[string]*stored{}, []string{}
	for _, p := range list {
		bySum[p.sum], sums = p, append(sums, p.sum)
	}
	for _, db := range v.all {
		rows, err := rowsOf(ctx, db.Client, usesOf, named("sums", jsonOf(sums)))
		if err != nil {
			return fmt.Errorf("%s: %w", db.name, err)
		}
		for _, row := range rows {
			p, how := bySum[row[0].(string)], row[1].(int64)
			p.used, p.lost = p.used || how&1 != 0, p.lost || how&2 != 0
		}
	}
	return nil
}

// wrong is one difference of a picture. repair repairs it; it returns why it can't, or "".
type wrong struct {
	table, column    string
	stored, computed string
	repair           func(context.Context) (skipped string, err error)
}

// picture compares one picture again. It reports the differences that remain, and repairs them.
func (v *verifier) picture(ctx context.Context, sum string) error {
	p, o := &stored{sum: sum}, bucket.Object{}
	rows, err := rowsOf(ctx, v.Directory, pictureOf, named("sum", sum))
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		p = storedOf(rows[0])
	}
	if err := v.findUses(ctx, p); err != nil {
		return err
	}
	if v.Bucket != nil {
		if o, err = v.Bucket.Find(ctx, sum); err != nil {
			return err
		}
	}
	found, err := v.compare(ctx, p, o)
	if err != nil {
		return err
	}
	for _, w := range found {
		d := Difference{Database: "directory", Table: w.table, Key: sum, Column: w.column, Stored: w.stored, Computed: w.computed}
		if w.table == inBucket {
			d.Database = "bucket"
		}
		if v.Repair {
			if d.NotRepaired, err = w.repair(ctx); err != nil {
				return err
			}
			d.Repaired = d.NotRepaired == ""
		}
		v.report(d)
	}
	return nil
}

// inBucket is the table name in reports for objects of the bucket.
const inBucket = "objects"

// compare compares a picture's row with the bucket, and with the uses of the picture.
func (v *verifier) compare(ctx context.Context, p *stored, o bucket.Object) (found []wrong, err error) {
	if !p.there {
		return v.compareWithoutRow(ctx, p, o), nil
	}
	if p.state != "deleting" && p.unlooked && !p.used && !p.lost {
		found = append(found, wrong{"pictures", "check_at", "nothing", "a time, as nothing uses it", v.by(repairCheckAt, named("sum", p.sum))})
	}
	if v.Bucket == nil || p.state != "stored" {
		return found, nil
	}
	if o.Bytes == 0 {
		return append(found, wrong{inBucket, "picture", "missing", "there", v.putBack(p)}), nil
	}
	if v.PictureBytes || o.Bytes != p.bytes || o.Type != p.kind {
		more, whole, err := v.compareBytes(ctx, p, o)
		if found = append(found, more...); err != nil || !whole {
			return found, err
		}
	}
	more, err := v.compareSmall(ctx, p, o)
	return append(found, more...), err
}

// compareWithoutRow compares a picture without a row: it is in use, or the bucket has it although it is unused.
func (v *verifier) compareWithoutRow(ctx context.Context, p *stored, o bucket.Object) []wrong {
	switch {
	case p.used && v.Bucket == nil:
		return []wrong{{"pictures", "row", "missing", "there, as something uses it", func(context.Context) (string, error) {
			return "without the bucket nothing tells what it is", nil
		}}}
	case p.used:
		return []wrong{{"pictures", "row", "missing", "there, as something uses it", v.bringRow(p, o)}}
	case o.Bytes > 0 && time.Since(o.Kept) > Grace:
		return []wrong{{inBucket, "picture", "there", "gone, as it has no row", v.dropObject(p)}}
	case o.Bytes == 0 && o.Small > 0 && time.Since(o.SmallKept) > Grace:
		return []wrong{{inBucket, "small version", "there", "gone, as it has no picture", v.dropObject(p)}}
	}
	return nil
}

// compareBytes reads a picture from the bucket. whole reports whether its bytes have the right sum.
func (v *verifier) compareBytes(ctx context.Context, p *stored, o bucket.Object) (found []wrong, whole bool, err error) {
	read, kind, err := v.Bucket.Read(ctx, p.sum, false)
	if errors.Is(err, bucket.ErrMissing) {
		return []wrong{{inBucket, "picture", "missing", "there", v.putBack(p)}}, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if sum := bucket.SumOf(read); sum != p.sum {
		return []wrong{{inBucket, "bytes", "others, of the sum " + sum, "those of its sum", v.putBack(p)}}, false, nil
	}
	if is := unfurl.ImageType(read); is != kind {
		found = append(found, wrong{inBucket, "type", text(kind), text(is), v.putAgain(p, read)})
	}
	width, height, is := p.width, p.height, unfurl.ImageType(read)
	if w, h := unfurl.ImageSize(read); w > 0 && !sameSize(int64(w), int64(h), width, height) {
		width, height = int64(w), int64(h)
	}
	repair := v.by(repairFacts, named("sum", p.sum), named("type", is), named("width", width), named("height", height), named("bytes",
		len(read)))
	for _, c := range []struct {
		column           string
		stored, computed any
	}{{"type", p.kind, is}, {"bytes", p.bytes, int64(len(read))}, {"width", p.width, width}, {"height", p.height, height}} {
		if c.stored != c.computed {
			found = append(found, wrong{"pictures", c.column, text(c.stored), text(c.computed), repair})
		}
	}
	return found, true, nil
}

// sameSize reports whether two sizes are equal, or are equal when one is turned by 90 degrees: a file may be stored on its side.
func sameSize(w, h, width, height int64) bool {
	return w == width && h == height || w == height && h == width
}

// compareSmall compares the small version of a picture with its row and, with PictureBytes, checks its bytes.
func (v *verifier) compareSmall(ctx context.Context, p *stored, o bucket.Object) ([]wrong, error) {
	switch {
	case p.small && o.Small == 0:
		return []wrong{{inBucket, "small version", "missing", "there", v.putSmallBack(p)}}, nil
	case !p.small && o.Small > 0 && time.Since(o.SmallKept) > Grace:
		return []wrong{{inBucket, "small version", "there", "gone, as its row has none", func(ctx context.Context) (string, error) {
			return "", v.Bucket.DeleteSmall(ctx, p.sum)
		}}}, nil
	case !p.small || !v.PictureBytes:
		return nil, nil
	}
	read, kind, err := v.Bucket.Read(ctx, p.sum, true)
	if err != nil && !errors.Is(err, bucket.ErrMissing) {
		return nil, err
	}
	if w, h := unfurl.ImageSize(read); err == nil && w > 0 && max(w, h) <= smallSide && unfurl.ImageType(read) == kind {
		return nil, nil
	}
	return []wrong{{inBucket, "small version", "none that can be shown", "there", v.putSmallBack(p)}}, nil
}

// by returns a repair of one statement.
func (v *verifier) pictureSum(ctx context.Context) error {
	rows, err := rowsOf(ctx, v.Directory, pictureSum)
	if err != nil {
		return err
	}
	var found []Difference
	for i, column := range []string{"pictures", "bytes"} {
		computed, is := rows[0][i], rows[0][i+2]
		if is == nil {
			is = int64(0)
		}
		if !equal(is, computed) {
			found = append(found, Difference{Database: "directory", Table: "picture_totals", Key: "0", Column: column, Stored: text(is),
				Computed: text(computed), Repaired: v.Repair})
		}
	}
	if len(found) > 0 && v.Repair {
		if _, err := v.write(ctx, v.Directory, repairPictureSum); err != nil {
			return err
		}
	}
	v.report(found...)
	return v.check(ctx, v.all[0], pictureTotals, nil)
}

// by returns a repair that is one statement.
func (v *verifier) by(statement string, args ...hrana.Named) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		_, err := v.write(ctx, v.Directory, statement, args...)
		return "", err
	}
}
