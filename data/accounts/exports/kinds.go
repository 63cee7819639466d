package exports

import "plaza/data"

const (
	// A part ends where the weights of its rows add up to :size.
	partsOf  = `SELECT k, i, max(before), count(*) FROM (SELECT k, i, sum(w) OVER (ROWS UNBOUNDED PRECEDING) - w AS before FROM (`
	partsEnd = `)) GROUP BY before / :size ORDER BY before / :size`
	rowsOf   = `FROM (SELECT k, i, w, sum(w) OVER (ROWS UNBOUNDED PRECEDING) - w AS before FROM (`
	rowsEnd  = `x.before < :size AND (x.k, x.i) <= (:to, :to_id) ORDER BY x.before`
	selected = `SELECT x.k, x.i, x.before, x.w, `
)

// Keys of a member's things, in the order of the index or primary key that finds them: k and i are the cursor, w the weight.
var (
	// Index posts_by.
	postKeys = `SELECT p.created_at AS k, p.id AS i, 600 + octet_length(p.pictures) + coalesce((SELECT octet_length(t.text)
  FROM post_texts t WHERE t.post_id = p.id), 0) AS w FROM posts p
WHERE p.author_id = :actor AND p.author_id IS NOT NULL AND p.status = 'published' AND (p.created_at, p.id) > (:after, :after_id)
  AND (p.id >> 12) & 1023` + data.Shown + `
  ORDER BY p.created_at, p.id LIMIT :rows`
	postParts = partsOf + postKeys + partsEnd
	postRows  = selected + `p.id, p.community_name, p.slug, p.title, p.link, p.image, p.pictures, p.tags, t.text, p.nsfw, p.spoiler, p.status,
  p.ups, p.downs, p.comments, p.created_at, p.edited_at, p.publish_at
` + rowsOf + postKeys + `)) x CROSS JOIN posts p ON p.id = x.i LEFT JOIN post_texts t ON t.post_id = p.id WHERE ` + rowsEnd
	// Index posts_gone: drafts, and what moderators have removed.
	draftKeys = `SELECT p.id AS k, 0 AS i, 600 + octet_length(p.pictures) + coalesce((SELECT octet_length(t.text)
  FROM post_texts t WHERE t.post_id = p.id), 0) AS w FROM posts p
WHERE p.author_id = :actor AND p.status <> 'published' AND p.author_name <> '' AND p.status <> 'deleted' AND p.id > :after
  AND (p.id >> 12) & 1023` + data.Shown + ` ORDER BY p.id
  LIMIT :rows`
	draftParts = partsOf + draftKeys + partsEnd
	draftRows  = selected + `p.id, p.community_name, p.slug, p.title, p.link, p.image, p.pictures, p.tags, t.text, p.nsfw, p.spoiler, p.status,
  p.ups, p.downs, p.comments, p.created_at, p.edited_at, p.publish_at
` + rowsOf + draftKeys + `)) x CROSS JOIN posts p ON p.id = x.k LEFT JOIN post_texts t ON t.post_id = p.id WHERE ` + rowsEnd
	// Index comments_author, read backwards.
	commentKeys = `SELECT c.id AS k, 0 AS i, 400 + octet_length(c.body) + octet_length(c.pictures) AS w FROM comments c
WHERE c.author_name = :name COLLATE NOCASE AND c.status = 'published' AND c.author_id IS NOT NULL AND c.author_id = :actor AND c.id > :after
  AND (c.id >> 12) & 1023` + data.Shown + `
  ORDER BY c.id LIMIT :rows`
	commentParts = partsOf + commentKeys + partsEnd
	commentRows  = selected + `c.id, c.post_id, c.parent_id, c.body, c.pictures, c.status, c.ups, c.downs, c.created_at, c.edited_at
` + rowsOf + commentKeys + `)) x CROSS JOIN comments c ON c.id = x.k WHERE ` + rowsEnd
	// Index comments_gone.
	removedKeys = `SELECT c.id AS k, 0 AS i, 400 + octet_length(c.body) + octet_length(c.pictures) AS w FROM comments c
WHERE c.author_id = :actor AND c.status <> 'published' AND c.author_name <> '' AND c.status <> 'deleted' AND c.id > :after
  AND (c.id >> 12) & 1023` + data.Shown + ` ORDER BY c.id
  LIMIT :rows`
	removedParts = partsOf + removedKeys + partsEnd
	removedRows  = selected + `c.id, c.post_id, c.parent_id, c.body, c.pictures, c.status, c.ups, c.downs, c.created_at, c.edited_at
` + rowsOf + removedKeys + `)) x CROSS JOIN comments c ON c.id = x.k WHERE ` + rowsEnd
	// Index votes_user, of which the trigger votes_automatic_changed makes an entry when the author of a post or comment changes the vote
	// that it was made with. Whether a vote is counted is not told (docs/moderation.md).
	voteKeys = `SELECT v.target_id AS k, 0 AS i, 1 AS w FROM votes v WHERE v.user_id = :actor AND v.automatic = 0 AND v.target_id > :after
  AND (v.target_id >> 12) & 1023` + data.Shown + ` ORDER BY v.target_id
  LIMIT :rows`
	voteParts = partsOf + voteKeys + partsEnd
	voteRows  = selected + `v.target_id, v.value, v.updated_at ` + rowsOf + voteKeys +
		`)) x CROSS JOIN votes v ON v.target_id = x.k AND v.user_id = :actor WHERE ` + rowsEnd
	saveKeys = `SELECT s.target_id AS k, 0 AS i, 1 AS w FROM saves s WHERE s.user_id = :actor AND s.target_id > :after
  AND (s.target_id >> 12) & 1023` + data.Shown + ` ORDER BY s.target_id
  LIMIT :rows`
	saveParts = partsOf + saveKeys + partsEnd
	saveRows  = selected + `s.target_id, s.created_at ` + rowsOf + saveKeys +
		`)) x CROSS JOIN saves s ON s.target_id = x.k AND s.user_id = :actor WHERE ` + rowsEnd
	hideKeys = `SELECT h.post_id AS k, 0 AS i, 1 AS w FROM hides h WHERE h.user_id = :actor AND h.post_id > :after
  AND (h.post_id >> 12) & 1023` + data.Shown + ` ORDER BY h.post_id
  LIMIT :rows`
	hideParts = partsOf + hideKeys + partsEnd
	hideRows  = selected + `h.post_id, h.created_at ` + rowsOf + hideKeys +
		`)) x CROSS JOIN hides h ON h.post_id = x.k AND h.user_id = :actor WHERE ` + rowsEnd
	visitKeys = `SELECT v.post_id AS k, 0 AS i, 1 AS w FROM visits v WHERE v.user_id = :actor AND v.post_id > :after
  AND (v.post_id >> 12) & 1023` + data.Shown + ` ORDER BY v.post_id
  LIMIT :rows`
	visitParts = partsOf + visitKeys + partsEnd
	visitRows  = selected + `v.post_id, v.seen_at ` + rowsOf + visitKeys +
		`)) x CROSS JOIN visits v ON v.post_id = x.k AND v.user_id = :actor WHERE ` + rowsEnd
	followKeys = `SELECT f.followee_id AS k, 0 AS i, 1 AS w FROM follows f WHERE f.follower_id = :actor AND f.followee_id > :after
  ORDER BY f.followee_id LIMIT :rows`
	followParts = partsOf + followKeys + partsEnd
	followRows  = selected + `u.username, f.created_at ` + rowsOf + followKeys +
		`)) x CROSS JOIN follows f ON f.followee_id = x.k AND f.follower_id = :actor CROSS JOIN users u ON u.id = x.k WHERE ` + rowsEnd
	joinKeys = `SELECT s.community_id AS k, 0 AS i, 1 AS w FROM subscriptions s WHERE s.user_id = :actor AND s.community_id > :after
  ORDER BY s.community_id LIMIT :rows`
	joinParts = partsOf + joinKeys + partsEnd
	joinRows  = selected + `c.name, s.created_at ` + rowsOf + joinKeys +
		`)) x CROSS JOIN subscriptions s ON s.community_id = x.k AND s.user_id = :actor CROSS JOIN communities c ON c.id = x.k WHERE ` + rowsEnd
	reportKeys = `SELECT r.target_id AS k, 0 AS i, 1 AS w FROM reports r WHERE r.reporter_id = :actor AND r.target_id > :after
  AND r.community_id <> 0 AND (r.target_id >> 12) & 1023` + data.Shown + ` ORDER BY r.target_id LIMIT :rows`
	reportParts = partsOf + reportKeys + partsEnd
	reportRows  = selected + `r.target_id, r.reason, r.text, r.created_at ` + rowsOf + reportKeys +
		`)) x CROSS JOIN reports r ON r.target_id = x.k AND r.reporter_id = :actor WHERE ` + rowsEnd
	accuseKeys = `SELECT r.target_id AS k, 0 AS i, 1 AS w FROM reports r WHERE r.reporter_id = :actor AND r.target_id > :after
  AND r.community_id = 0 ORDER BY r.target_id LIMIT :rows`
	accuseParts = partsOf + accuseKeys + partsEnd
	accuseRows  = selected + `r.target_id, r.reason, r.text, r.created_at ` + rowsOf + accuseKeys +
		`)) x CROSS JOIN reports r ON r.target_id = x.k AND r.reporter_id = :actor WHERE ` + rowsEnd
	// Index conversation_messages_author. What others have written to the member is not the member's.
	messageKeys = `SELECT y.id AS k, 0 AS i, 300 + octet_length(y.body) AS w FROM conversation_messages y WHERE y.author_id = :actor
  AND y.id > :after ORDER BY y.id LIMIT :rows`
	messageParts = partsOf + messageKeys + partsEnd
	messageRows  = selected + `m.id, m.conversation_id, c.subject, m.side, m.body ` + rowsOf + messageKeys +
		`)) x CROSS JOIN conversation_messages m ON m.id = x.k CROSS JOIN conversations c ON c.id = m.conversation_id WHERE ` + rowsEnd
	// Index conversations_user. Of an appeal with what became of it.
	conversationKeys = `SELECT y.said_at AS k, y.id AS i, 300 + octet_length(y.subject) AS w FROM conversations y
WHERE y.user_id = :actor AND (y.said_at, y.id) > (:after, :after_id) ORDER BY y.said_at, y.id LIMIT :rows`
	conversationParts = partsOf + conversationKeys + partsEnd
	conversationRows  = selected + `c.id, k.name, c.subject, c.about, c.status, c.said_at, c.decision_id <> 0, c.verdict
` + rowsOf + conversationKeys + `)) x CROSS JOIN conversations c ON c.id = x.i LEFT JOIN communities k ON k.id = c.community_id WHERE ` +
		rowsEnd
	// Index contact_messages_user.
	contactKeys = `SELECT y.id AS k, 0 AS i, 300 + octet_length(y.body) AS w FROM contact_messages y WHERE y.user_id = :actor
  AND y.user_id <> 0 AND y.id > :after ORDER BY y.id LIMIT :rows`
	contactParts = partsOf + contactKeys + partsEnd
	contactRows  = selected + `m.id, m.email, m.body, m.answered_at ` + rowsOf + contactKeys +
		`)) x CROSS JOIN contact_messages m ON m.id = x.k WHERE ` + rowsEnd
	watchKeys = `SELECT w.post_id AS k, 0 AS i, 1 AS w FROM watches w WHERE w.user_id = :actor AND w.post_id > :after AND NOT (w.muted = 1
  AND w.quiet_to IS NOT NULL) ORDER BY w.post_id LIMIT :rows`
	watchParts = partsOf + watchKeys + partsEnd
	watchRows  = selected + `w.post_id, w.path, w.muted, w.created_at ` + rowsOf + watchKeys +
		`)) x CROSS JOIN watches w ON w.post_id = x.k AND w.user_id = :actor WHERE ` + rowsEnd
	// Primary keys.
	flairKeys = `SELECT m.community_id AS k, 0 AS i, 1 AS w FROM member_flairs m WHERE m.user_id = :actor AND m.community_id > :after
  AND (m.community_id >> 12) & 1023` + data.Shown + ` ORDER BY m.community_id LIMIT :rows`
	flairParts = partsOf + flairKeys + partsEnd
	flairRows  = selected + `c.name, coalesce(f.text, m.text), m.fixed ` + rowsOf + flairKeys + `)) x
  CROSS JOIN member_flairs m ON m.user_id = :actor AND m.community_id = x.k LEFT JOIN communities c ON c.id = m.community_id
  LEFT JOIN flairs f ON f.id = m.flair_id AND f.community_id = m.community_id WHERE ` + rowsEnd
)

const (
	postColumns = "id:id community slug title link image pictures tags text nsfw:flag spoiler:flag status ups downs comments " +
		"created_at:time " +
		"edited_at:time publish_at:time"
	commentColumns = "id:id post:id parent:id body pictures status ups downs created_at:time edited_at:time"
	texts          = 1 << 20 // bytes of a part
)

var kinds = []Kind{
	{"posts", "Posts", true, postParts, postRows, 1000, texts, postColumns},
	{"drafts", "Drafts and removed posts", true, draftParts, draftRows, 1000, texts, postColumns},
	{"comments", "Comments", true, commentParts, commentRows, 2000, texts, commentColumns},
	{"removed-comments", "Removed comments", true, removedParts, removedRows, 2000, texts, commentColumns},
	{"votes", "Votes", true, voteParts, voteRows, 5000, 5000, "target:id value updated_at:time"},
	{"saved", "Saved¦bookmarks", true, saveParts, saveRows, 5000, 5000, "target:id created_at:time"},
	{"hidden", "Hidden", true, hideParts, hideRows, 5000, 5000, "post:id created_at:time"},
	{"visits", "Threads you have read lately", true, visitParts, visitRows, 5000, 5000, "post:id seen_at:time"},
	{"follows", "Whom you follow", false, followParts, followRows, 5000, 5000, "user created_at:time"},
	{"subscriptions", "Communities you are in", false, joinParts, joinRows, 5000, 5000, "community created_at:time"},
	{"reports", "What you have reported", true, reportParts, reportRows, 5000, 5000, "target:id reason text created_at:time"},
	{"reported-members", "Members whom you have reported", false, accuseParts, accuseRows, 5000, 5000, "user:id reason text created_at:time"},
	{"messages", "Messages you have written to moderators, or as one", false, messageParts, messageRows, 2000, texts,
		"id:id conversation:id subject side text"},
	{"conversations", "Your conversations with moderators, and appeals", false, conversationParts, conversationRows, 2000, texts,
		"id:id community subject about status said_at:time appeal:flag verdict"},
	{"contact", "Messages you have sent to the administrators of the site", false, contactParts, contactRows, 2000, texts,
		"id:id email text answered_at:time"},
	{"watches", "Threads with Notify me or Mute", false, watchParts, watchRows, 5000, 5000, "post:id address muted:flag created_at:time"},
	{"flairs", "Your flairs in communities", true, flairParts, flairRows, 5000, 5000, "community flair fixed:flag"},
}

// What the directory has in few rows. Primary keys, and the indexes that begin with user_id.
const (
	profile = `SELECT u.id, u.username, u.email, u.email_confirmed_at, u.bio, u.links, u.avatar, u.choices, u.filters, u.followers,
  u.following, u.status,
  u.created_at, u.seen_at, u.password_hash <> '', u.waiting, u.birth_year, u.terms, u.terms_at
FROM users u WHERE u.id = :actor`
	mailChoices = `SELECT answers, mentions, threads, days FROM mail_choices WHERE user_id = :actor`
	sessions    = `SELECT started_at, seen_at, device, network, way FROM sessions WHERE user_id = :actor ORDER BY seen_at LIMIT 1000`
	passkeys    = `SELECT name, created_at, used_at FROM passkeys WHERE user_id = :actor ORDER BY created_at`
	identities  = `SELECT issuer, name, created_at, used_at FROM identities WHERE user_id = :actor ORDER BY id LIMIT 1000`
	app         = `SELECT created_at, (SELECT count(*) FROM recovery_codes r WHERE r.user_id = :actor) FROM totp WHERE user_id = :actor`
	tokens      = `SELECT name, scopes, created_at, expires_at, used_at FROM tokens WHERE user_id = :actor ORDER BY id LIMIT 1000`
	invitations = `SELECT c.name, i.role, i.created_at FROM moderator_invitations i CROSS JOIN communities c ON c.id = i.community_id
  WHERE i.user_id = :actor ORDER BY i.community_id LIMIT 1000`
	inviting = `SELECT i.uses, (SELECT count(*) FROM users n WHERE n.invite_id = i.id), i.expires_at FROM invites i WHERE i.user_id = :actor
  ORDER BY i.expires_at LIMIT 1000`
	moderating = `SELECT c.name, m.role, m.created_at FROM moderators m CROSS JOIN communities c ON c.id = m.community_id
  WHERE m.user_id = :actor ORDER BY m.community_id LIMIT 1000`
	blocked = `SELECT u.username, b.created_at FROM blocks b CROSS JOIN users u ON u.id = b.blocked_id WHERE b.blocker_id = :actor
  ORDER BY b.blocked_id LIMIT 1000`
	formerNames = `SELECT name_key, left_at FROM former_names WHERE user_id = :actor LIMIT 1000`
	tags        = `SELECT name, created_at FROM tag_follows WHERE user_id = :actor ORDER BY name`
	devices     = `SELECT name, created_at, told_at FROM devices WHERE user_id = :actor ORDER BY id LIMIT 1000`
	pushChoices = `SELECT answers, mentions, threads FROM push_choices WHERE user_id = :actor`
	// A member has about 1,000 things in the inbox at most. Index inbox_listed.
	notices = `SELECT iif(notice = '', kind, notice), subject_id, post_id, community_name, unread, created_at FROM inbox WHERE user_id = :actor
  ORDER BY kind, id LIMIT 2000`
)

var account = []struct{ name, sql, columns string }{
	{"profile", profile, "id:id username email email_confirmed_at:time bio links:json avatar choices:json filters:json followers " +
		"following status " +
		"created_at:time seen_at:time has_password:flag answer_at_sign_up birth_year terms terms_at:time"},
	{"mail-choices", mailChoices, "answers mentions threads days"},
	{"session", sessions, "started_at:time seen_at:time device network way"},
	{"passkey", passkeys, "name created_at:time used_at:time"},
	{"account-elsewhere", identities, "issuer name created_at:time used_at:time"},
	{"authenticator-app", app, "created_at:time recovery_codes"},
	{"token", tokens, "name scopes created_at:time expires_at:time used_at:time"},
	{"moderates", moderating, "community role created_at:time"},
	{"invited", invitations, "community role created_at:time"},
	{"invitation", inviting, "uses used expires_at:time"},
	{"blocks", blocked, "user created_at:time"},
	{"former-name", formerNames, "name left_at:time"},
	{"tag", tags, "name created_at:time"},
	{"device", devices, "name created_at:time told_at:time"},
	{"push-choices", pushChoices, "answers:flag mentions:flag threads:flag"},
	{"told", notices, "why subject:id post:id community unread:flag created_at:time"},
}
