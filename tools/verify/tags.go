package verify

import (
	"context"
	"fmt"
	"strings"

	"plaza/data/content/tags"
)

const (
	// The tags of a post p as an array, with "" before them, and its combinations: each is a.value, b.value and c.value, where "" is none. It
	// is what the triggers of post_tags do.
	tagsOfPost = `json_each('["","' || replace(p.tags, ' ', '","') || '"]')`
	combined   = tagsOfPost + ` c CROSS JOIN ` + tagsOfPost + ` b ON b.key < c.key CROSS JOIN ` + tagsOfPost +
		` a ON (a.key < b.key OR a.key = 0 AND b.key = 0)`
	combinedAs = `trim(a.value || ' ' || b.value || ' ' || c.value)`
	isTagged   = `p.tags <> '' AND p.status = 'published'`
	// Of each post how many rows it must have in post_tags, and how many of those it has; and its tags. Primary keys, and the unique index on
	// the names. Rows that it must not have are strays.
	taggedPosts = `SELECT p.id,
  (SELECT count(*) FROM ` + combined + ` WHERE ` + isTagged + `),
  (SELECT count(*) FROM ` + combined + ` CROSS JOIN tag_keys k ON k.name = ` + combinedAs +
		` CROSS JOIN post_tags t ON t.key_id = k.id AND t.created_at = p.created_at AND t.post_id = p.id WHERE ` + isTagged + `), p.tags
FROM posts p WHERE p.id > :after ORDER BY p.id LIMIT :limit`
	postsToTag  = ` FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value CROSS JOIN ` + combined
	mendTagKeys = `INSERT INTO tag_keys (name) SELECT ` + combinedAs + postsToTag + ` WHERE ` + isTagged + ` ON CONFLICT DO NOTHING`
	mendTags    = `INSERT INTO post_tags (key_id, created_at, post_id) SELECT k.id, p.created_at, p.id` + postsToTag +
		` CROSS JOIN tag_keys k ON k.name = ` + combinedAs + `
WHERE ` + isTagged + ` ON CONFLICT DO NOTHING`

	// spellTags gives posts of :spelt their tags in the one spelling, unless their authors have changed them since. The triggers of posts
	// change the rest.
	spellTags = `UPDATE posts SET tags = j.value ->> 2 FROM json_each(:spelt) j WHERE posts.id = j.value ->> 0 AND posts.tags = j.value ->> 1`
	// followedTags selects which tags members follow. followSpelt and dropSpelt, in this order, put others of :spelt in their place. Primary
	// key.
	followedTags = `SELECT f.user_id, f.name FROM tag_follows f WHERE (f.user_id, f.name) > (:user, :name) ORDER BY f.user_id, f.name
  LIMIT :limit`
	followSpelt = `INSERT INTO tag_follows (user_id, name, created_at) SELECT f.user_id, j.value ->> 2, f.created_at FROM json_each(:spelt) j
CROSS JOIN tag_follows f ON f.user_id = j.value ->> 0 AND f.name = j.value ->> 1 WHERE true ON CONFLICT DO NOTHING`
	dropSpelt = `DELETE FROM tag_follows WHERE (user_id, name) IN (SELECT j.value ->> 0, j.value ->> 1 FROM json_each(:spelt) j)`
)

// spelt is a row whose tags are to be spelled in another way: the id, the tags as they are, and as they are to be.
type spelt [3]any

// speltAnew returns the row's change; false where the tags are spelled as they have to be.
func speltAnew(id int64, kept string) (spelt, bool) {
	again, err := tags.Parse(kept)
	return spelt{id, strings.Clone(kept), again}, err == nil && again != kept
}

// spell reports rows whose tags are spelled in another way than people type them now, and runs statements that mend them.
func (v *verifier) spell(ctx context.Context, db *database, table, column string, list []spelt, mend ...string) error {
	mended := false
	if v.Repair && len(list) > 0 {
		for _, sql := range mend {
			n, err := v.write(ctx, db.Client, sql, named("spelt", jsonOf(list)))
			if err != nil {
				return err
			}
			mended = n == int64(len(list)) // else some were changed meanwhile, and the next run looks at them
		}
	}
	for _, s := range list {
		v.report(Difference{Database: db.name, Table: table, Key: fmt.Sprint(s[0]), Column: column, Stored: fmt.Sprintf("%+q", s[1]),
			Computed: fmt.Sprintf("%+q", s[2]), Mended: mended})
	}
	return nil
}

// followed looks at the spelling of the tags that members follow.
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

// tagged compares the rows by which posts are listed for their tags with the posts, and looks at how the tags are spelled.
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
				Stored: fmt.Sprint(has), Computed: fmt.Sprint(must), Mended: v.Repair})
		}
		if err := v.spell(ctx, db, "posts", "tags", list, spellTags); err != nil {
			return err
		}
		for _, mend := range []string{mendTagKeys, mendTags} {
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

// tagCounters are how many posts have a tag, and its heat: primary key of post_tags. Combinations have neither. The
// steps by which tags are found follow from them.
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

// heatRounds is how much the heat of a tag may be off, because taking posts away rounds: ten days are no difference (a unit is two days).
const heatRounds = "5"
