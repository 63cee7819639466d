package votes

import (
	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/hot"
	"plaza/data/content/posts"
	"plaza/ranking"
)

// The statements that apply deltas. They run in one IMMEDIATE transaction, so no delta can come between the first sum and the DELETE:
// exactly the deltas that were summed are deleted, even with concurrent applies and repeated messages. All rows are found by
// primary key.
var (
	// The triggers of the view post_counters write into posts: all columns if the score or the controversy has moved by more than a 32nd,
	// otherwise only ups and downs, which are in no index.
	applyPostVotes = `UPDATE post_counters SET ups = ` + postUps + `, downs = ` + postDowns + `, score = ` + postScore + `,
  hot = ` + ranking.HotSQL(postScore, "post_counters.created_at") + `, controversy = ` +
		ranking.ControversySQL(postUps, postDowns) + sumOfDeltas + `post_counters.id`

	// The triggers of comment_counters do the same for comments.
	applyCommentVotes = `UPDATE comment_counters SET ups = ` + commentUps + `, downs = ` + commentDowns + `, score = ` + commentUps + ` - ` +
		commentDowns + `,
  best = ` + commentBest + `, controversy = ` + ranking.ControversySQL(commentUps, commentDowns) + `,
  qa = iif(comment_counters.qa < 1, ` + commentBest + `, ` + comments.QuestionRank("comment_counters", commentBest) + `)` +
		sumOfDeltas + `comment_counters.id`
	commentBest = ranking.WilsonSQL(commentUps, commentDowns)
)

const (
	sumOfDeltas = ` FROM (SELECT target_id, sum(ups) AS ups, sum(downs) AS downs FROM vote_deltas
  WHERE target_id IN (SELECT value FROM json_each(:targets)) GROUP BY target_id
  HAVING sum(ups) <> 0 OR sum(downs) <> 0) d WHERE d.target_id = `
	postUps      = `(post_counters.ups + d.ups)`
	postDowns    = `(post_counters.downs + d.downs)`
	postScore    = postUps + ` - ` + postDowns
	commentUps   = `(comment_counters.ups + d.ups)`
	commentDowns = `(comment_counters.downs + d.downs)`

	// An author's own votes earn no karma. The author of a deleted account has no name.
	addPostKarma = `INSERT INTO author_karma (author_id, name_key, posts) SELECT p.author_id, iif(p.author_name = '', '~' || p.author_id,
  lower(p.author_name)), sum(d.ups - d.downs)` + postsEarned + `
ON CONFLICT (author_id) DO UPDATE SET posts = posts + excluded.posts`
	addCommentKarma = `INSERT INTO author_karma (author_id, name_key, comments) SELECT c.author_id, iif(c.author_name = '',
  '~' || c.author_id, lower(c.author_name)), sum(d.ups - d.downs)` + commentsEarned + `
ON CONFLICT (author_id) DO UPDATE SET comments = comments + excluded.comments`
	postsEarned = `
FROM vote_deltas d JOIN posts p ON p.id = d.target_id
WHERE d.target_id IN (SELECT value FROM json_each(:targets)) AND p.author_id IS NOT NULL AND d.user_id <> p.author_id GROUP BY p.author_id`
	commentsEarned = `
FROM vote_deltas d JOIN comments c ON c.id = d.target_id
WHERE d.target_id IN (SELECT value FROM json_each(:targets)) AND c.author_id IS NOT NULL AND d.user_id <> c.author_id GROUP BY c.author_id`

	// The authors whose new karma accounts.CopyKarma copies into the directory.
	markPostKarma    = `INSERT INTO karma_changed (author_id) SELECT p.author_id` + postsEarned + earnedAny
	markCommentKarma = `INSERT INTO karma_changed (author_id) SELECT c.author_id` + commentsEarned + earnedAny
	earnedAny        = ` HAVING sum(d.ups - d.downs) <> 0 ON CONFLICT DO NOTHING`

	deleteVoteDeltas = `DELETE FROM vote_deltas WHERE target_id IN (SELECT value FROM json_each(:targets))`
	appliedPosts     = `SELECT p.id, p.community_name, p.hot, p.status = 'published' FROM json_each(:targets) j JOIN posts p ON p.id = j.value`
)

// addVotes adds the deltas of targets to their counters, scores and ranks and to the karma of their authors, and deletes the deltas. Run
// fills the returned list: the new hot score of each post, even if nothing was added.
func addVotes(w *data.Write, targets []data.ID) *[]hot.Change {
	var posts, commentIDs []data.ID
	for _, id := range targets {
		if id.IsComment() {
			commentIDs = append(commentIDs, id)
		} else {
			posts = append(posts, id)
		}
	}
	changes := &[]hot.Change{}
	if len(posts) > 0 {
		w.Do(applyPostVotes, data.Args{"targets": posts})
		w.Do(addPostKarma, data.Args{"targets": posts})
		w.Do(markPostKarma, data.Args{"targets": posts})
		w.Do(deleteVoteDeltas, data.Args{"targets": posts})
		w.Find(appliedPosts, data.Args{"targets": posts}, func(r *data.Row) {
			*changes = append(*changes, hot.Change{ID: r.ID(), Community: r.Text(), Hot: r.Float(), Listed: r.Bool()})
		})
	}
	if len(commentIDs) > 0 {
		w.Do(applyCommentVotes, data.Args{"targets": commentIDs})
		w.Do(comments.RankQuestions, data.Args{"targets": commentIDs})
		w.Do(addCommentKarma, data.Args{"targets": commentIDs})
		w.Do(markCommentKarma, data.Args{"targets": commentIDs})
		w.Do(deleteVoteDeltas, data.Args{"targets": commentIDs})
	}
	return changes
}

// The triggers of the view post_activity write into posts: active and comments_step only if they have moved. A comment that was removed or
// deleted meanwhile moves nothing. Index comments_path.
var addPostComments = `UPDATE post_activity SET comments = post_activity.comments + d.n,
  comments_step = iif(abs(post_activity.comments + d.n - post_activity.comments_step) * 32 > post_activity.comments_step,
    post_activity.comments + d.n, post_activity.comments_step),
  comment_times = ` + posts.AddCommentTimes("post_activity.comment_times", "post_activity.created_at",
	"SELECT w.created_at AS at FROM count_deltas w WHERE w.post_id = post_activity.id") + `,
  commented_at = nullif(max(coalesce(post_activity.commented_at, 0), coalesce(d.last / 60000 * 60000, 0)), 0),
  active = max(post_activity.active, ` + ranking.ActiveSQL("post_activity.created_at", "d.others") + `)
FROM (SELECT w.post_id, count(*) AS n, max(c.created_at) AS last, max(iif(c.op, NULL, c.created_at)) AS others
  FROM count_deltas w LEFT JOIN comments c ON c.post_id = w.post_id AND c.path = w.path AND c.status = 'published' AND c.held = 0
  WHERE w.post_id IN (SELECT value FROM json_each(:posts)) GROUP BY w.post_id) d WHERE d.post_id = post_activity.id`

const (
	// Every ancestor of a new comment is a prefix of its path, found by the unique index on (post_id, path). The longest is its parent. 13
	// is data.IDTextLen.
	addToAncestors = `UPDATE comments SET replies = comments.replies + d.replies, descendants = comments.descendants + d.n FROM (
  WITH RECURSIVE ancestors (post_id, path, parent) AS (
    SELECT post_id, substr(path, 1, length(path) - 13), 1 FROM count_deltas WHERE post_id IN (SELECT value FROM json_each(:posts))
  AND parent_id <> 0 UNION ALL
    SELECT post_id, substr(path, 1, length(path) - 13), 0 FROM ancestors WHERE length(path) > 13)
  SELECT post_id, path, sum(parent) AS replies, count(*) AS n FROM ancestors GROUP BY post_id, path) d
WHERE comments.post_id = d.post_id AND comments.path = d.path`
	// The trigger reputations_comment_changed subtracts comments that are removed, even if that was before this.
	addReputation = `INSERT INTO reputations (community_id, user_id, comments) SELECT p.community_id, c.author_id, count(*)
FROM count_deltas d CROSS JOIN comments c ON c.post_id = d.post_id AND c.path = d.path CROSS JOIN posts p ON p.id = d.post_id
WHERE d.post_id IN (SELECT value FROM json_each(:posts)) AND c.author_id IS NOT NULL GROUP BY p.community_id, c.author_id
ON CONFLICT (community_id, user_id) DO UPDATE SET comments = comments + excluded.comments`
	deleteCountDeltas = `DELETE FROM count_deltas WHERE post_id IN (SELECT value FROM json_each(:posts))`
)

// addComments adds new comments to the counters of their posts and of the comments above them, moves the posts in the order "active", and
// deletes the comments from count_deltas, where the triggers comments_added and comments_shown have written them.
func addComments(w *data.Write, posts []data.ID) {
	if len(posts) == 0 {
		return
	}
	for _, apply := range []string{addPostComments, addToAncestors, addReputation, deleteCountDeltas} {
		w.Do(apply, data.Args{"posts": posts})
	}
}
