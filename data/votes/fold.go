package votes

import (
	"context"
	"errors"

	"plaza/data"
	"plaza/data/hot"
	"plaza/data/hrana"
	"plaza/ranking"
)

// The statements of a fold. ?1 is a JSON array of ids. They run in one IMMEDIATE
// transaction, so no delta can come between the first sum and the DELETE: exactly what
// was added up is deleted, whoever else folds, however often a message comes.
var (
	newPostUps   = "(posts.ups + d.ups)"
	newPostDowns = "(posts.downs + d.downs)"
	newPostScore = newPostUps + " - " + newPostDowns
	foldPosts    = `UPDATE posts SET ups = ` + newPostUps + `, downs = ` + newPostDowns + `, score = ` + newPostScore + `,
  hot = ` + ranking.HotSQL(newPostScore, "posts.created_at") + `, controversy = ` + ranking.ControversySQL(newPostUps, newPostDowns) + sumOfDeltas + `posts.id`
	newCommentUps   = "(comments.ups + d.ups)"
	newCommentDowns = "(comments.downs + d.downs)"
	newCommentBest  = ranking.WilsonSQL(newCommentUps, newCommentDowns)
	foldComments    = `UPDATE comments SET ups = ` + newCommentUps + `, downs = ` + newCommentDowns + `, score = ` + newCommentUps + ` - ` + newCommentDowns + `,
  best = ` + newCommentBest + `, qa = iif(comments.qa < 1, ` + newCommentBest + `, comments.qa)` + sumOfDeltas + `comments.id`
	// Few comments have votes both ways: the others keep their entry in the index.
	foldControversy = `UPDATE comments SET controversy = ` + ranking.ControversySQL("ups", "downs") + `
WHERE id IN (SELECT value FROM json_each(?1)) AND (controversy > 0 OR ups > 0 AND downs > 0)`
	// The Q&A rank of what the post's author has answered, when votes on the question or
	// on an answer were folded. Index comments_answers for the best answer.
	foldAnswered = `UPDATE comments SET qa = coalesce((SELECT ` + ranking.QARankSQL("comments.best", "length(comments.body)", "a.best", "length(a.body)") + `
  FROM comments a WHERE a.parent_id = comments.id AND a.op = 1 AND a.status = 'published' ORDER BY a.best DESC, length(a.body) DESC LIMIT 1), best)
WHERE qa >= 1 AND id IN (SELECT value FROM json_each(?1)
  UNION ALL SELECT c.parent_id FROM json_each(?1) j JOIN comments c ON c.id = j.value WHERE c.op = 1)`
)

const (
	// Index vote_deltas_target.
	sumOfDeltas = ` FROM (SELECT target_id, sum(ups) AS ups, sum(downs) AS downs FROM vote_deltas
  WHERE target_id IN (SELECT value FROM json_each(?1)) GROUP BY target_id) d WHERE d.target_id = `
	// An author's own votes earn nothing.
	foldPostKarma = `INSERT INTO author_karma (author_id, name_key, posts) SELECT p.author_id, lower(p.author_name), sum(d.ups - d.downs)
FROM vote_deltas d JOIN posts p ON p.id = d.target_id
WHERE d.target_id IN (SELECT value FROM json_each(?1)) AND p.author_id IS NOT NULL AND d.user_id <> p.author_id GROUP BY p.author_id
ON CONFLICT (author_id) DO UPDATE SET posts = posts + excluded.posts`
	foldCommentKarma = `INSERT INTO author_karma (author_id, name_key, comments) SELECT c.author_id, lower(c.author_name), sum(d.ups - d.downs)
FROM vote_deltas d JOIN comments c ON c.id = d.target_id
WHERE d.target_id IN (SELECT value FROM json_each(?1)) AND c.author_id IS NOT NULL AND d.user_id <> c.author_id GROUP BY c.author_id
ON CONFLICT (author_id) DO UPDATE SET comments = comments + excluded.comments`
	deleteVoteDeltas = `DELETE FROM vote_deltas WHERE target_id IN (SELECT value FROM json_each(?1))`
	foldedPosts      = `SELECT p.id, p.community_name, p.hot, p.status = 'published' FROM json_each(?1) j JOIN posts p ON p.id = j.value`

	// Index count_deltas_post.
	foldPostComments = `UPDATE posts SET comments = posts.comments + d.n FROM (SELECT post_id, count(*) AS n FROM count_deltas
  WHERE post_id IN (SELECT value FROM json_each(?1)) GROUP BY post_id) d WHERE d.post_id = posts.id`
	foldReplies = `UPDATE comments SET replies = comments.replies + d.n FROM (SELECT parent_id, count(*) AS n FROM count_deltas
  WHERE post_id IN (SELECT value FROM json_each(?1)) AND parent_id <> 0 GROUP BY parent_id) d WHERE d.parent_id = comments.id`
	// Every ancestor of a new comment is a prefix of its path, found by the unique
	// index on (post_id, path). 13 is IDTextLen.
	foldDescendants = `UPDATE comments SET descendants = comments.descendants + d.n FROM (
  WITH RECURSIVE ancestors (post_id, path) AS (
    SELECT post_id, substr(path, 1, length(path) - 13) FROM count_deltas WHERE post_id IN (SELECT value FROM json_each(?1)) AND parent_id <> 0
    UNION ALL
    SELECT post_id, substr(path, 1, length(path) - 13) FROM ancestors WHERE length(path) > 13)
  SELECT post_id, path, count(*) AS n FROM ancestors GROUP BY post_id, path) d
WHERE comments.post_id = d.post_id AND comments.path = d.path`
	deleteCountDeltas = `DELETE FROM count_deltas WHERE post_id IN (SELECT value FROM json_each(?1))`
)

// Left is what a fold could not do.
type Left struct {
	Refused Pending // the database refuses each of these by itself, and will until somebody mends it
	Rest    Pending // their database was away, or too much was refused at once
}

// foldCalls bounds the transactions of one fold over all shards, of the 50 requests that
// the free plan allows to a delivery. Each shard has at least one.
const foldCalls = 30

// foldItem is a target whose votes, or a post whose new comments are to be counted.
type foldItem struct {
	id    data.ID
	count bool // comments
}

// Fold adds what is pending for these targets and posts to their counters: one
// transaction a shard, one counter update a target however many votes it had. Then
// it writes the new hot scores into the sorted sets. It may run any number of times,
// on any targets, in any order.
//
// What one shard or one target can't do is no matter of the others: they are folded, and
// it is in what is left. The error says why, and also when judging a target for brigades
// or writing the sets has failed. For the sets nothing is left: see HotSets.Distrust.
func (s *Store) Fold(ctx context.Context, p Pending) (left Left, err error) {
	parts := map[*hrana.Client][]foldItem{}
	add := func(id data.ID, count bool) {
		if shard := s.DB.OldShard(id); shard != nil { // else an id of no shard: nothing to fold
			parts[shard] = append(parts[shard], foldItem{id, count})
		}
	}
	for _, id := range p.Targets {
		add(id, false)
	}
	for _, id := range p.Posts {
		add(id, true)
	}
	var changes []hot.Change
	calls := foldCalls
	for _, shard := range s.DB.OldShards() {
		if len(parts[shard]) > 0 {
			folded, failed := s.foldShard(ctx, shard, parts[shard], &calls, &left)
			changes, err = append(changes, folded...), errors.Join(err, failed)
		}
	}
	return left, errors.Join(err, s.Hot.Apply(ctx, changes))
}

// foldShard folds, and asks in the same transaction which targets to look at for
// brigades. Their votes are counted for as long as that look takes.
func (s *Store) foldShard(ctx context.Context, shard *hrana.Client, items []foldItem, calls *int, left *Left) (changes []hot.Change, err error) {
	var crowded suspects
	fold := data.Trial[foldItem]{Calls: *calls, Do: func(items []foldItem) error {
		folded, err := s.foldTogether(ctx, shard, items, &crowded)
		changes = append(changes, folded...)
		return err
	}}
	fold.Run(items)
	left.Refused.addItems(fold.Refused)
	left.Rest.addItems(fold.Rest)
	*calls = fold.Calls
	if len(crowded.targets) == 0 {
		return changes, fold.Err
	}
	found, err := s.judge(ctx, shard, crowded.targets, crowded.now)
	if err != nil {
		left.Rest.Targets = append(left.Rest.Targets, crowded.targets...)
		return changes, errors.Join(fold.Err, err)
	}
	hold := data.Trial[brigade]{Calls: *calls, Do: func(found []brigade) error {
		held, err := s.quarantine(ctx, shard, found, crowded.now)
		changes = append(changes, held...)
		return err
	}}
	hold.Run(found)
	for _, b := range hold.Refused {
		left.Refused.Targets = append(left.Refused.Targets, b.target)
	}
	for _, b := range hold.Rest {
		left.Rest.Targets = append(left.Rest.Targets, b.target)
	}
	*calls = hold.Calls
	return changes, errors.Join(fold.Err, hold.Err)
}

// foldTogether folds in one transaction and adds the targets to look at to crowded.
func (s *Store) foldTogether(ctx context.Context, shard *hrana.Client, items []foldItem, crowded *suspects) ([]hot.Change, error) {
	var posts, comments, counts, targets []data.ID
	for _, item := range items {
		switch {
		case item.count:
			counts = append(counts, item.id)
			continue
		case item.id.IsComment():
			comments = append(comments, item.id)
		default:
			posts = append(posts, item.id)
		}
		targets = append(targets, item.id)
	}
	stmts := foldStmts(posts, comments, counts)
	watched := s.Limits.MinVotes > 0 && len(targets) > 0
	if watched {
		stmts = append([]hrana.Stmt{s.crowded(targets), s.countVoters(targets)}, stmts...)
	}
	results, err := data.Tx(ctx, shard, stmts...)
	if err != nil {
		return nil, err
	}
	if watched {
		if err := crowded.scan(results[0]); err != nil {
			return nil, err
		}
	}
	return hotChanges(posts, results)
}

func (p *Pending) addItems(items []foldItem) {
	for _, item := range items {
		if item.count {
			p.Posts = append(p.Posts, item.id)
		} else {
			p.Targets = append(p.Targets, item.id)
		}
	}
}

func foldStmts(posts, comments, counts []data.ID) (stmts []hrana.Stmt) {
	if len(posts) > 0 {
		ids := data.JsonIDs(posts)
		stmts = append(stmts, data.OldStmt(foldPosts, ids), data.OldStmt(foldPostKarma, ids), data.OldStmt(deleteVoteDeltas, ids))
	}
	if len(comments) > 0 {
		ids := data.JsonIDs(comments)
		stmts = append(stmts, data.OldStmt(foldComments, ids), data.OldStmt(foldControversy, ids), data.OldStmt(foldAnswered, ids),
			data.OldStmt(foldCommentKarma, ids), data.OldStmt(deleteVoteDeltas, ids))
	}
	if len(counts) > 0 {
		ids := data.JsonIDs(counts)
		stmts = append(stmts, data.OldStmt(foldPostComments, ids), data.OldStmt(foldReplies, ids), data.OldStmt(foldDescendants, ids), data.OldStmt(deleteCountDeltas, ids))
	}
	if len(posts) > 0 {
		stmts = append(stmts, data.OldStmt(foldedPosts, data.JsonIDs(posts)))
	}
	return stmts
}

// hotChanges reads the last result of foldStmts, if it folded posts.
func hotChanges(posts []data.ID, results []hrana.Result) (changes []hot.Change, err error) {
	if len(posts) == 0 {
		return nil, nil
	}
	err = data.Each(results[len(results)-1], func(r *data.Row) {
		changes = append(changes, hot.Change{ID: r.ID(), Community: r.Text(), Hot: r.Float(), Listed: r.Bool()})
	})
	return changes, err
}
