package exports

import (
	"plaza/locale"
)

const (
	// A part ends where the weights of its rows add up to :size.
	partsOf  = `SELECT k, i, max(before), count(*) FROM (SELECT k, i, sum(w) OVER (ROWS UNBOUNDED PRECEDING) - w AS before FROM (`
	partsEnd = `)) GROUP BY before / :size ORDER BY before / :size`
	selected = `SELECT x.k, x.i, x.before, x.w, `
	rowsOf   = ` FROM (SELECT k, i, w, sum(w) OVER (ROWS UNBOUNDED PRECEDING) - w AS before FROM (`
	rowsEnd  = ` WHERE x.before < :size AND (x.k, x.i) <= (:to, :to_id) ORDER BY x.before`
)

// newKind builds the two statements of a kind. keys selects the cursor (k and i) and the weight (w) of each of the member's rows, in the
// order of an index. joins are the tables of the other columns, joined to keys as x. fields are the columns to read, and columns their
// names and types in the file.
func newKind(name string, label locale.Text, in place, keys, fields, joins string, atOnce, size int64, columns string) Kind {
	return Kind{name, label, in, partsOf + keys + partsEnd, selected + fields + rowsOf + keys + ")) x CROSS JOIN " + joins + rowsEnd,
		atOnce, size, columns}
}

// Keys of a member's rows, in the order of the index or primary key that finds them: k and i are the cursor, w the weight.
var (
	// Index posts_by.
	postKeys = `SELECT p.created_at AS k, p.id AS i, ` + postWeight + `
WHERE p.author_id = :actor AND p.author_id IS NOT NULL AND p.status = 'published' AND (p.created_at, p.id) > (:after, :after_id)
  ORDER BY p.created_at, p.id LIMIT :rows`
	// Index posts_gone: drafts, and what moderators have removed.
	draftKeys = `SELECT p.id AS k, 0 AS i, ` + postWeight + `
WHERE p.author_id = :actor AND p.status <> 'published' AND p.author_name <> '' AND p.status <> 'deleted' AND p.id > :after ORDER BY p.id
  LIMIT :rows`
	// Index comments_author, read backwards.
	commentKeys = `SELECT c.id AS k, 0 AS i, ` + commentWeight + `
WHERE c.author_name = :name COLLATE NOCASE AND c.status = 'published' AND c.author_id IS NOT NULL AND c.author_id = :actor AND c.id > :after
  ORDER BY c.id LIMIT :rows`
	// Index comments_gone.
	removedKeys = `SELECT c.id AS k, 0 AS i, ` + commentWeight + `
WHERE c.author_id = :actor AND c.status <> 'published' AND c.author_name <> '' AND c.status <> 'deleted' AND c.id > :after ORDER BY c.id
  LIMIT :rows`
	// Index votes_user. When authors change the automatic vote on their own post, the trigger votes_automatic_changed adds it to that index.
	// The export does not reveal whether a vote counts (docs/moderation.md).
	voteKeys = `SELECT v.target_id AS k, 0 AS i, 1 AS w FROM votes v WHERE v.user_id = :actor AND v.automatic = 0 AND v.target_id > :after
  ORDER BY v.target_id
  LIMIT :rows`
	saveKeys = `SELECT s.target_id AS k, 0 AS i, 1 AS w FROM saves s WHERE s.user_id = :actor AND s.target_id > :after ORDER BY s.target_id
  LIMIT :rows`
	hideKeys = `SELECT h.post_id AS k, 0 AS i, 1 AS w FROM hides h WHERE h.user_id = :actor AND h.post_id > :after ORDER BY h.post_id
  LIMIT :rows`
	visitKeys = `SELECT v.post_id AS k, 0 AS i, 1 AS w FROM visits v WHERE v.user_id = :actor AND v.post_id > :after ORDER BY v.post_id
  LIMIT :rows`
	reportKeys = `SELECT r.target_id AS k, 0 AS i, 1 AS w FROM reports r WHERE r.reporter_id = :actor AND r.target_id > :after
  AND r.community_id <> 0 ORDER BY r.target_id LIMIT :rows`
	flairKeys = `SELECT m.community_id AS k, 0 AS i, 1 AS w FROM member_flairs m WHERE m.user_id = :actor AND m.community_id > :after
  ORDER BY m.community_id LIMIT :rows`
	// Index bans_user.
	banKeys = `SELECT b.id AS k, 0 AS i, 1 AS w FROM bans b WHERE b.user_id = :actor AND b.id > :after ORDER BY b.id LIMIT :rows`
	// Index moderation_log_author. The cursor needs the id too, because a community may have many entries about a member.
	decisionKeys = `SELECT l.community_id AS k, l.id AS i, ` + entryWeight + `
WHERE l.author_id = :actor AND (l.community_id, l.id) > (:after, :after_id COLLATE BINARY) ORDER BY l.community_id, l.id LIMIT :rows`
	// Index moderation_log_actor.
	decidedKeys = `SELECT l.id AS k, 0 AS i, ` + entryWeight + ` WHERE l.actor_id = :actor AND l.actor_name <> '' AND l.id > :after
  ORDER BY l.id LIMIT :rows`
	// Index quarantines_decider.
	caseKeys = `SELECT q.id AS k, 0 AS i, 1 AS w FROM quarantines q WHERE q.decided_by = :actor AND q.decided_name <> '' AND q.id > :after
  ORDER BY q.id LIMIT :rows`
	// Index member_notes_author.
	noteKeys = `SELECT n.id AS k, 0 AS i, 300 + octet_length(n.body) AS w FROM member_notes n WHERE n.author_id = :actor AND n.id > :after
  ORDER BY n.id LIMIT :rows`
)

const (
	postWeight = `600 + octet_length(p.pictures) + octet_length(p.auto_reply) + coalesce((SELECT octet_length(t.text)
  FROM post_texts t WHERE t.post_id = p.id), 0) AS w FROM posts p`
	commentWeight = `400 + octet_length(c.body) + octet_length(c.pictures) + octet_length(c.auto_reply) AS w FROM comments c`
	entryWeight   = `400 + octet_length(l.note) AS w FROM moderation_log l`

	followKeys = `SELECT f.followee_id AS k, 0 AS i, 1 AS w FROM follows f WHERE f.follower_id = :actor AND f.followee_id > :after
  ORDER BY f.followee_id LIMIT :rows`
	subscriptionKeys = `SELECT s.community_id AS k, 0 AS i, 1 AS w FROM subscriptions s WHERE s.user_id = :actor AND s.community_id > :after
  ORDER BY s.community_id LIMIT :rows`
	// Index communities_creator.
	foundedKeys = `SELECT c.id AS k, 0 AS i, 1 AS w FROM communities c WHERE c.creator_id = :actor AND c.id > :after ORDER BY c.id
  LIMIT :rows`
	memberReportKeys = `SELECT r.target_id AS k, 0 AS i, 1 AS w FROM reports r WHERE r.reporter_id = :actor AND r.target_id > :after
  AND r.community_id = 0 ORDER BY r.target_id LIMIT :rows`
	// Index conversation_messages_author.
	messageKeys = `SELECT y.id AS k, 0 AS i, 300 + octet_length(y.body) AS w FROM conversation_messages y WHERE y.author_id = :actor
  AND y.id > :after ORDER BY y.id LIMIT :rows`
	// Index conversations_user, then conversation_messages_of. A line has what moderators have written to the member, and the verdict on an
	// appeal. It neither names the moderators nor has their notes: the member can read neither on the site.
	conversationKeys = `SELECT c.said_at AS k, c.id AS i, 300 + octet_length(c.subject)
  + coalesce((SELECT sum(60 + octet_length(m.body))` + moderatorReplies + `), 0) AS w FROM conversations c
WHERE c.user_id = :actor AND (c.said_at, c.id) > (:after, :after_id) ORDER BY c.said_at, c.id LIMIT :rows`
	conversationFields = `c.id, k.name, c.subject, c.about, c.status, c.said_at, nullif(c.decision_id, 0), c.verdict,
  (SELECT json_group_array(json_object('at', strftime('%Y-%m-%dT%H:%M:%fZ', ((m.id >> 22) + 1767225600000) / 1000.0, 'unixepoch'),
  'text', m.body))` + moderatorReplies + `)`
	moderatorReplies = ` FROM conversation_messages m WHERE m.conversation_id = c.id AND m.side = 'moderators' AND m.author_id <> :actor`
	// Index contact_messages_user.
	contactKeys = `SELECT y.id AS k, 0 AS i, 300 + octet_length(y.body) AS w FROM contact_messages y WHERE y.user_id = :actor
  AND y.user_id <> 0 AND y.id > :after ORDER BY y.id LIMIT :rows`
	watchKeys = `SELECT w.post_id AS k, 0 AS i, 1 AS w FROM watches w WHERE w.user_id = :actor AND w.post_id > :after AND NOT (w.muted = 1
  AND w.quiet_to IS NOT NULL) ORDER BY w.post_id LIMIT :rows`
	// Index wiki_revisions_author. A revision that restores an older one has no text here, because others may have written it.
	revisionKeys = `SELECT v.page_id AS k, v.number AS i, 300 + octet_length(v.text) AS w FROM wiki_revisions v
WHERE v.author_id = :actor AND (v.page_id, v.number) > (:after, :after_id) ORDER BY v.page_id, v.number LIMIT :rows`
	revisionFields = `k.name, g.slug, v.number, v.created_at, v.restored, iif(v.restored IS NULL, v.title, NULL),
  iif(v.restored IS NULL, v.text, NULL)`
	// Index pictures_user, in its order: the cursor has the first 48 bits of a sum, which finds the picture again by the primary key.
	pictureKeys = `SELECT p.created_at AS k, ('0x' || substr(p.sum, 1, 12)) ->> '$' AS i, 1 AS w FROM pictures p
WHERE p.user_id = :actor AND p.user_id IS NOT NULL AND p.created_at >= :after
  AND (p.created_at, ('0x' || substr(p.sum, 1, 12)) ->> '$') > (:after, :after_id) ORDER BY p.created_at, p.sum LIMIT :rows`

	postFields = `p.id, p.community_name, p.slug, p.title, p.kind, p.link, p.image, p.pictures, p.tags,
  (SELECT f.text FROM flairs f WHERE f.id = p.flair_id), t.text, p.nsfw, p.spoiler, p.status, p.held = 1, p.locked, p.auto_reply,
  p.crosspost_of, p.ups, p.downs, p.comments, p.views, p.created_at, p.edited_at, p.publish_at, p.pinned_at, p.source`
	postColumns = "id:id community slug title as link image pictures tags flair text nsfw:flag spoiler:flag status waits:flag locked:flag " +
		"auto_reply crosspost_of:id ups downs comments views created_at:time edited_at:time publish_at:time pinned_at:time source"
	commentFields = `c.id, c.post_id, c.parent_id, c.body, c.pictures, c.status, c.held = 1, c.auto_reply, c.ups, c.downs, c.created_at,
  c.edited_at`
	commentColumns = "id:id post:id parent:id body pictures status waits:flag auto_reply ups downs created_at:time edited_at:time"
	reportFields   = `r.target_id, r.reason, r.text, r.created_at`
	reportJoins    = `reports r ON r.target_id = x.k AND r.reporter_id = :actor`
	// The note of a changed title quotes the author, so only the author gets it.
	entryFields = `l.id, k.name, l.action, l.target_id, l.rule, iif(l.action = 'title' AND l.author_id IS NOT :actor, '', l.note),
  l.until, l.undone_by IS NOT NULL`
	entryColumns = "id:id community action target:id rule note until:time undone:flag"
	entryJoins   = ` LEFT JOIN communities k ON k.id = l.community_id`
	partBytes    = 1 << 20 // of texts in a part
)

var kinds = []Kind{
	newKind("posts", "Posts", onShards, postKeys, postFields,
		`posts p ON p.id = x.i LEFT JOIN post_texts t ON t.post_id = p.id`, 1000, partBytes, postColumns),
	newKind("drafts", "Drafts and removed posts", onShards, draftKeys, postFields,
		`posts p ON p.id = x.k LEFT JOIN post_texts t ON t.post_id = p.id`, 1000, partBytes, postColumns),
	newKind("comments", "Comments", onShards, commentKeys, commentFields, `comments c ON c.id = x.k`, 2000, partBytes, commentColumns),
	newKind("removed-comments", "Removed comments", onShards, removedKeys, commentFields, `comments c ON c.id = x.k`, 2000, partBytes,
		commentColumns),
	// The network and referrer of a vote are kept for two days at most. 43200000 is originPart of data/content/votes/origin.go. Primary key.
	newKind("votes", "Votes", onShards, voteKeys, `v.target_id, v.value, v.updated_at, b.network, b.referrer`,
		`votes v ON v.target_id = x.k AND v.user_id = :actor LEFT JOIN vote_origins b ON b.part = v.updated_at / 43200000
  AND b.target_id = v.target_id AND b.created_at = v.updated_at AND b.user_id = v.user_id`, 5000, 5000,
		"target:id value updated_at:time network referrer"),
	newKind("saved", "Saved¦bookmarks", onShards, saveKeys, `s.target_id, s.created_at`,
		`saves s ON s.target_id = x.k AND s.user_id = :actor`, 5000, 5000, "target:id created_at:time"),
	newKind("hidden", "Hidden", onShards, hideKeys, `h.post_id, h.created_at`, `hides h ON h.post_id = x.k AND h.user_id = :actor`, 5000, 5000,
		"post:id created_at:time"),
	newKind("visits", "Threads you have read lately", onShards, visitKeys, `v.post_id, v.seen_at`,
		`visits v ON v.post_id = x.k AND v.user_id = :actor`, 5000, 5000, "post:id seen_at:time"),
	newKind("follows", "Whom you follow", inDirectory, followKeys, `u.username, f.created_at`,
		`follows f ON f.followee_id = x.k AND f.follower_id = :actor CROSS JOIN users u ON u.id = x.k`, 5000, 5000, "user created_at:time"),
	newKind("subscriptions", "Communities you are in", inDirectory, subscriptionKeys, `c.name, s.created_at`,
		`subscriptions s ON s.community_id = x.k AND s.user_id = :actor CROSS JOIN communities c ON c.id = x.k`, 5000, 5000,
		"community created_at:time"),
	newKind("founded", "Communities you have founded, and your profile", inDirectory, foundedKeys, `c.name, c.kind, c.title, c.created_at`,
		`communities c ON c.id = x.k`, 5000, 5000, "community as title created_at:time"),
	newKind("pictures", "Pictures you have uploaded", inDirectory, pictureKeys,
		`p.sum, p.type, p.width, p.height, p.bytes, p.colour, p.created_at`,
		`pictures p ON p.sum >= printf('%012x', x.i) AND p.sum < printf('%012x', x.i + 1) AND +p.user_id = :actor`, 5000, 5000,
		"picture type width height bytes colour created_at:time"),
	newKind("reports", "What you have reported", onShards, reportKeys, reportFields, reportJoins, 5000, 5000,
		"target:id reason text created_at:time"),
	newKind("reported-members", "Members whom you have reported", inDirectory, memberReportKeys, reportFields, reportJoins, 5000, 5000,
		"user:id reason text created_at:time"),
	newKind("decisions", "Decisions about you and what you have posted", everywhere, decisionKeys, entryFields,
		`moderation_log l ON l.id = x.i`+entryJoins, 2000, partBytes, entryColumns),
	newKind("bans", "Communities that have banned or muted you", onShards, banKeys,
		`b.id, k.name, b.kind, iif(b.until < 4503599627370496, b.until, NULL)`,
		`bans b ON b.id = x.k LEFT JOIN communities k ON k.id = b.community_id`, 5000, 5000, "decision:id community as until:time"),
	newKind("messages", "Messages you have written to moderators, or as one", inDirectory, messageKeys,
		`m.id, m.conversation_id, c.subject, m.side, m.body`,
		`conversation_messages m ON m.id = x.k CROSS JOIN conversations c ON c.id = m.conversation_id`, 2000, partBytes,
		"id:id conversation:id subject side text"),
	newKind("conversations", "Your conversations with moderators, and appeals", inDirectory, conversationKeys, conversationFields,
		`conversations c ON c.id = x.i LEFT JOIN communities k ON k.id = c.community_id`, 500, partBytes,
		"id:id community subject about status said_at:time appeal_against:id verdict replies:json"),
	newKind("contact", "Messages you have sent to the administrators of the site", inDirectory, contactKeys,
		`m.id, m.email, m.body, m.answered_at`, `contact_messages m ON m.id = x.k`, 2000, partBytes, "id:id email text answered_at:time"),
	newKind("watches", "Threads with Notify me or Mute", inDirectory, watchKeys, `w.post_id, w.path, w.muted, w.created_at`,
		`watches w ON w.post_id = x.k AND w.user_id = :actor`, 5000, 5000, "post:id address muted:flag created_at:time"),
	newKind("flairs", "Your flairs in communities", onShards, flairKeys,
		`c.name, coalesce(f.text, m.text), coalesce(f.colour, m.colour), m.fixed`,
		`member_flairs m ON m.user_id = :actor AND m.community_id = x.k LEFT JOIN communities c ON c.id = m.community_id
  LEFT JOIN flairs f ON f.id = m.flair_id AND f.community_id = m.community_id`, 5000, 5000, "community flair colour fixed:flag"),
	newKind("page-revisions", "What you have written on pages of communities", inDirectory, revisionKeys, revisionFields,
		`wiki_revisions v ON v.page_id = x.k AND v.number = x.i CROSS JOIN wiki_pages g ON g.id = x.k
  LEFT JOIN communities k ON k.id = g.community_id`, 500, partBytes, "community page number created_at:time restored title text"),
	newKind("decided", "What you have decided as a moderator or administrator", everywhere, decidedKeys, entryFields,
		`moderation_log l ON l.id = x.k`+entryJoins, 2000, partBytes, entryColumns),
	newKind("decided-quarantines", "What you have decided about quarantined votes", onShards, caseKeys,
		`q.id, k.name, q.target_id, q.status, q.decided_at`,
		`quarantines q ON q.id = x.k LEFT JOIN communities k ON k.id = q.community_id`, 5000, 5000,
		"id:id community target:id became decided_at:time"),
	newKind("member-notes", "Notes you have written about members", onShards, noteKeys, `n.id, k.name, n.user_id, n.body`,
		`member_notes n ON n.id = x.k LEFT JOIN communities k ON k.id = n.community_id`, 2000, partBytes, "id:id community user:id text"),
}

// Other rows of the directory, of which a member has few. Primary keys, and the indexes that begin with user_id.
const (
	profile = `SELECT u.id, u.username, u.email, u.email_confirmed_at, u.bio, u.links, u.avatar, u.choices, u.filters, u.followers,
  u.following, u.status,
  u.created_at, u.seen_at, u.password_hash <> '', u.waiting, u.birth_year, u.terms, u.terms_at, u.admin, u.karma, u.views, u.renamed_at,
  u.invite_id, u.origin
FROM users u WHERE u.id = :actor`
	mailChoices = `SELECT replies, mentions, threads, days, digest_at FROM mail_choices WHERE user_id = :actor`
	sessions    = `SELECT started_at, seen_at, device, network, way FROM sessions WHERE user_id = :actor ORDER BY seen_at LIMIT 1000`
	passkeys    = `SELECT name, created_at, used_at FROM passkeys WHERE user_id = :actor ORDER BY created_at`
	identities  = `SELECT issuer, subject, name, created_at, used_at FROM identities WHERE user_id = :actor ORDER BY id LIMIT 1000`
	app         = `SELECT created_at, (SELECT count(*) FROM recovery_codes r WHERE r.user_id = :actor) FROM totp WHERE user_id = :actor`
	tokens      = `SELECT name, scopes, created_at, expires_at, used_at FROM tokens WHERE user_id = :actor ORDER BY id LIMIT 1000`
	invitations = `SELECT c.name, i.role, u.username, i.created_at FROM moderator_invitations i
  CROSS JOIN communities c ON c.id = i.community_id LEFT JOIN users u ON u.id = i.inviter_id
  WHERE i.user_id = :actor ORDER BY i.community_id LIMIT 1000`
	// Only owners invite, so these are the communities that the member moderates. Index moderators_user, then moderator_invitations_community.
	invited = `SELECT c.name, i.role, u.username, i.created_at FROM moderators m
  CROSS JOIN moderator_invitations i ON i.community_id = m.community_id AND i.inviter_id = m.user_id
  CROSS JOIN communities c ON c.id = i.community_id LEFT JOIN users u ON u.id = i.user_id
  WHERE m.user_id = :actor ORDER BY m.community_id LIMIT 1000`
	inviting = `SELECT i.id, i.uses, (SELECT count(*) FROM users n WHERE n.invite_id = i.id), i.expires_at FROM invites i
  WHERE i.user_id = :actor ORDER BY i.expires_at LIMIT 1000`
	moderating = `SELECT c.name, m.role, m.created_at FROM moderators m CROSS JOIN communities c ON c.id = m.community_id
  WHERE m.user_id = :actor ORDER BY m.community_id LIMIT 1000`
	blocked = `SELECT u.username, b.created_at FROM blocks b CROSS JOIN users u ON u.id = b.blocked_id WHERE b.blocker_id = :actor
  ORDER BY b.blocked_id LIMIT 1000`
	formerNames = `SELECT name_key, left_at FROM former_names WHERE user_id = :actor LIMIT 1000`
	networks    = `SELECT seen_at FROM sign_in_networks WHERE user_id = :actor ORDER BY network LIMIT 1000`
	tags        = `SELECT name, created_at FROM tag_follows WHERE user_id = :actor ORDER BY name`
	// The ids are texts, as in other lines.
	editions = `SELECT number, '["' || replace(substr(posts, 2, length(posts) - 2), ',', '","') || '"]', quote FROM member_editions
  WHERE user_id = :actor ORDER BY number LIMIT 1000`
	devices     = `SELECT name, created_at, last_push_at FROM devices WHERE user_id = :actor ORDER BY id LIMIT 1000`
	pushChoices = `SELECT replies, mentions, threads FROM push_choices WHERE user_id = :actor`
	// A member has about 1,000 inbox entries at most. Index inbox_listed.
	inboxEntries = `SELECT iif(event = '', kind, event), subject_id, nullif(about_id, 0), post_id, community_name, unread, created_at
  FROM inbox WHERE user_id = :actor ORDER BY kind, id LIMIT 2000`
)

var account = []struct{ name, sql, columns string }{
	{"profile", profile, "id:id username email email_confirmed_at:time bio links:json avatar choices:json filters:json followers " +
		"following status " +
		"created_at:time seen_at:time has_password:flag answer_at_sign_up birth_year terms terms_at:time " +
		"admin:flag karma views renamed_at:time invitation:id came_from"},
	{"mail-choices", mailChoices, "replies mentions threads days digest_at:time"},
	{"session", sessions, "started_at:time seen_at:time device network way"},
	{"network-logged-in-from", networks, "seen_at:time"},
	{"passkey", passkeys, "name created_at:time used_at:time"},
	{"account-elsewhere", identities, "issuer subject name created_at:time used_at:time"},
	{"authenticator-app", app, "created_at:time recovery_codes"},
	{"token", tokens, "name scopes created_at:time expires_at:time used_at:time"},
	{"moderates", moderating, "community role created_at:time"},
	{"invited", invitations, "community role by created_at:time"},
	{"invited-moderator", invited, "community role user created_at:time"},
	{"invitation", inviting, "id:id uses used expires_at:time"},
	{"blocks", blocked, "user created_at:time"},
	{"former-name", formerNames, "name left_at:time"},
	{"tag", tags, "name created_at:time"},
	{"edition", editions, "number posts:json quote:id"},
	{"device", devices, "name created_at:time last_push_at:time"},
	{"push-choices", pushChoices, "replies:flag mentions:flag threads:flag"},
	{"inbox", inboxEntries, "why subject:id about:id post:id community unread:flag created_at:time"},
}
