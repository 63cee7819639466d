package deletion

import (
	"context"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/events/outbox"
)

// Each statement deletes at most :limit rows that concern only the member. The triggers of subscriptions and follows
// keep the counters of communities and of other members. Primary keys and the indexes that begin with user_id.
const (
	endSubscriptions = `DELETE FROM subscriptions WHERE user_id = :user AND community_id IN (SELECT community_id FROM subscriptions
  WHERE user_id = :user LIMIT :limit)`
	endFollowing = `DELETE FROM follows WHERE follower_id = :user AND followee_id IN (SELECT followee_id FROM follows
  WHERE follower_id = :user LIMIT :limit)`
	endTags = `DELETE FROM tag_follows WHERE user_id = :user AND name IN (SELECT name FROM tag_follows WHERE user_id = :user
  LIMIT :limit)`
	// A tenth of the limit, because a timeline has up to 800 rows. Both statements are about the same followers.
	unwriteFollowers = `DELETE FROM timeline WHERE author_id = :user AND user_id IN (SELECT follower_id FROM follows WHERE followee_id = :user
  ORDER BY follower_id LIMIT :limit / 10)`
	endFollowers = `DELETE FROM follows WHERE followee_id = :user
  AND follower_id IN (SELECT follower_id FROM follows WHERE followee_id = :user ORDER BY follower_id LIMIT :limit / 10)`
	// The trigger moderators_owner_gone gives the community another owner.
	endModerating = `DELETE FROM moderators WHERE user_id = :user AND community_id IN (SELECT community_id FROM moderators
  WHERE user_id = :user LIMIT :limit)`
	endInvitations = `DELETE FROM moderator_invitations WHERE user_id = :user AND community_id IN (SELECT community_id
  FROM moderator_invitations WHERE user_id = :user LIMIT :limit)`
	emptyInbox = `DELETE FROM inbox WHERE id IN (SELECT id FROM inbox WHERE user_id = :user LIMIT :limit)`
	endWatches = `DELETE FROM watches WHERE user_id = :user AND post_id IN (SELECT post_id FROM watches WHERE user_id = :user
  LIMIT :limit)`
	removePasskeys   = `DELETE FROM passkeys WHERE id IN (SELECT id FROM passkeys WHERE user_id = :user LIMIT :limit)`
	removeIdentities = `DELETE FROM identities WHERE id IN (SELECT id FROM identities WHERE user_id = :user LIMIT :limit)`
	removeSessions   = `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE user_id = :user LIMIT :limit)`
	removeTokens     = `DELETE FROM tokens WHERE id IN (SELECT id FROM tokens WHERE user_id = :user LIMIT :limit)`
	removeNetworks   = `DELETE FROM sign_in_networks WHERE user_id = :user AND network IN (SELECT network FROM sign_in_networks
  WHERE user_id = :user LIMIT :limit)`
	removeTimeline = `DELETE FROM timeline WHERE user_id = :user AND (posted_at, post_id) IN (SELECT posted_at, post_id FROM timeline
  WHERE user_id = :user LIMIT :limit)`
	removeEditions = `DELETE FROM member_editions WHERE user_id = :user AND number IN (SELECT number FROM member_editions
  WHERE user_id = :user LIMIT :limit)`
	removeChoices  = `DELETE FROM mail_choices WHERE user_id = :user AND :limit > 0`
	endThreadMails = `DELETE FROM thread_mails WHERE user_id = :user AND post_id IN (SELECT post_id FROM thread_mails WHERE user_id = :user
  LIMIT :limit)`
	removeDevices = `DELETE FROM devices WHERE id IN (SELECT id FROM devices WHERE user_id = :user LIMIT :limit)`
	removeShown   = `DELETE FROM push_choices WHERE user_id = :user AND :limit > 0`
	removeApp     = `DELETE FROM totp WHERE user_id = :user AND :limit > 0`
	removeCodes   = `DELETE FROM recovery_codes WHERE user_id = :user AND hash IN (SELECT hash FROM recovery_codes WHERE user_id = :user
  LIMIT :limit)`
	// The pictures stay as long as something uses them, such as a post that stays or the icon of a community.
	unnamePictures = `UPDATE pictures SET user_id = NULL WHERE user_id IS NOT NULL AND sum IN (SELECT sum FROM pictures
  WHERE user_id = :user LIMIT :limit)`
	endTotal     = `DELETE FROM picture_totals WHERE user_id = :user AND :limit > 0 AND pictures = 0`
	removeName   = `DELETE FROM names WHERE user_id = :user AND :limit > 0`
	removeAvatar = `DELETE FROM avatars WHERE user_id = :user AND :limit > 0`
	endBlocks    = `DELETE FROM blocks WHERE blocker_id = :user AND blocked_id IN (SELECT blocked_id FROM blocks WHERE blocker_id = :user
  LIMIT :limit)`

	// Entries about the member's decisions lose the name. What moderators wrote to the member is deleted.
	unnameInLog = `UPDATE moderation_log SET actor_name = '' WHERE id IN (SELECT id FROM moderation_log WHERE actor_id = :user
  AND actor_name <> '' LIMIT :limit)`
	forgetNotes = `UPDATE moderation_log SET note = '' WHERE id IN (SELECT id FROM moderation_log WHERE author_id = :user AND note <> ''
  LIMIT :limit)`
	// Reports stay, because the queue counts them. Index reports_reporter.
	forgetWords = `UPDATE reports SET text = '' WHERE reporter_id = :user AND text <> '' AND target_id IN (SELECT target_id FROM reports
  WHERE reporter_id = :user AND text <> '' LIMIT :limit)`

	// What the member has written to moderators is deleted, and their replies stay. What the member wrote as a moderator stays without the
	// name. An appeal keeps its verdict, which is in the log. Index conversations_user, then conversation_messages_of and primary keys.
	forgetMessages = `DELETE FROM conversation_messages WHERE id IN (
  SELECT m.id FROM conversations c CROSS JOIN conversation_messages m ON m.conversation_id = c.id
  WHERE c.user_id = :user AND m.author_id = :user AND m.side = 'member' LIMIT :limit)`
	// Inbox entries of moderators quote the member. Index inbox_subject.
	forgetEntries = `DELETE FROM inbox WHERE id IN (SELECT i.id FROM conversations c CROSS JOIN inbox i ON i.post_id = c.id
  WHERE c.user_id = :user LIMIT :limit)`
	endConversations = `UPDATE conversations SET subject = '[deleted]', about = '', status = 'closed' WHERE id IN (
  SELECT c.id FROM conversations c WHERE c.user_id = :user AND c.subject <> '[deleted]' LIMIT :limit)`

	// Messages to the administrators lose the name and, once they have a reply, the address. Index contact_messages_user.
	unnameMessages = `UPDATE contact_messages SET name = '', email = iif(answered_at IS NULL, email, ''), user_id = 0
WHERE id IN (SELECT id FROM contact_messages WHERE user_id = :user AND user_id <> 0 LIMIT :limit)`

	// Records of submitted forms, in every database, and the record of the sign-up itself. Primary key, index idempotency_keys_account.
	forgetKeys = `DELETE FROM idempotency_keys WHERE author_id = :user AND key IN (SELECT key FROM idempotency_keys WHERE author_id = :user
  LIMIT :limit)`
	forgetSignUp = `DELETE FROM idempotency_keys WHERE author_id = 0 AND key IN (SELECT m.key FROM idempotency_keys m
WHERE m.result_id = :user AND m.author_id = 0 LIMIT :limit)`

	// Rows of a shard. A quarantine has a copy of the name of the member who decided it.
	removeSaves  = `DELETE FROM saves WHERE user_id = :user AND target_id IN (SELECT target_id FROM saves WHERE user_id = :user LIMIT :limit)`
	removeVisits = `DELETE FROM visits WHERE user_id = :user AND post_id IN (SELECT post_id FROM visits WHERE user_id = :user LIMIT :limit)`
	removeHides  = `DELETE FROM hides WHERE user_id = :user AND post_id IN (SELECT post_id FROM hides WHERE user_id = :user LIMIT :limit)`
	endBans      = `DELETE FROM bans WHERE id IN (SELECT id FROM bans WHERE user_id = :user LIMIT :limit)`
	endNotes     = `DELETE FROM member_notes WHERE id IN (SELECT id FROM member_notes WHERE user_id = :user LIMIT :limit)`
	endFlairs    = `DELETE FROM member_flairs WHERE user_id = :user AND community_id IN (SELECT community_id FROM member_flairs
  WHERE user_id = :user LIMIT :limit)`
	unnameDecider = `UPDATE quarantines SET decided_name = '' WHERE id IN (SELECT id FROM quarantines WHERE decided_by = :user
  AND decided_name <> '' LIMIT :limit)`
)

var (
	stepsInDirectory = []string{endSubscriptions, endFollowing, endTags, unwriteFollowers, endFollowers, endModerating, endInvitations,
		emptyInbox, endWatches, removePasskeys, removeIdentities, removeSessions, removeTokens, removeNetworks, removeApp, removeCodes,
		removeTimeline, removeEditions, removeChoices, endThreadMails, removeDevices, removeShown, endBlocks, removeName, removeAvatar,
		unnameInLog, forgetNotes, forgetWords, forgetMessages, forgetEntries, endConversations, unnameMessages, unnamePictures, endTotal,
		forgetKeys, forgetSignUp}
	stepsInShard = []string{removeSaves, removeHides, removeVisits, endBans, endNotes, endFlairs, unnameDecider, endBlocks, removeName,
		removeAvatar,
		unnameInLog, forgetNotes, forgetWords, forgetKeys}
)

const (
	// Posts of the member that still have the name: the published ones by the index posts_author, the others by posts_gone. A post that is
	// done is in neither.
	publishedPosts = `SELECT p.id, iif(p.link_key = '', 'post:' || p.id, p.link_key) FROM posts p
WHERE p.author_name = :name COLLATE NOCASE AND p.status = 'published' AND p.author_id IS NOT NULL AND p.author_id = :user LIMIT :limit`
	otherPosts = `SELECT p.id, iif(p.link_key = '', 'post:' || p.id, p.link_key) FROM posts p
WHERE p.author_id = :user AND p.status <> 'published' AND p.author_name <> '' LIMIT :limit`
	// The same of comments, by comments_author and comments_gone.
	publishedComments = `SELECT c.id FROM comments c
WHERE c.author_name = :name COLLATE NOCASE AND c.status = 'published' AND c.author_id IS NOT NULL AND c.author_id = :user LIMIT :limit`
	otherComments = `SELECT c.id FROM comments c WHERE c.author_id = :user AND c.status <> 'published' AND c.author_name <> '' LIMIT :limit`

	// Index posts_same: a post's crossposts have the same link_key. :posts is an array of pairs of id and link_key.
	forgetAuthor = `UPDATE posts SET crosspost = json_set(crosspost, '$.author', '')
WHERE link_key <> '' AND link_key IN (SELECT value ->> 1 FROM json_each(:posts)) AND crosspost_of IN (SELECT value ->> 0
  FROM json_each(:posts))`
	forgetPost = `UPDATE posts SET crosspost = json_set(crosspost, '$.title', '[deleted]', '$.slug', '', '$.author', '', '$.link', '')
WHERE link_key <> '' AND link_key IN (SELECT value ->> 1 FROM json_each(:posts)) AND crosspost_of IN (SELECT value ->> 0
  FROM json_each(:posts))`

	unnamePosts = `UPDATE posts SET author_name = '', author_avatar = '' WHERE id IN (SELECT value FROM json_each(:ids))
  AND author_id = :user`
	unnameComments = `UPDATE comments SET author_name = '', author_avatar = '' WHERE id IN (SELECT value FROM json_each(:ids))
  AND author_id = :user`
	deleteDrafts = `DELETE FROM posts WHERE id IN (SELECT value FROM json_each(:ids)) AND author_id = :user
  AND status IN ('draft', 'scheduled')`
	deleteTexts = `DELETE FROM post_texts WHERE post_id IN (SELECT p.id FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value
  AND p.author_id = :user)`
	deletePosts = `UPDATE posts SET status = 'deleted', title = '[deleted]', words = '', author_name = '', author_avatar = '',
  link = '', image = '', domain = '', excerpt = '', link_key = '', crosspost_of = NULL, crosspost = NULL, flair_id = NULL, tags = '',
  pictures = ''
WHERE id IN (SELECT value FROM json_each(:ids)) AND author_id = :user`
	deleteComments = `UPDATE comments SET status = 'deleted', body = '', words = '', body_html = '', author_name = '', author_avatar = '',
  pictures = ''
WHERE id IN (SELECT value FROM json_each(:ids)) AND author_id = :user`
	// Votes that come later would insert a row with a key that is made from the name (addPostKarma in data/content/votes/counters.go).
	unnameKarma = `UPDATE author_karma SET name_key = '~' || author_id WHERE author_id = :user AND name_key NOT LIKE '~%'`
)

// stepOnShard runs one step for the member's posts and comments on a shard.
func (s *Store) stepOnShard(ctx context.Context, shard data.Where, d accountDeletion) (changed bool, err error) {
	var posts [][2]any
	var postIDs, commentIDs []data.ID
	r := s.DB.Read()
	byName, byID := d.args(data.Args{"name": d.name, "limit": stepRows}), d.args(data.Args{"limit": stepRows})
	onPost := func(row *data.Row) {
		id := row.ID()
		posts, postIDs = append(posts, [2]any{int64(id), row.Text()}), append(postIDs, id)
	}
	onComment := func(row *data.Row) { commentIDs = append(commentIDs, row.ID()) }
	r.FindAt(shard, publishedPosts, byName, onPost)
	r.FindAt(shard, otherPosts, byID, onPost)
	r.FindAt(shard, publishedComments, byName, onComment)
	r.FindAt(shard, otherComments, byID, onComment)
	if err := r.Run(ctx); err != nil {
		return false, err
	}
	forget := forgetAuthor
	if d.content == Delete {
		forget = forgetPost
	}
	if len(posts) > 0 { // crossposts first: later steps don't find these posts again
		text := jsonOf(posts)
		if err := s.DB.WriteAll(ctx, func(w *data.Write) { w.Do(forget, data.Args{"posts": text}) }); err != nil {
			return false, err
		}
	}
	var rows []*data.Change
	w := s.DB.WriteAt(shard)
	for _, sql := range stepsInShard {
		rows = append(rows, w.Do(sql, d.args(data.Args{"limit": stepRows})))
	}
	rows = append(rows, w.Do(unnameKarma, d.args(nil)))
	own := d.args(data.Args{"ids": postIDs})
	switch {
	case len(postIDs) == 0:
	case d.content == Delete:
		w.Do(deleteDrafts, own)
		w.Do(deleteTexts, own)
		w.Do(deletePosts, own)
		outbox.EnqueueUpdatePosts(w, s.Source, d.user, postIDs)
		outbox.EnqueueForgetPosts(w, s.Source, d.user, postIDs...)
		w.EnqueueApply(postIDs...) // which removes them from the hot sets
	default:
		w.Do(deleteDrafts, own) // no other member has ever seen them
		w.Do(unnamePosts, own)
	}
	own = d.args(data.Args{"ids": commentIDs})
	switch {
	case len(commentIDs) == 0:
	case d.content == Delete:
		w.Do(deleteComments, own)
		w.Do(comments.RankQuestions, data.Args{"targets": commentIDs})
		outbox.EnqueueUpdateComments(w, s.Source, d.user, commentIDs)
		outbox.EnqueueForgetComments(w, s.Source, d.user, commentIDs...)
	default:
		w.Do(unnameComments, own)
	}
	if err := w.Run(ctx); err != nil {
		return false, err
	}
	changed = len(postIDs)+len(commentIDs) > 0
	for _, c := range rows {
		changed = changed || c.Rows > 0
	}
	return changed, nil
}
