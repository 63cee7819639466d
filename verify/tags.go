package verify

import (
	"context"
	"fmt"
	"math"
)

const (
	// The tags of a post p as an array, with "" before them, and its combinations: each is a.value, b.value and c.value, where "" is none. It is
	// what the triggers of post_tags do.
	tagsOfPost = `json_each('["","' || replace(p.tags, ' ', '","') || '"]')`
	combined   = tagsOfPost + ` c CROSS JOIN ` + tagsOfPost + ` b ON b.key < c.key CROSS JOIN ` + tagsOfPost + ` a ON (a.key < b.key OR a.key = 0 AND b.key = 0)`
	combinedAs = `trim(a.value || ' ' || b.value || ' ' || c.value)`
	isTagged   = `p.tags <> '' AND p.status = 'published'`
	sortedTags = `(t.hot, t.score, t.controversy, t.comments, t.views, t.created_at, t.age) IS (p.hot, p.score, p.controversy, p.comments, p.views, p.created_at, p.age)`
	// Of each post how many rows it must have in post_tags, how many of those it has, with the right values, and how many it has in all. Primary
	// keys, and the unique index on the names.
	taggedPosts = `SELECT p.id,
  (SELECT count(*) FROM ` + combined + ` WHERE ` + isTagged + `),
  (SELECT count(*) FROM ` + combined + ` CROSS JOIN tag_keys k ON k.name = ` + combinedAs + ` CROSS JOIN post_tags t ON t.post_id = p.id AND t.key_id = k.id WHERE ` + isTagged + ` AND ` + sortedTags + `),
  (SELECT count(*) FROM post_tags t WHERE t.post_id = p.id)
FROM posts p WHERE p.id > :after ORDER BY p.id LIMIT :limit`
	postsToTag  = ` FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value CROSS JOIN ` + combined
	mendTagKeys = `INSERT INTO tag_keys (name) SELECT ` + combinedAs + postsToTag + ` WHERE ` + isTagged + ` ON CONFLICT DO NOTHING`
	dropTags    = `DELETE FROM post_tags WHERE post_id IN (SELECT value FROM json_each(:ids)) AND key_id NOT IN (
  SELECT k.id FROM posts p CROSS JOIN ` + combined + ` CROSS JOIN tag_keys k ON k.name = ` + combinedAs + ` WHERE p.id = post_tags.post_id AND ` + isTagged + `)`
	mendTags = `INSERT INTO post_tags (post_id, key_id, hot, score, controversy, comments, views, created_at, age)
SELECT p.id, k.id, p.hot, p.score, p.controversy, p.comments, p.views, p.created_at, p.age` + postsToTag + ` CROSS JOIN tag_keys k ON k.name = ` + combinedAs + `
WHERE ` + isTagged + ` ON CONFLICT (post_id, key_id) DO UPDATE SET hot = excluded.hot, score = excluded.score, controversy = excluded.controversy,
  comments = excluded.comments, views = excluded.views, created_at = excluded.created_at, age = excluded.age`
)

// tagged compares the rows by which posts are listed for their tags with the posts.
func (v *verifier) tagged(ctx context.Context, db *database) error {
	for after := int64(0); ; {
		rows, err := rowsOf(ctx, db.Client, taggedPosts, named("after", after), named("limit", derivedPage))
		if err != nil {
			return err
		}
		var wrong []int64
		var found []Difference
		for _, row := range rows {
			after = row[0].(int64)
			must, right, has := row[1].(int64), row[2].(int64), row[3].(int64)
			if must == right && must == has {
				continue
			}
			wrong = append(wrong, after)
			found = append(found, Difference{Database: db.name, Table: "post_tags", Key: fmt.Sprint(after), Column: "row",
				Stored: fmt.Sprintf("%d, of which %d are right", has, right), Computed: fmt.Sprint(must), Mended: v.Repair})
		}
		for _, mend := range []string{dropTags, mendTagKeys, mendTags} {
			if err := v.mend(ctx, db, mend, wrong); err != nil {
				return err
			}
		}
		v.report(found...)
		v.read(db, "post_tags", len(rows))
		if len(rows) < derivedPage {
			return nil
		}
	}
}

// tagCounters are how many posts have a tag, and its heat: index post_tags_new. Combinations have neither.
var tagCounters = check{
	table: "tag_keys", key: "id", size: 100,
	pages: `SELECT id FROM tag_keys WHERE id > :after ORDER BY id LIMIT :limit`,
	with: `computed AS (
  SELECT k.id, iif(instr(k.name, ' ') > 0, 0, (SELECT count(*) FROM post_tags t WHERE t.key_id = k.id)) AS posts,
    coalesce(iif(instr(k.name, ' ') > 0, NULL, (SELECT n.last / 172800000.0 + (
      SELECT ln(sum(exp((t.created_at - n.last) / 172800000.0))) FROM post_tags t WHERE t.key_id = k.id)
      FROM (SELECT max(t.created_at) AS last FROM post_tags t WHERE t.key_id = k.id) n)), k.heat) AS heat
  FROM page CROSS JOIN tag_keys k ON k.id = page.id)`,
	columns: []column{{name: "posts"}, {name: "heat", same: about}},
}

// about is for the heat of tags, whose taking away of posts rounds: ten days are no difference (a unit is two days).
func about(a, b any) bool {
	x, isX := number(a)
	y, isY := number(b)
	return isX && isY && math.Abs(x-y) < 5
}
