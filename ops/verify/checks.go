package verify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/content/posts"
	"plaza/data/content/tags"
	"plaza/data/events/outbox"
	"plaza/protocol/weburl"
)

// orphan returns a check that deletes rows x whose subject, owner, does not exist any more, such as jobs. missing is an SQL condition: the
// owner of row x is missing. Repairs delete nothing else.
func orphan(table, owner, missing string, columns ...string) check {
	keys := keysOf(columns...)
	return check{table: table, keys: keys, columns: []column{{name: "row", stored: "0", computed: "coalesce(" + missing + ", 0)",
		storedText: "there", computedText: "gone, as it belongs to no row: " + owner + " is missing"}},
		repair: []string{fmt.Sprintf("DELETE FROM %s AS x WHERE %s AND (%s)", table, among(keys), missing)}}
}

var orphans = []check{
	// Rows of votes are never deleted.
	orphan("vote_deltas", "a vote", `NOT EXISTS (SELECT 1 FROM votes v WHERE v.target_id = x.target_id AND v.user_id = x.user_id)
  OR iif(x.target_id & 1, NOT EXISTS (SELECT 1 FROM comments c WHERE c.id = x.target_id),
    NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = x.target_id))`, "target_id", "user_id"),
	// Unique index comments_path.
	orphan("count_deltas", "a comment", `NOT EXISTS (SELECT 1 FROM comments c WHERE c.post_id = x.post_id AND c.path = x.path)
  OR NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = x.post_id)`, "post_id", "path text"),
	orphan("outbox", "what it is about", orphanedJobs(), "job text", "subject_id"),
	orphan("timeline", "a follow", `NOT EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = x.user_id AND f.followee_id = x.author_id)`,
		"user_id", "posted_at", "post_id"),
	// The keys of a deleted member are orphans; only the directory knows who was deleted. Of other members only the last day is checked
	// (86400000 ms), because older rows are purged one table after the other. A deleted draft has a row in deleted_drafts.
	orphan("idempotency_keys", "what was created, or who created it", `EXISTS (SELECT 1 FROM users u
    WHERE u.id = iif(x.author_id = 0 AND x.key GLOB 'signup *', x.result_id, x.author_id) AND u.username = ''
      AND NOT EXISTS (SELECT 1 FROM account_deletions d WHERE d.user_id = u.id AND d.due_at IS NOT NULL))
  OR x.created_at > `+databaseNow+` - 86400000 AND CASE substr(x.key, 1, instr(x.key, ' ') - 1)
  WHEN 'post' THEN NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = x.result_id)
    AND NOT EXISTS (SELECT 1 FROM deleted_drafts d WHERE d.post_id = x.result_id)
  WHEN 'comment' THEN NOT EXISTS (SELECT 1 FROM comments c WHERE c.id = x.result_id)
  WHEN 'community' THEN NOT EXISTS (SELECT 1 FROM communities k WHERE k.id = x.result_id)
  WHEN 'signup' THEN NOT EXISTS (SELECT 1 FROM users u WHERE u.id = x.result_id) ELSE 0 END`, "author_id", "key text"),
	orphan("comment_sources", "a comment", `NOT EXISTS (SELECT 1 FROM comments c WHERE c.id = x.comment_id)`, "source text"),
	orphan("sessions", "a member", `NOT EXISTS (SELECT 1 FROM users u WHERE u.id = x.user_id)`, "id"),
	orphan("member_editions", "a member", `NOT EXISTS (SELECT 1 FROM users u WHERE u.id = x.user_id)`, "user_id", "number"),
	orphan("tokens", "a member", `NOT EXISTS (SELECT 1 FROM users u WHERE u.id = x.user_id)`, "id"),
	orphan("pushes", "a device", `NOT EXISTS (SELECT 1 FROM devices d WHERE d.id = x.device_id)`, "id"),
	orphan("account_deletions", "a member", `NOT EXISTS (SELECT 1 FROM users u WHERE u.id = x.user_id)`, "user_id"),
	orphan("quarantined_votes", "a case", `NOT EXISTS (SELECT 1 FROM quarantines q WHERE q.id = x.quarantine_id)`, "quarantine_id", "user_id"),
	orphan("wiki_pages", "a community", `NOT EXISTS (SELECT 1 FROM communities k WHERE k.id = x.community_id)`, "id"),
	// A row of a combination belongs to a post that has all of its tags.
	orphan("post_tags", "a post with these tags", `NOT EXISTS (SELECT 1 FROM posts p CROSS JOIN tag_keys k ON k.id = x.key_id
  WHERE p.id = x.post_id AND p.created_at = x.created_at AND p.status = 'published' AND NOT EXISTS (
    SELECT 1 FROM json_each('["' || replace(k.name, ' ', '","') || '"]') j WHERE instr(' ' || p.tags || ' ', ' ' || j.value || ' ') = 0))`,
		"key_id", "created_at", "post_id"),
	orphan("picture_uses", "what shows the picture", unused(), "sum text", "kind text", "subject_id", "position"),
}

// orphanedJobs returns a condition: the subject of job x does not exist any more. It is 0 for kinds that this version does not know.
func orphanedJobs() string {
	var cases strings.Builder
	for _, kind := range outbox.Kinds {
		var lost []string
		for _, column := range kind.About {
			table, _, _ := strings.Cut(column, ".")
			lost = append(lost, fmt.Sprintf("NOT EXISTS (SELECT 1 FROM %s WHERE %s = x.subject_id)", table, column))
		}
		fmt.Fprintf(&cases, " WHEN '%s' THEN %s", kind.Job, strings.Join(lost, " AND "))
	}
	return "CASE x.job" + cases.String() + " ELSE 0 END"
}

const (
	// The tags of a post x as an array that begins with "", and their combinations of up to three: a.value, b.value and c.value, where "" is
	// none. The triggers of post_tags compute the same.
	tagsOfPost = `json_each('["","' || replace(x.tags, ' ', '","') || '"]')`
	combined   = tagsOfPost + ` c CROSS JOIN ` + tagsOfPost + ` b ON b.key < c.key CROSS JOIN ` + tagsOfPost +
		` a ON (a.key < b.key OR a.key = 0 AND b.key = 0)`
	combinedAs = `trim(a.value || ' ' || b.value || ' ' || c.value)`
	isTagged   = ` WHERE x.tags <> '' AND x.status = 'published'`
	postsToTag = ` FROM json_each(:rows) j CROSS JOIN posts x ON x.id = j.value CROSS JOIN ` + combined

	toMark   = `EXISTS (SELECT 1 FROM users u WHERE u.id = x.followee_id AND u.on_read_to >= x.follower_id)`
	reported = `r.target_id = x.target_id AND r.created_at >= x.came_at`
)

// checks are of columns that a statement computes for each row by itself. None is computed from a later one.
var checks = []check{
	// Index follows_followee, the primary keys of follows and blocks, and the indexes inbox_unread and inbox_listed. If a follow is marked for
	// fan-out on read and its author is not, the author is marked, and the author's next post marks the other follows. A follow with on_read
	// and backfill waits for a backfill: its author is below the threshold again (data/lists/timelines).
	{table: "users", size: 500, columns: []column{
		{name: "followers", computed: `(SELECT count(*) FROM follows f WHERE f.followee_id = x.id)`},
		{name: "following", computed: `(SELECT count(*) FROM follows f WHERE f.follower_id = x.id)`},
		{name: "blocked", computed: `coalesce((SELECT group_concat(b.blocked_id) FROM blocks b WHERE b.blocker_id = x.id), '')`},
		{name: "unread", computed: `(SELECT count(*) FROM inbox i WHERE i.user_id = x.id AND i.unread = 1)`},
		{name: "inbox_size", computed: `(SELECT count(*) FROM inbox i WHERE i.user_id = x.id)`},
		{name: "on_read_to", computed: `iif(x.on_read_to IS NULL AND EXISTS (
  SELECT 1 FROM follows f WHERE f.followee_id = x.id AND f.on_read = 1 AND f.backfill = 0), 0, x.on_read_to)`}}},
	// Follows up to users.on_read_to are marked.
	{table: "follows", keys: keysOf("follower_id", "followee_id"), columns: []column{{name: "on_read", computed: `(x.on_read = 1 OR ` +
		toMark + `)`}},
		repair: []string{`UPDATE follows AS x SET on_read = 1, backfill = 0 WHERE ` + among(keysOf("follower_id", "followee_id")) +
			` AND x.on_read = 0 AND ` + toMark}},
	{table: "moderators", keys: keysOf("community_id", "user_id"), columns: []column{{name: "username",
		computed: `coalesce((SELECT u.username FROM users u WHERE u.id = x.user_id AND u.renaming = ''), x.username)`}}},
	// The number in the header of moderators. It is checked before community_stats, whose repair changes it by a trigger.
	{table: "communities", columns: []column{{name: "waiting",
		computed: `coalesce((SELECT s.waiting + s.cases FROM community_stats s WHERE s.community_id = x.id), x.waiting)`}}},
	// Pages of communities show their last revision. Only the site renders the HTML of a text. Each row has two long texts.
	{table: "wiki_pages", size: wikiTogether, columns: []column{
		{name: "revision", computed: `coalesce((SELECT max(v.number) FROM wiki_revisions v WHERE v.page_id = x.id), 0)`},
		{name: "text", unrepairable: "moderators have to save the page anew",
			computed: `coalesce((SELECT v.text FROM wiki_revisions v WHERE v.page_id = x.id ORDER BY v.number DESC LIMIT 1), x.text)`}}},
	// An open item counts the reports since it was queued.
	{table: "queue_items", keys: keysOf("target_id"), columns: []column{
		{name: "reports", computed: `iif(x.status = 'open', (SELECT count(*) FROM reports r WHERE ` + reported + `), x.reports)`},
		{name: "weight", computed: `iif(x.status = 'open', (SELECT coalesce(sum(r.weight), 0) FROM reports r WHERE ` + reported +
			`), x.weight)`}}},
	{table: "report_reasons", from: "queue_items", keys: keysOf("target_id"), columns: []column{{name: "reports",
		stored: `(SELECT json_group_array(json_array(o.reason, o.reports)) FROM (SELECT c.reason, c.reports FROM report_reasons c
  WHERE c.target_id = x.target_id ORDER BY c.reason) o)`,
		computed: `(SELECT json_group_array(json_array(o.reason, o.reports)) FROM (SELECT r.reason, count(*) AS reports FROM reports r
  WHERE x.status = 'open' AND ` + reported + ` GROUP BY r.reason ORDER BY r.reason) o)`}},
		repair: []string{`DELETE FROM report_reasons WHERE target_id IN (SELECT value FROM json_each(:rows))`,
			`INSERT INTO report_reasons (target_id, reason, reports) SELECT x.target_id, r.reason, count(*) FROM json_each(:rows) j
CROSS JOIN queue_items x ON x.target_id = j.value AND x.status = 'open' CROSS JOIN reports r ON ` + reported + `
WHERE true GROUP BY x.target_id, r.reason ON CONFLICT (target_id, reason) DO UPDATE SET reports = excluded.reports`}},
	{table: "quarantines", columns: []column{
		{name: "votes", computed: `(SELECT count(*) FROM quarantined_votes m WHERE m.quarantine_id = x.id)`},
		{name: "community_id", computed: `coalesce((SELECT p.community_id FROM posts p
  WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = x.target_id), x.target_id)), x.community_id)`},
		{name: "target_id", computed: `iif(x.target_id & 1, (SELECT c.id FROM comments c WHERE c.id = x.target_id),
  (SELECT p.id FROM posts p WHERE p.id = x.target_id))`, unrepairable: "there is no such post or comment"}}},
	// How many of its combinations of tags each post has in post_tags. Primary keys, and the unique index on the names. Rows of other
	// combinations are orphans.
	{table: "post_tags", from: "posts", size: 500, columns: []column{{name: "row",
		stored: `(SELECT count(*) FROM ` + combined + ` CROSS JOIN tag_keys k ON k.name = ` + combinedAs +
			` CROSS JOIN post_tags t ON t.key_id = k.id AND t.created_at = x.created_at AND t.post_id = x.id` + isTagged + `)`,
		computed: `(SELECT count(*) FROM ` + combined + isTagged + `)`}},
		repair: []string{`INSERT INTO tag_keys (name) SELECT ` + combinedAs + postsToTag + isTagged + ` ON CONFLICT DO NOTHING`,
			`INSERT INTO post_tags (key_id, created_at, post_id) SELECT k.id, x.created_at, x.id` + postsToTag +
				` CROSS JOIN tag_keys k ON k.name = ` + combinedAs + isTagged + ` ON CONFLICT DO NOTHING`}},
	// The statement seeks from one target to the next in the primary key of votes. Votes without their target stay: nothing else has their
	// values, and a backup may restore the target.
	{table: "votes", keys: keysOf("after"), columns: []column{{name: "target_id", unrepairable: "there is no such post or comment"}},
		repair: []string{}, find: `WITH RECURSIVE t (id) AS (SELECT min(target_id) FROM votes WHERE target_id > :after
  UNION ALL SELECT (SELECT min(v.target_id) FROM votes v WHERE v.target_id > t.id) FROM t WHERE t.id IS NOT NULL LIMIT :limit)
SELECT t.id, t.id, iif(t.id & 1, (SELECT c.id FROM comments c WHERE c.id = t.id), (SELECT p.id FROM posts p WHERE p.id = t.id))
FROM t WHERE t.id IS NOT NULL`},
}

// wikiTogether is how many rows of wiki_pages are read at once.
const wikiTogether = 10

// derivations are of columns that Go computes from the same row, such as keys and paths.
var derivations = []check{
	{table: "users", inputs: []string{"x.username", "x.email", "x.views", "x.week_views", "x.views_week"},
		columns: columnsOf("username_key", "email_key", "views", "week_views"), compute: func(key, in []any) []any {
			return append([]any{nameKey(idOf(key), str(in[0])), credentials.EmailKey(str(in[1]))}, viewsOf(in[2:])...)
		}},
	{table: "communities", inputs: []string{"x.name"}, columns: columnsOf("name_key"),
		compute: func(_, in []any) []any { return []any{strings.ToLower(str(in[0]))} }},
	{table: "posts", inputs: []string{"x.link", "x.image", "x.crosspost", "x.views", "x.week_views", "x.views_week", "x.domain", "x.link_key",
		"x.tags", copiesPending},
		columns: append(columnsOf("domain", "link_key", "views", "week_views"), column{name: "tags", show: ascii}),
		compute: func(_, in []any) []any {
			return append(append(domainAndKey(in), viewsOf(in[3:])...), parsedTags(in[8]))
		}},
	// The ids from the comment up to the first level, each with its distance.
	{table: "comments", inputs: []string{`(WITH RECURSIVE up (id, parent_id, n) AS (SELECT x.id, x.parent_id, 0
    UNION ALL SELECT c.id, c.parent_id, up.n + 1 FROM up CROSS JOIN comments c ON c.id = up.parent_id
  WHERE up.n < 200)
  SELECT json_group_array(json_array(n, id, parent_id)) FROM up)`}, columns: columnsOf("path", "depth"), compute: pathOf},
	// A repair merges two spellings of a tag that a member follows.
	{table: "tag_follows", keys: keysOf("user_id", "name text"), inputs: []string{"x.name"},
		columns: []column{{name: "name", show: ascii}},
		compute: func(_, in []any) []any { return []any{parsedTags(in[0])} },
		repair: []string{`INSERT INTO tag_follows (user_id, name, created_at) SELECT f.user_id, j.value ->> 3, f.created_at
FROM json_each(:rows) j CROSS JOIN tag_follows f ON f.user_id = j.value ->> 0 AND f.name = j.value ->> 1 WHERE true ON CONFLICT DO NOTHING`,
			`DELETE FROM tag_follows WHERE (user_id, name) IN (SELECT j.value ->> 0, j.value ->> 1 FROM json_each(:rows) j)`}},
}

// copiesPending is 1 for a deleted post whose crossposts on other shards are still to be updated. They are found by its link_key, which
// stays until the job is done (posts.UpdateCopies).
const copiesPending = `(x.status = 'deleted' AND EXISTS (SELECT 1 FROM outbox o WHERE o.subject_id = x.id AND o.job = '` +
	string(outbox.JobUpdate) + `'))`

// domainAndKey returns a post's domain and link_key. They follow from its link, its image or its crosspost's original. If the original was
// deleted they can't be computed, so the stored ones are returned.
func domainAndKey(in []any) []any {
	address := cmp.Or(str(in[0]), str(in[1]))
	domain, key := weburl.Domain(address), weburl.Key(address)
	original := posts.ParseOriginal(str(in[2]))
	switch {
	case in[9] == int64(1):
		return []any{domain, in[7]}
	case original == nil || original.ID == 0:
		return []any{domain, key}
	case original.Title == data.DeletedTitle:
		return []any{in[6], in[7]}
	}
	return []any{domain, original.Key()}
}

// viewsOf returns views and week_views as far as they can be checked. in is both and the week's number: a week can't have more views than
// there are, and without a week there are none. Only Redis knows the viewers, and only for a week (data/lists/views).
func viewsOf(in []any) []any {
	all, _ := in[0].(int64)
	week, _ := in[1].(int64)
	if week = max(week, 0); in[2] == int64(0) {
		week = 0
	}
	return []any{max(all, week), week}
}

// parsedTags returns stored tags in the spelling that tags.Parse gives them now.
func parsedTags(stored any) any {
	if parsed, err := tags.Parse(str(stored)); err == nil {
		return parsed
	}
	return stored
}

// ascii returns tags in ASCII, so that a report shows which characters differ.
func ascii(v any) string { return strconv.QuoteToASCII(str(v)) }

// pathOf computes a comment's path and depth from the ids of its ancestors; nil if one is missing.
func pathOf(_, in []any) []any {
	var steps [][3]int64
	if json.Unmarshal([]byte(str(in[0])), &steps) != nil || len(steps) == 0 {
		return nil
	}
	slices.SortFunc(steps, func(a, b [3]int64) int { return cmp.Compare(b[0], a[0]) })
	if steps[0][2] != 0 { // an ancestor is missing, which another check reports
		return nil
	}
	var path strings.Builder
	for _, step := range steps {
		path.WriteString(data.ID(step[1]).Text())
	}
	return []any{path.String(), int64(len(steps) - 1)}
}

// A pictureSource is a column that shows pictures. list is an SQL expression over row x: a JSON array of its pictures, or an empty text for
// none. Triggers write picture_uses from the same columns.
type pictureSource struct{ kind, table, list string }

var pictureSources = []pictureSource{
	{"post", "posts", "x.pictures"},
	{"comment", "comments", "x.pictures"},
	{"avatar", "users", onePicture("substr(x.avatar, instr(x.avatar, '/') + 1)", "instr(x.avatar, '/') > 0")},
	{"icon", "communities", onePicture("x.icon", "x.icon <> ''")},
	{"banner", "communities", onePicture("x.banner", "x.banner <> ''")},
}

// onePicture returns the list of a row with at most one picture: the expression sum, if the condition holds.
func onePicture(sum, condition string) string {
	return "iif(" + condition + ", json_array(json_object('sum', " + sum + ")), '')"
}

// check returns a check that finds the pictures of rows that picture_uses lacks. A list that is not valid JSON counts as an empty one.
func (p pictureSource) check() check {
	elements := "json_each(iif(json_valid(" + p.list + "), " + p.list + ", '[]')) j"
	return check{table: "picture_uses", from: p.table, columns: []column{{name: "row", storedText: "missing", stored: "NULL",
		computed: fmt.Sprintf(`iif(%s = '', NULL, (SELECT group_concat(j.value ->> 'sum', ', ') FROM %s WHERE NOT EXISTS (
  SELECT 1 FROM picture_uses u WHERE u.sum = j.value ->> 'sum' AND u.kind = '%s' AND u.subject_id = x.id AND u.position = j.key)))`,
			p.list, elements, p.kind)}},
		repair: []string{fmt.Sprintf(`INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT j.value ->> 'sum', '%s', x.id, j.key
FROM %s x CROSS JOIN %s WHERE %s ON CONFLICT DO NOTHING`, p.kind, p.table, elements, among(keysOf("id")))}}
}

// unused returns a condition: the row x of picture_uses names a picture that its post, comment, member or community does not show.
func unused() string {
	var b strings.Builder
	b.WriteString("CASE x.kind")
	for _, p := range pictureSources {
		fmt.Fprintf(&b, " WHEN '%s' THEN NOT EXISTS (SELECT 1 FROM %s y WHERE y.id = x.subject_id AND json_valid(%[3]s)\n  "+
			"AND %[3]s ->> ('$[' || x.position || '].sum') = x.sum)", p.kind, p.table, strings.ReplaceAll(p.list, "x.", "y."))
	}
	b.WriteString(" ELSE 0 END")
	return b.String()
}
