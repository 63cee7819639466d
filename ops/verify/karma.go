package verify

import (
	"context"
	"maps"
	"slices"

	"plaza/data"
)

// authored are the columns that pages of posts and comments select beside the counters: the copies of the author's name and avatar, whether
// there must be no avatar, and earned and uncounted of votesOf.
const authored = `, x.author_id, x.author_name, x.author_avatar, ` + withoutAvatar + `, t.earned, t.uncounted`

// compareAuthored adds up what authors earned with a page of posts or comments, and compares copies, uncounted votes and crossposts.
func (v *verifier) compareAuthored(ctx context.Context, db *database, table string, rows [][]any) error {
	var names, avatars []memberCopy
	var uncounted []int64
	for _, row := range rows {
		id := idOf(row)
		if author, ok := row[1].(int64); ok {
			names = append(names, memberCopy{row: id, member: author, text: str(row[2])})
			avatars = append(avatars, memberCopy{row: id, member: author, text: str(row[3]), none: row[4] == int64(1)})
			if earned := row[5].(int64); table == "posts" {
				v.earn(author, earned, 0)
			} else {
				v.earn(author, 0, earned)
			}
		}
		if row[6].(int64) > 0 {
			uncounted = append(uncounted, id)
		}
	}
	if err := v.uncountedVotes(ctx, db, uncounted); err != nil {
		return err
	}
	if err := v.nameCopies(ctx, db, authorOf(table), names); err != nil {
		return err
	}
	if err := v.nameCopies(ctx, db, avatarOf(table), avatars); err != nil || table != "posts" {
		return err
	}
	return v.crossposts(ctx, db, rows)
}

const (
	// Whether vote v has its case: an open one if it is quarantined (index quarantines_open), a dropped one if it is dropped (index
	// quarantines_decided).
	hasCase = `iif(v.status = ` + data.VoteQuarantinedSQL + `, EXISTS (` + casesOfVote + `q.target_id = v.target_id AND q.status = 'open'),
  EXISTS (` + casesOfVote + `q.community_id = (
      SELECT p.community_id FROM posts p WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = v.target_id), v.target_id))
    AND q.status <> 'open' AND q.status = 'dropped' AND q.target_id = v.target_id))`
	casesOfVote = `
  SELECT 1 FROM quarantines q CROSS JOIN quarantined_votes m ON m.quarantine_id = q.id AND m.user_id = v.user_id WHERE `
	// The uncounted votes on targets that have no case. Primary key of votes.
	votesWithoutCase = `SELECT v.target_id, v.user_id, v.status FROM json_each(:ids) j CROSS JOIN votes v ON v.target_id = j.value
WHERE NOT ` + isCounted + ` AND NOT ` + hasCase
	countVote = `UPDATE votes AS v SET status = ` + data.VoteCountedSQL + `
WHERE v.target_id = :target AND v.user_id = :user AND v.status = :status AND NOT ` + hasCase
)

// uncountedVotes finds votes on these targets that are quarantined or dropped without such a case. A repair counts them.
func (v *verifier) uncountedVotes(ctx context.Context, db *database, targets []int64) error {
	if len(targets) == 0 {
		return nil
	}
	rows, err := db.rows(ctx, votesWithoutCase, named("ids", jsonOf(targets)))
	if err != nil {
		return err
	}
	return v.reportOrRepair(ctx, mapSlice(rows, func(row []any) finding {
		return db.finding("votes", join(row[:2]), "status", text(row[2]), data.VoteCountedSQL+", as it is in no case",
			v.by(db, countVote, named("target", row[0]), named("user", row[1]), named("status", row[2])))
	})...)
}

// A tally is a table of numbers that are computed from more rows than a page can have. A concurrent write changes the stored and the
// computed number by the same amount, so their difference stays the same, and a repair can add it at any time.
type tally struct {
	table   string
	keys    keys // arguments of repair
	columns []column
	// find selects rows that differ in at least one column: the keys, and the stored and the computed value of each column.
	find string
	// repair adds the differences, such as :posts, to the columns. Texts are computed values, not differences.
	repair string
}

// tallies are compared for each community (:community), and for the site. find selects at most :limit rows.
var tallies = []tally{
	// Shown posts and comments of each member in a community, without comments in count_deltas: posts by the unique index on (community_id,
	// slug), comments by comments_path, count_deltas by their index on posts, reputations by primary key.
	{table: "reputations", keys: keysOf("community", "user"), columns: columnsOf("posts", "comments"),
		find: `SELECT :community, w.id, sum(w.posts_stored), sum(w.posts), sum(w.comments_stored), sum(w.comments) FROM (
  SELECT s.user_id AS id, s.posts AS posts_stored, 0 AS posts, s.comments AS comments_stored, 0 AS comments FROM reputations s
    WHERE s.community_id = :community
  UNION ALL SELECT p.author_id, 0, p.status IN ('published', 'archived'), 0, 0 FROM posts p
    WHERE p.community_id = :community AND p.author_id IS NOT NULL
  UNION ALL SELECT c.author_id, 0, 0, 0, c.status = 'published' AND c.held = 0 FROM posts p CROSS JOIN comments c ON c.post_id = p.id
    WHERE p.community_id = :community AND c.author_id IS NOT NULL
  UNION ALL SELECT c.author_id, 0, 0, 0, -1 FROM posts p CROSS JOIN count_deltas d ON d.post_id = p.id
    CROSS JOIN comments c ON c.post_id = d.post_id AND c.path = d.path WHERE p.community_id = :community AND c.author_id IS NOT NULL) w
GROUP BY w.id HAVING sum(w.posts_stored) <> sum(w.posts) OR sum(w.comments_stored) <> sum(w.comments) LIMIT :limit`,
		repair: `INSERT INTO reputations (community_id, user_id, posts, comments) VALUES (:community, :user, :posts, :comments)
ON CONFLICT (community_id, user_id) DO UPDATE SET posts = posts + excluded.posts, comments = comments + excluded.comments`},
	// Decisions of moderators in each month. Index moderation_log_community, primary key.
	{table: "moderation_counts", keys: keysOf("community", "month", "actor", "action"), columns: columnsOf("entries", "undone"),
		find: `SELECT :community, w.month, w.actor, w.action, sum(w.entries_stored), sum(w.entries), sum(w.undone_stored), sum(w.undone) FROM (
  SELECT c.month AS month, c.actor_id AS actor, c.action AS action, c.entries AS entries_stored, 0 AS entries, c.undone AS undone_stored, 0
  AS undone
    FROM moderation_counts c WHERE c.community_id = :community
  UNION ALL SELECT CAST(strftime('%Y%m', (l.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER), l.actor_id, l.action, 0, 1, 0,
    l.undone_by IS NOT NULL FROM moderation_log l WHERE l.community_id = :community) w
GROUP BY 2, 3, 4 HAVING sum(w.entries_stored) <> sum(w.entries) OR sum(w.undone_stored) <> sum(w.undone) LIMIT :limit`,
		repair: `INSERT INTO moderation_counts (community_id, month, actor_id, action, entries, undone)
  VALUES (:community, :month, :actor, :action, :entries, :undone)
ON CONFLICT (community_id, month, actor_id, action) DO UPDATE SET entries = entries + excluded.entries, undone = undone + excluded.undone`},
}

// siteAndCommunities selects 0 and "" for the site, then the ids and names of communities.
const siteAndCommunities = `SELECT 0, '' WHERE :id < 0 UNION ALL SELECT k.id, k.name FROM communities k WHERE k.id > :id
ORDER BY 1 LIMIT :limit`

// compareTally compares a tally of the site and of all communities.
func (v *verifier) compareTally(ctx context.Context, db *database, t tally) error {
	all := pageQuery{table: t.table, query: siteAndCommunities, keys: keysOf("id")}
	return v.pages(ctx, db, all, func(rows [][]any) error {
		return forEach(rows, func(community []any) error {
			for {
				rows, err := db.rows(ctx, t.find, named("community", community[0]), named("limit", pageSize))
				if err == nil {
					err = v.reportOrRepair(ctx, v.tallyFindings(db, t, rows)...)
				}
				if err != nil || !v.Repair || len(rows) < pageSize {
					return err
				}
			}
		})
	})
}

// tallyFindings returns findings for the rows of a tally that differ.
func (v *verifier) tallyFindings(db *database, t tally, rows [][]any) (found []finding) {
	for _, row := range rows {
		args, values := t.keys.of(row), row[len(t.keys):]
		for i, c := range t.columns {
			value := values[2*i+1]
			if computed, ok := value.(int64); ok {
				value = computed - values[2*i].(int64)
			}
			args = append(args, named(c.name, value))
		}
		found = append(found, db.findings(t.table, row[:len(t.keys)], t.columns, values, v.by(db, t.repair, args...))...)
	}
	return found
}

// karmaTally is what authors earned. No index has posts and comments by author's id: it reads all of them, and votes by primary key.
// :groups are groups of authors (karmaGroups). name_key is for new rows; nameCopies compares the name_key of stored ones.
var karmaTally = tally{table: "author_karma", keys: keysOf("author"), columns: columnsOf("posts", "comments", "name_key"),
	find: `WITH written AS MATERIALIZED (SELECT p.id, p.author_id, p.author_name, 0 AS comment FROM posts p WHERE p.author_id` + inGroups + `
  UNION ALL SELECT c.id, c.author_id, c.author_name, 1 FROM comments c WHERE c.author_id` + inGroups + `),
earned AS (SELECT s.author_id, s.author_name, s.comment, v.value FROM written s CROSS JOIN votes v ON v.target_id = s.id
    WHERE ` + isCounted + ` AND v.user_id <> s.author_id
  UNION ALL SELECT s.author_id, s.author_name, s.comment, d.downs - d.ups FROM written s CROSS JOIN vote_deltas d ON d.target_id = s.id
    WHERE d.user_id <> s.author_id AND EXISTS (SELECT 1 FROM votes v WHERE v.target_id = d.target_id AND v.user_id = d.user_id))
SELECT w.id, sum(w.posts_stored), sum(w.posts), sum(w.comments_stored), sum(w.comments), min(w.name), min(w.name) FROM (
  SELECT k.author_id AS id, k.posts AS posts_stored, 0 AS posts, k.comments AS comments_stored, 0 AS comments, k.name_key AS name
    FROM author_karma k WHERE k.author_id` + inGroups + `
  UNION ALL SELECT e.author_id, 0, e.value * (1 - e.comment), 0, e.value * e.comment,
    iif(e.author_name = '', '~' || e.author_id, lower(e.author_name)) FROM earned e) w
GROUP BY w.id HAVING sum(w.posts_stored) <> sum(w.posts) OR sum(w.comments_stored) <> sum(w.comments)`,
	repair: `INSERT INTO author_karma (author_id, name_key, posts, comments) VALUES (:author, :name_key, :posts, :comments)
ON CONFLICT (author_id) DO UPDATE SET posts = posts + excluded.posts, comments = comments + excluded.comments`,
}

const (
	inGroups     = ` % :modulus IN (SELECT value FROM json_each(:groups))`
	markRepaired = `INSERT INTO karma_changed (author_id) SELECT value FROM json_each(:ids) WHERE true ON CONFLICT DO NOTHING`
)

// karmaGroups is the number of groups of authors, by the remainder of their ids: sums for each author could need too much memory.
var karmaGroups int64 = 200_003

// earn adds what an author earned to the sums of the group. At the end, a sum is 0 if the stored karma of all its authors is correct: each
// difference is multiplied by the author's id (modulo 2^64), so that differences of several authors do not cancel out.
func (v *verifier) earn(author, posts, comments int64) {
	s := v.earned[author%karmaGroups]
	v.earned[author%karmaGroups] = [2]int64{s[0] + posts*author, s[1] + comments*author}
}

// karma compares the stored karma of authors with the sums from the pages of posts and comments. Votes that were applied between the pages
// make a sum differ, too, so groups with a difference are compared again in one statement.
func (v *verifier) karma(ctx context.Context, db *database) error {
	key := keysOf("author_id")
	stored := pageQuery{table: "author_karma", query: page("author_karma", key, "x.posts", "x.comments"), keys: key}
	err := v.pages(ctx, db, stored, func(rows [][]any) error {
		for _, row := range rows {
			v.earn(idOf(row), -row[1].(int64), -row[2].(int64))
		}
		return nil
	})
	if err != nil {
		return err
	}
	maps.DeleteFunc(v.earned, func(_ int64, s [2]int64) bool { return s == [2]int64{} })
	for groups := range slices.Chunk(slices.Sorted(maps.Keys(v.earned)), 500) { // each statement reads all posts and comments
		rows, err := db.rows(ctx, karmaTally.find, named("groups", jsonOf(groups)), named("modulus", karmaGroups))
		if err != nil {
			return err
		}
		found := v.tallyFindings(db, karmaTally, rows)
		// Marked first: if the command is killed after a repair, the mark makes the site update the copy in users.
		changed := mapSlice(found, func(f finding) string { return f.differences[0].Key })
		if v.Repair && len(changed) > 0 {
			if _, err := v.write(ctx, db, markRepaired, named("ids", jsonOf(changed))); err != nil {
				return err
			}
		}
		if err := v.reportOrRepair(ctx, found...); err != nil {
			return err
		}
	}
	return nil
}
