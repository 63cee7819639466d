package verify

import (
	"fmt"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/ranking"
)

// isCounted is a condition: vote v is in the counters, so neither quarantined nor dropped.
const isCounted = `v.status = ` + data.VoteCountedSQL

// votesOf returns tables with the sums of votes on each row x of a page of posts or comments: vote_sums of all votes, delta_sums of deltas.
// Primary keys of votes and vote_deltas. earned is the author's karma from votes of others, uncounted how many votes are quarantined or
// dropped.
func votesOf(table string) string {
	return `vote_sums AS MATERIALIZED (
  SELECT x.id, sum(v.value = 1 AND ` + isCounted + `) AS ups, sum(v.value = -1 AND ` + isCounted + `) AS downs,
    sum(iif(` + isCounted + ` AND v.user_id <> x.author_id, v.value, 0)) AS earned, sum(NOT ` + isCounted + `) AS uncounted
  FROM page CROSS JOIN ` + table + ` x ON x.id = page.id CROSS JOIN votes v ON v.target_id = x.id GROUP BY x.id),
delta_sums AS MATERIALIZED (
  SELECT x.id, sum(d.ups) AS ups, sum(d.downs) AS downs, sum(iif(d.user_id <> x.author_id, d.ups - d.downs, 0)) AS earned
  FROM page CROSS JOIN ` + table + ` x ON x.id = page.id CROSS JOIN vote_deltas d ON d.target_id = x.id
  WHERE EXISTS (SELECT 1 FROM votes v WHERE v.target_id = d.target_id AND v.user_id = d.user_id) GROUP BY x.id)`
}

// The votes on row x that are applied already: vote_sums s less delta_sums w.
const (
	countedUps   = `x.base_ups + coalesce(s.ups, 0) - coalesce(w.ups, 0)`
	countedDowns = `x.base_downs + coalesce(s.downs, 0) - coalesce(w.downs, 0)`
	countedMore  = `coalesce(s.earned, 0) - coalesce(w.earned, 0) AS earned, coalesce(s.uncounted, 0) AS uncounted`
)

// stepped returns the value of a column after a delta run: the stored one, unless it is off by more than a 32nd of size (the triggers of
// post_counters and comment_counters).
func stepped(exact, stored, size string) string {
	return fmt.Sprintf("iif(abs(%s - %s) * 32 > %s, %[1]s, %[2]s)", exact, stored, size)
}

// steppedBest is stepped for the best of comments.
func steppedBest(exact, stored string) string {
	return stepped(exact, stored, "min("+stored+", 1 - "+stored+")")
}

// ageSQL returns data.AgeOf of a column of times as SQL, by the database's clock.
func ageSQL(created string) string {
	s := "CASE"
	windows := ranking.Windows()
	for age, w := range windows[:len(windows)-1] { // the last has no end
		s += fmt.Sprintf(" WHEN %s > %s - %d THEN %d", created, databaseNow, w.Duration().Milliseconds(), age)
	}
	return fmt.Sprintf("%s ELSE %d END", s, len(windows)-1)
}

// counts are the counters in the order in which they are compared: none is computed from a later one.
var counts = []check{
	// Members, by the index subscriptions_community. Those that came after weeks.since are new.
	{
		table: "communities", size: 200,
		with: `subscribed AS MATERIALIZED (
  SELECT s.community_id AS id, count(*) AS n, sum(s.created_at > coalesce((SELECT since FROM weeks WHERE what = 'members'), 0)) AS new
  FROM page CROSS JOIN subscriptions s ON s.community_id = page.id GROUP BY s.community_id),
computed AS (SELECT page.id, coalesce(s.n, 0) AS members, coalesce(s.new, 0) AS growth
  FROM page LEFT JOIN subscribed s ON s.id = page.id)`,
		columns: columnsOf("members", "growth"),
	},
	// Posts, open quarantines and open items of the queue: indexes posts_new, quarantines_waiting and queue_items_new. A community without a
	// row has none.
	{
		table: "community_stats", keys: keysOf("community_id"), size: 200, upsert: true,
		pages: `SELECT id FROM (SELECT id FROM communities WHERE id > :community_id UNION SELECT community_id FROM community_stats
  WHERE community_id > :community_id) ORDER BY id LIMIT :limit`,
		with: `published AS MATERIALIZED (
  SELECT p.community_id AS id, count(*) AS n, sum(p.created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0)) AS new
  FROM page CROSS JOIN posts p ON p.community_id = page.id AND p.status = 'published' GROUP BY p.community_id),
computed AS (SELECT page.id, coalesce(p.n, 0) AS posts, coalesce(p.new, 0) AS week_posts,
    (SELECT count(*) FROM quarantines q WHERE q.community_id = page.id AND q.status = 'open') AS cases,
    (SELECT count(*) FROM queue_items i WHERE i.community_id = page.id AND i.status = 'open') AS waiting
  FROM page LEFT JOIN published p ON p.id = page.id)`,
		columns: columnsOf("posts", "week_posts", "cases", "waiting"),
	},
	// The posts of each day: index posts_site_new.
	{
		table: "post_days", keys: keysOf("day"), size: 50, upsert: true,
		pages: `SELECT id FROM (
  SELECT id FROM (SELECT day AS id FROM post_days WHERE day > :day ORDER BY day LIMIT :limit)
  UNION SELECT id FROM (WITH RECURSIVE d (id) AS (
    SELECT min(created_at) / 86400000 FROM posts WHERE status = 'published' AND created_at >= (:day + 1) * 86400000
    UNION ALL SELECT (SELECT min(p.created_at) / 86400000 FROM posts p
      WHERE p.status = 'published' AND p.created_at >= (d.id + 1) * 86400000) FROM d WHERE d.id IS NOT NULL LIMIT :limit)
    SELECT id FROM d WHERE id IS NOT NULL)) ORDER BY id LIMIT :limit`,
		with: `computed AS (SELECT page.id, (SELECT count(*) FROM posts p WHERE p.status = 'published'
  AND p.created_at >= page.id * 86400000 AND p.created_at < (page.id + 1) * 86400000) AS posts FROM page)`,
		columns: columnsOf("posts"),
	},
	// Posts of a tag, its heat, and the steps that indexes have of both: primary key of post_tags. Combinations have none of these.
	{
		table: "tag_keys", size: 100,
		with: `counted AS MATERIALIZED (
  SELECT k.id, iif(instr(k.name, ' ') > 0, 0, (SELECT count(*) FROM post_tags t WHERE t.key_id = k.id)) AS posts,
    coalesce(iif(instr(k.name, ' ') > 0, NULL, (SELECT n.last / 172800000.0 + (
      SELECT ln(sum(exp((t.created_at - n.last) / 172800000.0))) FROM post_tags t WHERE t.key_id = k.id)
      FROM (SELECT max(t.created_at) AS last FROM post_tags t WHERE t.key_id = k.id) n)), k.heat) AS heat, k.heat AS stored
  FROM page CROSS JOIN tag_keys k ON k.id = page.id),
computed AS (SELECT id, posts, heat, iif(posts > 0, length(posts), 0) AS digits, CAST(floor(heat) AS INTEGER) AS heat_step
  FROM (SELECT id, posts, iif(abs(heat - stored) < ` + heatRounds + `, stored, heat) AS heat FROM counted))`,
		columns: columnsOf("posts", "heat", "digits", "heat_step"),
	},
	// Counters and ranks of posts, by the index comments_siblings and the primary key of count_deltas. While a post has count_deltas, its
	// commented_at and active count as correct: the delta run writes them.
	// An age is only wrong if it is too high: the job of each minute raises it later. Score, controversy and comments_step are correct while
	// a delta run would not write them (stepped). hot follows from that score.
	{
		table: "posts", size: 250,
		with: votesOf("posts") + `,
comment_counts AS MATERIALIZED (
  SELECT c.post_id AS id, count(*) AS n, max(iif(c.status = 'published', c.created_at, NULL)) / 60000 * 60000 AS last,
    max(iif(c.status = 'published' AND c.author_id IS NOT p.author_id OR c.status = 'published' AND p.author_id IS NULL,
      c.created_at, NULL)) AS others
  FROM page CROSS JOIN comments c ON c.post_id = page.id AND c.held = 0 CROSS JOIN posts p ON p.id = c.post_id GROUP BY c.post_id),
waiting_comments AS MATERIALIZED (
  SELECT d.post_id AS id, count(*) AS n FROM page CROSS JOIN count_deltas d ON d.post_id = page.id
  WHERE EXISTS (SELECT 1 FROM comments c WHERE c.post_id = d.post_id AND c.path = d.path) GROUP BY d.post_id),
counted AS MATERIALIZED (
  SELECT x.id, x.community_id, x.community_name, x.age AS stored_age, x.created_at, x.score AS stored_score,
    x.controversy AS stored_controversy, ` + countedUps + ` AS ups, ` + countedDowns + ` AS downs,
    coalesce(c.n, 0) - coalesce(wc.n, 0) AS comments, x.comments_step AS stored_step,
    ` + posts.AddCommentTimes("'{}'", "x.created_at", `SELECT c.created_at AS at FROM comments c WHERE c.post_id = x.id AND c.held = 0
      AND NOT EXISTS (SELECT 1 FROM count_deltas d WHERE d.post_id = c.post_id AND d.path = c.path)`) + ` AS comment_times,
    ` + countedMore + `, x.active AS stored_active, wc.n AS waiting, iif(wc.n, x.commented_at, c.last) AS last, c.others
  FROM page CROSS JOIN posts x ON x.id = page.id
  LEFT JOIN vote_sums s ON s.id = x.id LEFT JOIN delta_sums w ON w.id = x.id
  LEFT JOIN comment_counts c ON c.id = x.id LEFT JOIN waiting_comments wc ON wc.id = x.id),
rated AS MATERIALIZED (
  SELECT *, ` + stepped("ups - downs", "stored_score", "abs(stored_score)") + ` AS score,
    ` + ranking.ControversySQL("ups", "downs") + ` AS exact FROM counted),
computed AS (
  SELECT id, ups, downs, score, ` + ranking.HotSQL("score", "created_at") + ` AS hot,
    ` + stepped("exact", "stored_controversy", "stored_controversy") + ` AS controversy,
    comments, ` + stepped("comments", "stored_step", "stored_step") + ` AS comments_step, comment_times, last AS commented_at,
    iif(waiting, stored_active, ` + ranking.ActiveSQL("created_at", "others") + `) AS active,
    min(stored_age, ` + ageSQL("created_at") + `) AS age,
    (SELECT k.id FROM communities k WHERE k.id = community_id) AS community_id,
    coalesce((SELECT k.name FROM communities k WHERE k.id = community_id), community_name) AS community_name,
    earned, uncounted
  FROM rated)`,
		columns: []column{{name: "ups"}, {name: "downs"}, {name: "score"}, {name: "hot", same: oneStep}, {name: "controversy", same: nearly},
			{name: "comments"}, {name: "comments_step"}, {name: "comment_times"}, {name: "commented_at"}, {name: "active"}, {name: "age"},
			{name: "community_id", unrepairable: "there is no such community"}, {name: "community_name"}},
		more: authored + `, x.crosspost_of, x.crosspost`, each: (*verifier).compareAuthored,
	},
	// Counters and ranks of comments. Replies and descendants are ranges of the indexes comments_siblings and comments_path; '{' sorts after
	// the digits of an id's text. Comments in count_deltas are not in the counters of their ancestors yet; the path of each ancestor is a
	// prefix of theirs. The best answer is found by author and counters, so that a wrong op or rank of an answer makes no second difference.
	// Score, best and controversy are correct while a delta run would not write them.
	{
		table: "comments", size: 250,
		with: votesOf("comments") + `,
waiting AS MATERIALIZED (
  SELECT d.post_id, d.parent_id, d.path
  FROM (SELECT DISTINCT c.post_id FROM page CROSS JOIN comments c ON c.id = page.id) threads
  CROSS JOIN count_deltas d ON d.post_id = threads.post_id
  WHERE EXISTS (SELECT 1 FROM comments c WHERE c.post_id = d.post_id AND c.path = d.path)),
waiting_replies AS MATERIALIZED (SELECT parent_id AS id, count(*) AS n FROM waiting WHERE parent_id <> 0 GROUP BY parent_id),
ancestors (post_id, path) AS (
  SELECT post_id, substr(path, 1, length(path) - ` + idText + `) FROM waiting WHERE length(path) > ` + idText + `
  UNION ALL SELECT post_id, substr(path, 1, length(path) - ` + idText + `) FROM ancestors WHERE length(path) > ` + idText + `),
waiting_below AS MATERIALIZED (SELECT post_id, path, count(*) AS n FROM ancestors GROUP BY post_id, path),
counted AS MATERIALIZED (
  SELECT x.id, x.post_id, x.parent_id, length(x.body) AS length, p.id AS existing_post, p.author_id AS post_author,
    coalesce(p.author_id = x.author_id, 0) AS op, x.score AS stored_score, x.best AS stored_best, x.controversy AS stored_controversy,
    ` + countedUps + ` AS ups, ` + countedDowns + ` AS downs,
    (SELECT count(*) FROM comments c WHERE c.post_id = x.post_id AND c.parent_id = x.id AND c.held = 0) - coalesce(wr.n, 0) AS replies,
    (SELECT count(*) FROM comments c WHERE c.post_id = x.post_id AND c.path > x.path AND c.path < x.path || '{' AND c.held = 0)
      - coalesce(wb.n, 0) AS descendants,
    ` + countedMore + `
  FROM page CROSS JOIN comments x ON x.id = page.id LEFT JOIN posts p ON p.id = x.post_id
  LEFT JOIN vote_sums s ON s.id = x.id LEFT JOIN delta_sums w ON w.id = x.id
  LEFT JOIN waiting_replies wr ON wr.id = x.id LEFT JOIN waiting_below wb ON wb.post_id = x.post_id AND wb.path = x.path),
exact AS MATERIALIZED (
  SELECT *, ` + ranking.WilsonSQL("ups", "downs") + ` AS exact_best, ` + ranking.ControversySQL("ups", "downs") + ` AS exact_controversy
  FROM counted),
rated AS MATERIALIZED (SELECT *, ` + steppedBest("exact_best", "stored_best") + ` AS best FROM exact),
computed AS (
  SELECT r.id, r.ups, r.downs, ` + stepped("r.ups - r.downs", "r.stored_score", "abs(r.stored_score)") + ` AS score, r.best,
    ` + stepped("r.exact_controversy", "r.stored_controversy", "r.stored_controversy") + ` AS controversy,
    coalesce((
      SELECT ` + ranking.QARankSQL("r.best", "r.length", "answer.rank", "answer.length") + `
      FROM (
        SELECT ` + steppedBest(ranking.WilsonSQL("c.ups", "c.downs"), "c.best") + ` AS rank, length(c.body) AS length FROM comments c
        WHERE c.post_id = r.post_id AND c.parent_id = r.id AND c.held = 0 AND c.author_id = r.post_author AND c.status = 'published') answer
      ORDER BY answer.rank DESC, answer.length DESC LIMIT 1), r.best) AS qa,
    r.replies, r.descendants, r.op, r.existing_post AS post_id,
    iif(r.parent_id = 0, 0, (SELECT c.id FROM comments c WHERE c.id = r.parent_id AND c.post_id = r.post_id)) AS parent_id,
    r.earned, r.uncounted
  FROM rated r)`,
		columns: []column{{name: "ups"}, {name: "downs"}, {name: "score"}, {name: "best", same: nearly}, {name: "controversy", same: nearly},
			{name: "qa", same: oneStep}, {name: "replies"}, {name: "descendants"}, {name: "op"},
			{name: "post_id", unrepairable: "there is no such post"}, {name: "parent_id", unrepairable: "there is no such comment on the post"}},
		more: authored, each: (*verifier).compareAuthored,
	},
}

// heatRounds is how much the heat of a tag may be off, because subtracting posts rounds. A unit is two days, so ten days are tolerated.
const heatRounds = "5"

var idText = fmt.Sprint(data.IDTextLen)
