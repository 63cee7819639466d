package verify

import (
	"context"
	"fmt"
	"strings"

	"plaza/data/content/tags"
)

const (
	// The tags of a post p as an array, with "" before them, and its combinations: each is a.value, b.value and c.value, where "" is none.
	// It does the same as the triggers of post_tags.
	tagsOfPost = `json_each('["","' || replace(p.tags, ' ', '","') || '"]')`
	combined   = tagsOfPost + ` c CROSS JOIN ` + tagsOfPost + ` b ON b.key < c.key CROSS JOIN ` + tagsOfPost +
		` a ON (a.key < b.key OR a.key = 0 AND b.key = 0)`
	combinedAs = `trim(a.value || ' ' || b.value || ' ' || c.value)`
	isTagged   = `p.tags <> '' AND p.status = 'published'`
	// For each post how many rows it must have in post_tags, and how many of those it has; and its tags. Primary keys, and the unique index
	// on the names. Other rows are orphans (orphans.go).
	taggedPosts = `SELECT p.id,
  (SELECT count(*) FROM ` + combined + ` WHERE ` + isTagged + `),
  (SELECT count(*) FROM ` + combined + ` CROSS JOIN tag_keys k ON k.name = ` + combinedAs +
		` CROSS JOIN post_tags t ON t.key_id = k.id AND t.created_at = p.created_at AND t.post_id = p.id WHERE ` + isTagged + `), p.tags
FROM posts p WHERE p.id > :after ORDER BY p.id LIMIT :limit`
	postsToTag    = ` FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value CROSS JOIN ` + combined
	repairTagKeys = `INSERT INTO tag_keys (name) SELECT ` + combinedAs + postsToTag + ` WHERE ` + isTagged + ` ON CONFLICT DO NOTHING`
	repairTags    = `INSERT INTO post_tags (key_id, created_at, post_id) SELECT k.id, p.created_at, p.id` + postsToTag +
		` CROSS JOIN tag_keys k ON k.name = ` + combinedAs + `
WHERE ` + isTagged + ` ON CONFLICT DO NOTHING`

	// spellTags corrects the spelling of the tags of posts in :spelt, unless their authors have changed them since. The triggers of posts
	// change the rest.
	spellTags = `UPDATE posts SET tags = j.value ->> 2 FROM json_each(:spelt) j WHERE posts.id = j.value ->> 0 AND posts.tags = j.value ->> 1`
	// followedTags selects the tags that members follow. followSpelt and dropSpelt, in this order, replace them by others of :spelt. Primary
	// key.
	followedTags = `SELECT f.user_id, f.name FROM tag_follows f WHERE (f.user_id, f.name) > (:user, :name) ORDER BY f.user_id, f.name
  LIMIT :limit`
	followSpelt = `INSERT INTO tag_follows (user_id, name, created_at) SELECT f.user_id, j.value ->> 2, f.created_at FROM json_each(:spelt) j
CROSS JOIN tag_follows f ON f.user_id = j.value ->> 0 AND f.name = j.value ->> 1 WHERE true ON CONFLICT DO NOTHING`
	dropSpelt = `DELETE FROM tag_follows WHERE (user_id, name) IN (SELECT j.value ->> 0, j.value ->> 1 FROM json_each(:spelt) j)`
)

// spelt is a row with misspelled tags: the id, the stored tags, and the correct ones.
type spelt [3]any

// speltAnew returns the row's change; false if the spelling is correct.
func speltAnew(id int64, kept string) (spelt, bool) {
	again, err := tags.Parse(kept)
	return spelt{id, strings.Clone(kept), again}, err == nil && again != kept
}

// spell reports rows whose tags have another spelling than new ones would, and runs statements that repair them.
func (v *verifier) spell(ctx context.Context, db *database, table, column string, list []spelt, repair ...string) error {
	repaired := false
	if v.Repair && len(list) > 0 {
		for _, sql := range repair {
			n, err := v.write(ctx, db.Client, sql, named("spelt", jsonOf(list)))
			if err != nil {
				return err
			}
			repaired = n == int64(len(list)) // otherwise some were changed meanwhile, and the next run checks them
		}
	}
	for _, s := range list {
		v.report(Difference{Database: db.name, Table: table, Key: fmt.Sprint(s[0]), Column: column, Stored: fmt.Sprintf("%+q", s[1]),
			Computed: fmt.Sprintf("%+q", s[2]), Repaired: repaired})
	}
	return nil
}

// followed checks the spelling of the tags that members follow.
func (v *verifier) followed(ctx context.Context, db *database) error {
	user, name := int64(0), ""
	for {
		rows, err := rowsOf(ctx, db.Client, followedTags, named("user", user), named("name", name), named("limit", derivedPage))
		if err != nil {
			return err
		}
		var list []spelt
		for _, row := range rows {
			user, name = row[0].(int64), strings.Clone(row[1].(string))
			if s, differs := speltAnew(user, name); differs {
				list = append(list, s)
			}
		}
		if err := v.spell(ctx, db, "tag_follows", "name", list, followSpelt, dropSpelt); err != nil {
			return err
		}
		if len(rows) < derivedPage {
			return nil
		}
	}
}

// tagged compares the rows of post_tags with the posts, and checks the spelling of the tags.
func (v *verifier) tagged(ctx context.Context, db *database) error {
	for after := int64(0); ; {
		rows, err := rowsOf(ctx, db.Client, taggedPosts, named("after", after), named("limit", derivedPage))
		if err != nil {
			return err
		}
		var wrong []int64
		var found []Difference
		var list []spelt
		for _, row := range rows {
			after = row[0].(int64)
			must, has := row[1].(int64), row[2].(int64)
			if s, differs := speltAnew(after, row[3].(string)); differs {
				list = append(list, s)
			}
			if must == has {
				continue
			}
			wrong = append(wrong, after)
			found = append(found, Difference{Database: db.name, Table: "post_tags", Key: fmt.Sprint(after), Column: "row",
				Stored: fmt.Sprint(has), Computed: fmt.Sprint(must), Repaired: v.Repair})
		}
		if err := v.spell(ctx, db, "posts", "tags", list, spellTags); err != nil {
			return err
		}
		for _, repair := range []string{repairTagKeys, repairTags} {
			if err := v.repair(ctx, db, repair, wrong); err != nil {
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

// tagCounters are how many posts have a tag, and its heat: primary key of post_tags. Combinations have neither. The steps in the indexes
// of tags follow from them.
var tagCounters = check{
	table: "tag_keys", key: "id", size: 100,
	pages: `SELECT id FROM tag_keys WHERE id > :after ORDER BY id LIMIT :limit`,
	with: `counted AS MATERIALIZED (
  SELECT k.id, iif(instr(k.name, ' ') > 0, 0, (SELECT count(*) FROM post_tags t WHERE t.key_id = k.id)) AS posts,
    coalesce(iif(instr(k.name, ' ') > 0, NULL, (SELECT n.last / 172800000.0 + (
      SELECT ln(sum(exp((t.created_at - n.last) / 172800000.0))) FROM post_tags t WHERE t.key_id = k.id)
      FROM (SELECT max(t.created_at) AS last FROM post_tags t WHERE t.key_id = k.id) n)), k.heat) AS heat, k.heat AS stored
  FROM page CROSS JOIN tag_keys k ON k.id = page.id),
computed AS (SELECT id, posts, heat, iif(posts > 0, length(posts), 0) AS digits, CAST(floor(heat) AS INTEGER) AS heat_step
  FROM (SELECT id, posts, iif(abs(heat - stored) < ` + heatRounds + `, stored, heat) AS heat FROM counted))`,
	columns: columnsOf("posts", "heat", "digits", "heat_step"),
}

// heatRounds is how much the heat of a tag may be off, because subtraction rounds: ten days are no difference (a unit is two days).
const heatRounds = "5"
