package verify

import (
	"context"
	"fmt"
)

const (
	karmaPage = `SELECT k.author_id, k.posts, k.comments FROM author_karma k WHERE k.author_id > :after ORDER BY k.author_id LIMIT :limit`

	// The karma that authors earned, in one state of the database. No index has posts and comments by their author's id: it reads all of
	// them, and votes by primary key. :ids are authors.
	earnedBy = `WITH page AS MATERIALIZED (SELECT value AS id FROM json_each(:ids)),
written AS MATERIALIZED (SELECT p.id, p.author_id, p.author_name, 0 AS comment FROM posts p WHERE p.author_id IN (SELECT id FROM page)
  UNION ALL SELECT c.id, c.author_id, c.author_name, 1 FROM comments c WHERE c.author_id IN (SELECT id FROM page)),
earned AS MATERIALIZED (SELECT s.author_id, s.comment, sum(v.value) AS n FROM written s CROSS JOIN votes v ON v.target_id = s.id
    WHERE ` + isCounted + ` AND v.user_id <> s.author_id GROUP BY s.author_id, s.comment
  UNION ALL SELECT s.author_id, s.comment, sum(d.downs - d.ups) FROM written s CROSS JOIN vote_deltas d ON d.target_id = s.id
    WHERE d.user_id <> s.author_id AND EXISTS (SELECT 1 FROM votes v WHERE v.target_id = d.target_id AND v.user_id = d.user_id)
    GROUP BY s.author_id, s.comment)
SELECT page.id, k.posts, coalesce((SELECT sum(e.n) FROM earned e WHERE e.author_id = page.id AND e.comment = 0), 0),
  k.comments, coalesce((SELECT sum(e.n) FROM earned e WHERE e.author_id = page.id AND e.comment = 1), 0),
  k.name_key, (SELECT iif(s.author_name = '', '~' || s.author_id, lower(s.author_name)) FROM written s WHERE s.author_id = page.id LIMIT 1)
FROM page LEFT JOIN author_karma k ON k.author_id = page.id ORDER BY page.id`

	// A delta run changes the stored and the earned karma by the same number. So their difference is constant, and can be added at any time.
	repairKarma = `INSERT INTO author_karma (author_id, name_key, posts, comments) VALUES (:author, :name, :posts, :comments)
ON CONFLICT (author_id) DO UPDATE SET name_key = excluded.name_key, posts = posts + excluded.posts, comments = comments + excluded.comments`
	markRepaired = `INSERT INTO karma_changed (author_id) VALUES (:author) ON CONFLICT DO NOTHING`
)

// karmaStep is how many authors one read of all posts and comments checks exactly.
const karmaStep = 500

// karma compares the karma of authors with the sums over the pages of posts and comments. Votes that were applied in between cause false
// suspects; these are compared again in one statement.
func (v *verifier) karma(ctx context.Context, db *database, earned *totals) error {
	var suspects []int64
	suspect := func(author int64) error {
		if suspects = append(suspects, author); len(suspects) < karmaStep {
			return nil
		}
		err := v.karmaOf(ctx, db, suspects)
		suspects = suspects[:0]
		return err
	}
	stored := pager{db: db.Client, query: karmaPage, size: pageRows}
	row, err := stored.next(ctx)
	if err != nil {
		return err
	}
	catchUp := func(until int64, all bool) error { // authors who have karma and earned none
		for err == nil && row != nil && (all || row[0].(int64) < until) {
			if row[1] != int64(0) || row[2] != int64(0) {
				if err := suspect(row[0].(int64)); err != nil {
					return err
				}
			}
			row, err = stored.next(ctx)
		}
		return err
	}
	if err := earned.each(func(s sum) error {
		if err := catchUp(s.Key, false); err != nil {
			return err
		}
		if row != nil && row[0] == s.Key {
			same := row[1] == s.A && row[2] == s.B
			if row, err = stored.next(ctx); err != nil || same {
				return err
			}
			return suspect(s.Key)
		}
		if s.A == 0 && s.B == 0 {
			return nil
		}
		return suspect(s.Key)
	}); err != nil {
		return err
	}
	if err := catchUp(0, true); err != nil || len(suspects) == 0 {
		return err
	}
	return v.karmaOf(ctx, db, suspects)
}

func (v *verifier) karmaOf(ctx context.Context, db *database, authors []int64) error {
	rows, err := rowsOf(ctx, db.Client, earnedBy, named("ids", jsonOf(authors)))
	if err != nil {
		return err
	}
	for _, row := range rows {
		d := Difference{Database: db.name, Table: "author_karma", Key: fmt.Sprint(row[0]), Repaired: v.Repair}
		var found []Difference
		var missing [2]int64
		for i, column := range []string{"posts", "comments"} {
			stored, _ := row[1+2*i].(int64)
			computed := row[2+2*i].(int64)
			if missing[i] = computed - stored; missing[i] != 0 {
				d.Column, d.Stored, d.Computed = column, fmt.Sprint(stored), fmt.Sprint(computed)
				found = append(found, d)
			}
		}
		name := row[6]
		if name == nil { // they have nothing there
			name = row[5]
		}
		if row[5] != nil && row[5] != name {
			d.Column, d.Stored, d.Computed = "name_key", text(row[5]), text(name)
			found = append(found, d)
		}
		if len(found) > 0 && v.Repair {
			if _, err := v.write(ctx, db.Client, repairKarma, named("author", row[0]), named("name", name),
				named("posts", missing[0]), named("comments", missing[1])); err != nil {
				return err
			}
			if _, err := v.write(ctx, db.Client, markRepaired, named("author", row[0])); err != nil {
				return err
			}
		}
		v.report(found...)
	}
	return nil
}
