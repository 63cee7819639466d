package verify_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/upstash"
	"plaza/test/sitetest"
)

// damage is one wrong value. pick selects the key of a row with the value, in the first database that has one, and do makes it wrong
// there.
type damage struct {
	name          string
	pick, do      string
	table, column string
	elsewhere     bool // it needs a database that is not the directory
}

var damages = []damage{
	{"a post's ups", `SELECT id FROM posts WHERE ups > 3 AND status = 'published'`, `UPDATE posts SET ups = ups + 1 WHERE id = ?1`, "posts",
		"ups", false},
	{"a post's downs", `SELECT id FROM posts WHERE downs > 1 AND status = 'published'`, `UPDATE posts SET downs = 0 WHERE id = ?1`, "posts",
		"downs", false},
	{"a post's score", `SELECT max(id) FROM posts WHERE source IS NOT NULL`, `UPDATE posts SET score = -score WHERE id = ?1`, "posts", "score",
		false},
	{"a post's hot rank", `SELECT max(id) FROM posts WHERE ups > 0 AND status = 'published'`,
		`UPDATE posts SET hot = hot + 0.0001 WHERE id = ?1`, "posts", "hot", false},
	{"a post's controversy", `SELECT id FROM posts WHERE controversy > 0`, `UPDATE posts SET controversy = controversy + 1 WHERE id = ?1`,
		"posts", "controversy", false},
	{"a post's views", `SELECT max(id) FROM posts WHERE link = ''`, `UPDATE posts SET views = 3, week_views = 5, views_week = 2900
  WHERE id = ?1`, "posts", "views", false},
	{"a post's views of the week", `SELECT min(id) FROM posts WHERE link <> ''`,
		`UPDATE posts SET views = 9, week_views = -1, views_week = 2900 WHERE id = ?1`, "posts", "week_views", false},
	{"a profile's views", `SELECT max(id) FROM users`, `UPDATE users SET views = -4 WHERE id = ?1`, "users", "views", false},
	{"how a post is sorted by its comments", `SELECT id FROM posts WHERE comments > 2`, `UPDATE posts SET comments_step = comments_step * 2 WHERE id = ?1`,
		"posts", "comments_step", false},
	{"a post's comments", `SELECT id FROM posts WHERE comments > 2`, `UPDATE posts SET comments = comments - 2 WHERE id = ?1`, "posts",
		"comments", false},
	{"when the comments of a post were written", `SELECT id FROM posts WHERE comments > 2`, `UPDATE posts SET comment_times = '{"3":1}'
  WHERE id = ?1`, "posts", "comment_times", false},
	{"when a post was commented on", `SELECT max(id) FROM posts WHERE commented_at IS NOT NULL`,
		`UPDATE posts SET commented_at = NULL WHERE id = ?1`, "posts", "commented_at", false},
	{"how active a post is", `SELECT min(id) FROM posts WHERE source IS NOT NULL`, `UPDATE posts SET active = 7 WHERE id = ?1`,
		"posts", "active", false},
	{"an age that leads", `SELECT min(id) FROM posts WHERE age = 0`, `UPDATE posts SET age = 5 WHERE id = ?1`, "posts", "age", false},
	{"a post's copy of its community's name", `SELECT min(id) FROM posts`, `UPDATE posts SET community_name = 'Other' WHERE id = ?1`, "posts",
		"community_name", false},
	{"a post's copy of its author's name", `SELECT id FROM posts WHERE author_id IS NOT NULL AND status = 'deleted'`,
		`UPDATE posts SET author_name = 'x' WHERE id = ?1`, "posts", "author_name", false},
	{"a post's copy of its author's avatar", `SELECT max(id) FROM posts WHERE author_id IS NOT NULL AND status = 'published'`,
		`UPDATE posts SET author_avatar = 'x' WHERE id = ?1`, "posts", "author_avatar", false},
	{"the avatar of who has deleted a post", `SELECT max(id) FROM posts WHERE author_id IS NOT NULL AND status = 'deleted'`,
		`UPDATE posts SET author_avatar = 'x' WHERE id = ?1`, "posts", "author_avatar", false},
	{"what a post is about", `SELECT id FROM posts WHERE link <> ''`, `UPDATE posts SET link_key = 'x' WHERE id = ?1`, "posts", "link_key",
		false},
	{"a post's domain", `SELECT max(id) FROM posts WHERE link <> ''`, `UPDATE posts SET domain = 'example.net' WHERE id = ?1`, "posts",
		"domain", false},
	{"what a crosspost says", `SELECT id FROM posts WHERE crosspost_of IS NOT NULL`,
		`UPDATE posts SET crosspost = json_set(crosspost, '$.title', 'Other') WHERE id = ?1`, "posts", "crosspost", false},
	{"a post that its tag lists twice", `SELECT max(t.key_id || ', 7, ' || t.post_id) FROM post_tags t`,
		`INSERT INTO post_tags (key_id, created_at, post_id) SELECT t.key_id, 7, t.post_id FROM post_tags t
  WHERE t.key_id || ', 7, ' || t.post_id = ?1`, "post_tags", "row", false},
	{"a post that its tag doesn't list", `SELECT min(t.post_id) FROM post_tags t CROSS JOIN tag_keys k ON k.id = t.key_id WHERE k.posts = 0`,
		`DELETE FROM post_tags WHERE created_at > 7 AND post_id = ?1 AND key_id = (SELECT max(k.id) FROM post_tags t CROSS JOIN tag_keys k ON k.id = t.key_id
  WHERE t.post_id = ?1 AND k.posts = 0)`, "post_tags", "row", false},
	{"a post that a tag lists", `SELECT max(k.id) || ', ' || p.created_at || ', ' || p.id FROM tag_keys k CROSS JOIN (
  SELECT min(id) AS id, created_at FROM posts WHERE tags = '' AND status = 'published') p WHERE k.posts = 0`,
		`INSERT INTO post_tags (key_id, created_at, post_id) SELECT k.id, p.created_at, p.id FROM posts p CROSS JOIN tag_keys k
  WHERE k.posts = 0 AND p.tags = '' AND k.id || ', ' || p.created_at || ', ' || p.id = ?1`, "post_tags", "row", false},
	{"how many posts a tag has", `SELECT min(id) FROM tag_keys WHERE posts > 0`, `UPDATE tag_keys SET posts = posts + 1 WHERE id = ?1`,
		"tag_keys", "posts", false},
	{"how much a tag is used", `SELECT max(id) FROM tag_keys WHERE posts > 0`, `UPDATE tag_keys SET heat = heat - 50 WHERE id = ?1`,
		"tag_keys", "heat", false},
	{"how many digits the posts of a tag have", `SELECT min(id) FROM tag_keys WHERE posts > 0`,
		`UPDATE tag_keys SET digits = 7 WHERE id = ?1`, "tag_keys", "digits", false},
	{"how a tag is sorted by its use", `SELECT min(id) FROM tag_keys WHERE posts > 0`, `UPDATE tag_keys SET heat_step = 7 WHERE id = ?1`,
		"tag_keys", "heat_step", false},
	{"a post that the search does not find", `SELECT max(rowid) FROM search_posts`, `DELETE FROM search_posts WHERE rowid = ?1`,
		"search_posts", "row", false},
	{"a post that the search finds by other words", `SELECT min(rowid) FROM search_posts WHERE rowid NOT IN (SELECT id FROM posts WHERE link <> '')`,
		`UPDATE search_posts SET title = 'other', body = 'words', facets = 'c1' WHERE rowid = ?1`, "search_posts", "row", false},
	{"a comment that nobody may find", `SELECT 3 FROM posts`, `INSERT INTO search_comments (rowid, body, facets) VALUES (?1, 'secret', 'c1')`,
		"search_comments", "row", false},
	{"a comment without its words for the search", `SELECT max(id) FROM comments WHERE body <> ''`,
		`UPDATE comments SET body = 'Ёлки 北京' WHERE id = ?1`, "comments", "words", false},
	{"a comment that has words for the search and needs none", `SELECT min(id) FROM comments WHERE body <> ''`,
		`UPDATE comments SET words = 'other' WHERE id = ?1`, "comments", "words", false},
	{"a community that the search does not find", `SELECT max(rowid) FROM search_communities`,
		`DELETE FROM search_communities WHERE rowid = ?1`, "search_communities", "row", false},
	{"a member whom the search does not find", `SELECT max(rowid) FROM search_people`, `DELETE FROM search_people WHERE rowid = ?1`,
		"search_people", "row", false},
	{"a comment's ups", `SELECT id FROM comments WHERE ups > 2`, `UPDATE comments SET ups = 0 WHERE id = ?1`, "comments", "ups", false},
	{"a comment's score", `SELECT max(id) FROM comments WHERE ups > 2`, `UPDATE comments SET score = 99 WHERE id = ?1`, "comments", "score",
		false},
	{"a comment's best rank", `SELECT id FROM comments WHERE qa >= 1`, `UPDATE comments SET best = 0.99 WHERE id = ?1`, "comments", "best",
		false},
	{"the rank of an answer", `SELECT id FROM comments WHERE op = 1 AND parent_id <> 0 AND status = 'published'`,
		`UPDATE comments SET best = 0.98 WHERE id = ?1`, "comments", "best", false},
	{"a comment's Q&A rank", `SELECT max(id) FROM comments WHERE qa >= 1`, `UPDATE comments SET qa = best WHERE id = ?1`, "comments", "qa",
		false},
	{"a comment's controversy", `SELECT id FROM comments WHERE controversy > 0`, `UPDATE comments SET controversy = 0 WHERE id = ?1`,
		"comments", "controversy", false},
	{"a comment's replies", `SELECT id FROM comments WHERE replies > 1`, `UPDATE comments SET replies = replies + 1 WHERE id = ?1`, "comments",
		"replies", false},
	{"a comment's descendants", `SELECT id FROM comments WHERE descendants > 1`, `UPDATE comments SET descendants = 0 WHERE id = ?1`,
		"comments", "descendants", false},
	{"who the post's author is", `SELECT id FROM comments WHERE op = 0 AND replies = 0`, `UPDATE comments SET op = 1 WHERE id = ?1`,
		"comments", "op", false},
	{"a comment's path", `SELECT c.id FROM comments c WHERE c.parent_id = 0 AND c.replies = 0 AND NOT EXISTS (SELECT 1 FROM count_deltas d
  WHERE d.path = c.path)`,
		`UPDATE comments SET path = '0000000000000' WHERE id = ?1`, "comments", "path", false},
	{"a comment's depth", `SELECT max(id) FROM comments WHERE depth > 1`, `UPDATE comments SET depth = 0 WHERE id = ?1`, "comments", "depth",
		false},
	{"a comment's copy of its author's name", `SELECT min(id) FROM comments`, `UPDATE comments SET author_name = 'x' WHERE id = ?1`,
		"comments", "author_name", false},
	{"a comment's copy of its author's avatar", `SELECT max(id) FROM comments WHERE author_avatar <> ''`,
		`UPDATE comments SET author_avatar = '' WHERE id = ?1`, "comments", "author_avatar", false},
	{"an author's karma", `SELECT min(author_id) FROM author_karma WHERE posts > 0`,
		`UPDATE author_karma SET posts = posts + 7 WHERE author_id = ?1`, "author_karma", "posts", false},
	{"karma that is missing", `SELECT max(author_id) FROM author_karma WHERE comments <> 0 AND posts = 0 OR comments <> 0 AND author_id > 0`,
		`DELETE FROM author_karma WHERE author_id = ?1`, "author_karma", "comments", false},
	{"how much a moderator has decided", `SELECT community_id || ', ' || month || ', ' || actor_id || ', ' || action FROM moderation_counts
  WHERE entries > 0`,
		`UPDATE moderation_counts SET entries = entries + 3 WHERE community_id || ', ' || month || ', ' || actor_id || ', ' || action = ?1`,
		"moderation_counts", "entries", false},
	{"the copy of a member's karma", `SELECT id FROM users WHERE username = 'Member6'`, `UPDATE users SET karma = karma + 3 WHERE id = ?1`,
		"users", "karma", false},
	{"what of a member's is shown in a community", `SELECT community_id || ', ' || user_id FROM reputations WHERE posts > 0`,
		`UPDATE reputations SET posts = posts + 3 WHERE community_id || ', ' || user_id = ?1`, "reputations", "posts", false},
	{"a reputation that is missing", `SELECT community_id || ', ' || user_id FROM reputations WHERE posts = 0 AND comments > 0`,
		`DELETE FROM reputations WHERE community_id || ', ' || user_id = ?1`, "reputations", "comments", false},
	{"a community's members", `SELECT min(id) FROM communities WHERE members > 2`, `UPDATE communities SET members = 1 WHERE id = ?1`,
		"communities", "members", false},
	{"a community's growth", `SELECT max(id) FROM communities WHERE growth > 2`, `UPDATE communities SET growth = 0 WHERE id = ?1`,
		"communities", "growth", false},
	{"the key of a community's name", `SELECT min(id) FROM communities`, `UPDATE communities SET name_key = 'other' WHERE id = ?1`,
		"communities", "name_key", false},
	{"a community's posts", `SELECT min(community_id) FROM community_stats WHERE posts > 2`,
		`UPDATE community_stats SET posts = 0 WHERE community_id = ?1`, "community_stats", "posts", false},
	{"a community's posts of the week", `SELECT min(community_id) FROM community_stats WHERE week_posts > 2`,
		`UPDATE community_stats SET week_posts = 99 WHERE community_id = ?1`,
		"community_stats", "week_posts", false},
	{"how many posts a day has", `SELECT max(day) FROM post_days`, `UPDATE post_days SET posts = posts + 9 WHERE day = ?1`, "post_days",
		"posts", false},
	{"a day that is missing", `SELECT min(day) FROM post_days WHERE posts > 0`, `DELETE FROM post_days WHERE day = ?1`, "post_days", "posts",
		false},
	{"a community's open cases", `SELECT community_id FROM community_stats WHERE cases > 0`,
		`UPDATE community_stats SET cases = 0 WHERE community_id = ?1`, "community_stats", "cases", false},
	{"whom a member blocks", `SELECT id FROM users WHERE followers > 2`, `UPDATE users SET blocked = '5,6' WHERE id = ?1`, "users", "blocked",
		false},
	{"a member's followers", `SELECT id FROM users WHERE followers > 2`, `UPDATE users SET followers = 1 WHERE id = ?1`, "users", "followers",
		false},
	{"whom a member follows", `SELECT id FROM users WHERE following > 1`, `UPDATE users SET following = 0 WHERE id = ?1`, "users", "following",
		false},
	{"what a member has not read", `SELECT min(id) FROM users`, `UPDATE users SET unread = 7 WHERE id = ?1`, "users", "unread", false},
	{"the size of an inbox", `SELECT max(id) FROM users`, `UPDATE users SET inbox_size = 9 WHERE id = ?1`, "users", "inbox_size", false},
	{"the key of a member's address", `SELECT id FROM users WHERE email <> ''`, `UPDATE users SET email_key = NULL WHERE id = ?1`, "users",
		"email_key", false},
	{"a moderator's name", `SELECT community_id || ', ' || user_id FROM moderators`,
		`UPDATE moderators SET username = 'x' WHERE community_id || ', ' || user_id = ?1`, "moderators", "username", false},
	{"what waits in a community", `SELECT community_id FROM community_stats WHERE waiting > 0`,
		`UPDATE community_stats SET waiting = 8 WHERE community_id = ?1`, "community_stats", "waiting", false},
	{"what a moderator's header counts", `SELECT community_id FROM community_stats WHERE waiting > 0`,
		`UPDATE communities SET waiting = 77 WHERE id = ?1`, "communities", "waiting", false},
	{"the reports of what waits", `SELECT min(target_id) FROM queue_items WHERE status = 'open'`,
		`UPDATE queue_items SET reports = 9 WHERE target_id = ?1`, "queue_items", "reports", false},
	{"what its reports weigh", `SELECT min(target_id) FROM queue_items WHERE status = 'open'`,
		`UPDATE queue_items SET weight = 9 WHERE target_id = ?1`, "queue_items", "weight", false},
	{"for what it was reported", `SELECT max(target_id) FROM report_reasons`,
		`UPDATE report_reasons SET reports = 5 WHERE target_id = ?1 AND reason = 'Spam'`, "report_reasons", "reports", false},
	{"the votes of a case", `SELECT id FROM quarantines WHERE status = 'open'`, `UPDATE quarantines SET votes = 3 WHERE id = ?1`,
		"quarantines", "votes", false},
	{"the name of who decided a case", `SELECT id FROM quarantines WHERE status = 'dropped'`,
		`UPDATE quarantines SET decided_name = 'x' WHERE id = ?1`, "quarantines", "decided_name", false},
	{"the name of who decided what is in the log", `SELECT min(id) FROM moderation_log`,
		`UPDATE moderation_log SET actor_name = 'x' WHERE id = ?1`, "moderation_log", "actor_name", false},
	{"the name of who is banned", `SELECT min(id) FROM bans`, `UPDATE bans SET username = 'x' WHERE id = ?1`, "bans", "username", false},
	{"a vote kept out by no case", `SELECT target_id || ', ' || user_id FROM votes WHERE status = 0 AND value = 1`,
		`UPDATE votes SET status = 1 WHERE target_id || ', ' || user_id = ?1`, "votes", "status", false},
	{"a vote dropped by no case", `SELECT target_id || ', ' || user_id FROM votes WHERE status = 0 AND value = -1`,
		`UPDATE votes SET status = 2 WHERE target_id || ', ' || user_id = ?1`, "votes", "status", false},
	{"a vote to count that nobody has cast", `SELECT max(id) || ', 1' FROM posts`,
		`INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at) SELECT max(id), 1, 1, 0, 0 FROM posts WHERE ?1 <> ''`, "vote_deltas",
		"row", false},
	{"a comment to count that nobody has written", `SELECT max(id) || ', x' FROM posts`,
		`INSERT INTO count_deltas (post_id, parent_id, path, created_at) SELECT max(id), 0, 'x', 0 FROM posts WHERE ?1 <> ''`, "count_deltas", "row",
		false},
	{"work for a post that is not there", `SELECT 'link, 2' FROM posts`, `INSERT INTO outbox (subject_id, job, queued_at, due_at)
  SELECT 2, 'link', 0, 0 WHERE ?1 <> ''`, "outbox", "row", false},
	{"a form that has created nothing", `SELECT '7, comment x' FROM posts`,
		`INSERT INTO idempotency_keys (author_id, key, digest, result_id, created_at) SELECT 7, 'comment x', '', 3, unixepoch() * 1000 WHERE ?1 <> ''`, "idempotency_keys",
		"row", false},
	{"a vote of a case that is not there", `SELECT '5, 6' FROM posts`, `INSERT INTO quarantined_votes (quarantine_id, user_id) SELECT 5, 6
  WHERE ?1 <> ''`, "quarantined_votes", "row", false},
	{"a page of a community that is not there", `SELECT 9 FROM users`,
		`INSERT INTO wiki_pages (id, community_id, slug, title, text, html, revision) VALUES (?1, 6, 'x', 'x', 'x', '', 1)`, "wiki_pages", "row",
		false},
	{"which revision a page shows", `SELECT max(id) FROM wiki_pages`, `UPDATE wiki_pages SET revision = 7 WHERE id = ?1`, "wiki_pages", "revision",
		false},
	{"karma that a profile does not find", `SELECT author_id FROM author_karma WHERE author_id IN (SELECT author_id FROM posts)`,
		`UPDATE author_karma SET name_key = 'x' WHERE author_id = ?1`,
		"author_karma", "name_key", false},
	{"a name that is written into posts", `SELECT user_id FROM names`, `UPDATE names SET name = 'x' WHERE user_id = ?1`, "names", "name",
		false},
	{"a new name that a shard has missed", `SELECT user_id FROM names`, `DELETE FROM names WHERE user_id = ?1`, "names", "row", true},
	{"a new name of nobody", `SELECT 9 FROM posts`, `INSERT INTO names (user_id, name) VALUES (?1, 'x')`, "names", "row", false},
	{"an avatar that is written into posts", `SELECT user_id FROM avatars`, `UPDATE avatars SET avatar = 'x' WHERE user_id = ?1`, "avatars",
		"avatar", false},
	{"an avatar that a shard has missed", `SELECT user_id FROM avatars`, `DELETE FROM avatars WHERE user_id = ?1`, "avatars", "row", true},
	{"an avatar of nobody", `SELECT 9 FROM posts`, `INSERT INTO avatars (user_id, avatar, revision) VALUES (?1, 'x', 0)`, "avatars", "row",
		false},
	{"an author above the threshold", `SELECT id FROM users WHERE on_read_to < 1000`, `UPDATE users SET on_read_to = NULL WHERE id = ?1`, "users", "on_read_to", false},
	{"a follow of an author above the threshold", `SELECT follower_id || ', ' || followee_id FROM follows WHERE on_read = 1 AND followee_id IN (SELECT id
  FROM users WHERE on_read_to > 1000)`,
		`UPDATE follows SET on_read = 0 WHERE follower_id || ', ' || followee_id = ?1`, "follows", "on_read", false},
	{"a block that a shard has missed", `SELECT blocker_id || ', ' || blocked_id FROM blocks`,
		`DELETE FROM blocks WHERE blocker_id || ', ' || blocked_id = ?1`, "blocks", "row", true},
	{"a block that only a shard has", `SELECT '7, 8' FROM posts`, `INSERT INTO blocks (blocker_id, blocked_id, created_at) SELECT 7, 8, 0
  WHERE ?1 <> ''`, "blocks", "row", true},
	{"the archiving age that a shard goes by", `SELECT id FROM site_settings`, `UPDATE site_settings SET archive = 5 WHERE id = ?1`,
		"site_settings", "body", true},
	{"a shard's copy of a community", `SELECT id FROM communities`, `UPDATE communities SET title = 'Other' WHERE id = ?1`, "communities",
		"title", true},
	{"a logout that a shard has missed", `SELECT subject FROM revocations WHERE subject = 77`, `DELETE FROM revocations WHERE subject = ?1`,
		"revocations", "before", true},
	{"a restore that a shard has missed", `SELECT subject FROM revocations WHERE subject = 77`,
		`UPDATE revocations SET before = 1 << 61 WHERE subject = ?1`, "revocations", "before", true},
	{"a suspension that a shard has missed", `SELECT subject FROM revocations WHERE subject <> 77`,
		`UPDATE revocations SET before = 5 WHERE subject = ?1`, "revocations", "before", true},
}

// plant makes the damage and returns its place: the database's name in reports, and the key.
func (d damage) plant(t *testing.T, s *sitetest.Site) (database, key string) {
	t.Helper()
	for n, db := range s.Shards {
		if d.elsewhere && n == 0 {
			continue
		}
		var picked sql.NullString
		err := db.QueryRow(fmt.Sprintf("SELECT * FROM (%s) LIMIT 1", d.pick)).Scan(&picked)
		if err == sql.ErrNoRows || err == nil && !picked.Valid {
			continue
		}
		require.NoError(t, err)
		var arg any = picked.String
		if !strings.Contains(picked.String, ",") {
			var number int64
			_, err := fmt.Sscan(picked.String, &number)
			require.NoError(t, err)
			arg = number
		}
		result, err := db.Exec(d.do, arg)
		require.NoError(t, err)
		changed, _ := result.RowsAffected()
		require.Equal(t, int64(1), changed, d.name)
		if n == 0 {
			return "directory", picked.String
		}
		return fmt.Sprintf("shard %d", n), picked.String
	}
	t.Fatal("there is no row to damage")
	return "", ""
}

func TestDamage(t *testing.T) {
	for _, shards := range []int{1, 3} {
		t.Run(fmt.Sprintf("every kind is found and repaired, in %d databases", shards), func(t *testing.T) {
			s := sitetest.OpenFilled(t, shards)
			planted := map[string][4]string{}
			for _, d := range damages {
				if shards > 1 || !d.elsewhere {
					database, key := d.plant(t, s)
					planted[d.name] = [4]string{database, d.table, key, d.column}
				}
			}
			for _, repaired := range []bool{false, true} {
				found := find(t, s)
				if repaired {
					found = repair(t, s)
				}
				reported := map[[4]string]bool{}
				for _, f := range found {
					require.Equal(t, repaired, f.Repaired, f)
					reported[[4]string{f.Database, f.Table, f.Key, f.Column}] = true
				}
				for name, where := range planted {
					require.True(t, reported[where], "%s, %v, is not among %v", name, where, found)
				}
			}
			repair(t, s) // the consequences of wrong values
			require.Empty(t, find(t, s))
		})
	}
	t.Run("one wrong value is one difference", func(t *testing.T) {
		s := sitetest.OpenFilled(t, 1)
		for _, name := range []string{"a post's ups", "a comment's best rank", "the rank of an answer", "who the post's author is",
			"a comment's path", "an author's karma"} {
			d := damages[slices.IndexFunc(damages, func(d damage) bool { return d.name == name })]
			_, key := d.plant(t, s)
			found := repair(t, s)
			require.Len(t, found, 1)
			require.Equal(t, [3]string{d.table, key, d.column}, [3]string{found[0].Table, found[0].Key, found[0].Column})
			require.Empty(t, find(t, s), name)
		}
	})
}

func TestWhatCannotBeRepaired(t *testing.T) {
	s := sitetest.OpenFilled(t, 1)
	for _, q := range []string{
		`INSERT INTO votes (target_id, user_id, value, updated_at) VALUES (1000, 1, 0, 0)`,
		`UPDATE comments SET post_id = 2000, parent_id = 0 WHERE id = (SELECT max(id) FROM comments WHERE replies = 0 AND ups = 1
  AND parent_id = 0)`,
		`UPDATE posts SET author_id = 3000 WHERE id = (SELECT max(id) FROM posts WHERE author_id IS NULL)`,
	} {
		_, err := s.Directory.Exec(q)
		require.NoError(t, err)
	}
	for range 2 {
		repair(t, s)
	}
	var columns []string
	for _, f := range repair(t, s) {
		require.False(t, f.Repaired, f)
		require.NotEmpty(t, f.NotRepaired, f)
		columns = append(columns, f.Table+"."+f.Column)
	}
	require.ElementsMatch(t, []string{"votes.target_id", "comments.post_id", "posts.author_id"}, columns)
}

func TestDamagedSets(t *testing.T) {
	s := sitetest.OpenFilled(t, 3)
	_, err := s.Redis.Do(ctx, upstash.Cmd{"ZREM", "hot:c:gamma", "whole"})
	require.NoError(t, err)
	require.Empty(t, find(t, s), "a set that is lost is no difference")

	var first, other int64
	require.NoError(t, s.Directory.QueryRow(`SELECT id FROM posts WHERE community_name = 'Alpha' AND status = 'published' ORDER BY hot DESC, id DESC`).
		Scan(&first))
	require.NoError(t, s.Shards[1].QueryRow(`SELECT id FROM posts WHERE community_name = 'Beta' AND status = 'published'`).Scan(&other))
	member, stranger := data.ID(first).Text(), data.ID(other).Text()
	for name, test := range map[string]struct {
		damage upstash.Cmd
		key    string
		column string
	}{
		"a score":                        {upstash.Cmd{"ZADD", "hot:c:alpha", 1, member}, fmt.Sprint(first), "score"},
		"a member that is missing":       {upstash.Cmd{"ZREM", "hot:c:alpha", member}, fmt.Sprint(first), "score"},
		"a post of another community":    {upstash.Cmd{"ZADD", "hot:c:alpha", 1, stranger}, fmt.Sprint(other), "score"},
		"a member that is no post":       {upstash.Cmd{"ZADD", "hot:c:alpha", 1, "what?"}, `"what?"`, "row"},
		"the mark below others":          {upstash.Cmd{"ZADD", "hot:c:alpha", 1, "whole"}, "whole", "score"},
		"a set that would live for ever": {upstash.Cmd{"PERSIST", "hot:c:alpha"}, "whole", "expiry"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Redis.Do(ctx, test.damage)
			require.NoError(t, err)
			found := repair(t, s)
			require.Len(t, found, 1)
			require.Equal(t, []any{"redis", "hot:c:alpha", test.key, test.column, true},
				[]any{found[0].Database, found[0].Table, found[0].Key, found[0].Column, found[0].Repaired}, "%s", found[0])
			page, err := s.Hot.Page(ctx, "Alpha", 5)
			require.NoError(t, err)
			require.True(t, page.OK)
			require.Equal(t, data.ID(first), page.Members[0].ID)
		})
	}
	require.Empty(t, find(t, s))
}
