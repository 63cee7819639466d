-- Plaza's triggers and views. `plaza migrate` drops all of them and makes these, if a database has others. So a change here needs no step.
-- Each trigger names the Go file that relies on it.

-- Used by data/content/communities/subscribe.go.
CREATE TRIGGER IF NOT EXISTS subscriptions_added AFTER INSERT ON subscriptions BEGIN
  UPDATE communities SET members = members + 1,
    growth = growth + (new.created_at > coalesce((SELECT since FROM weeks WHERE what = 'members'), 0))
  WHERE id = new.community_id;
END;

-- Used by data/content/communities/subscribe.go.
CREATE TRIGGER IF NOT EXISTS subscriptions_ended AFTER DELETE ON subscriptions BEGIN
  UPDATE communities SET members = members - 1,
    growth = growth - (old.created_at > coalesce((SELECT since FROM weeks WHERE what = 'members'), 0))
  WHERE id = old.community_id;
END;

-- Used by data/accounts/follow.go.
CREATE TRIGGER IF NOT EXISTS follows_begun AFTER INSERT ON follows BEGIN
  UPDATE users SET following = following + 1 WHERE id = new.follower_id;
  UPDATE users SET followers = followers + 1 WHERE id = new.followee_id;
END;

-- Used by data/accounts/follow.go.
CREATE TRIGGER IF NOT EXISTS follows_ended AFTER DELETE ON follows BEGIN
  UPDATE users SET following = following - 1 WHERE id = old.follower_id;
  UPDATE users SET followers = followers - 1 WHERE id = old.followee_id;
END;

-- When an owner's account is deleted, the moderator who has been there longest owns the community.
-- Used by data/accounts/deletion/steps.go.
CREATE TRIGGER IF NOT EXISTS moderators_owner_gone AFTER DELETE ON moderators WHEN old.role = 'owner' BEGIN
  UPDATE moderators SET role = 'owner' WHERE community_id = old.community_id AND user_id = (SELECT m.user_id FROM moderators m
    WHERE m.community_id = old.community_id AND m.role = 'moderator' ORDER BY m.created_at, m.user_id LIMIT 1)
    AND NOT EXISTS (SELECT 1 FROM moderators o WHERE o.community_id = old.community_id AND o.role = 'owner');
END;

-- Used by data/events/inbox/read.go.
CREATE TRIGGER IF NOT EXISTS inbox_came AFTER INSERT ON inbox BEGIN
  UPDATE users SET unread = unread + new.unread, inbox_size = inbox_size + 1 WHERE id = new.user_id;
END;

-- Used by data/events/inbox/read.go.
CREATE TRIGGER IF NOT EXISTS inbox_read AFTER UPDATE OF unread ON inbox WHEN new.unread <> old.unread BEGIN
  UPDATE users SET unread = unread + new.unread - old.unread WHERE id = new.user_id;
END;

-- Used by data/events/inbox/read.go.
CREATE TRIGGER IF NOT EXISTS inbox_gone AFTER DELETE ON inbox BEGIN
  UPDATE users SET unread = unread - old.unread, inbox_size = inbox_size - 1 WHERE id = old.user_id;
END;

-- Used by data/events/inbox/mail.go.
CREATE TRIGGER IF NOT EXISTS inbox_last_gone AFTER DELETE ON inbox WHEN old.id > coalesce((SELECT max(id) FROM inbox), 0) BEGIN
  INSERT INTO inbox (id, user_id, kind, subject_id, post_id, community_name, slug, title, excerpt, unread, created_at)
  VALUES (old.id, 0, 'thread', old.id, 0, '', '', '', '', 0, CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER));
END;

-- Used by data/moderation/modmail/say.go.
CREATE TRIGGER IF NOT EXISTS conversation_messages_stay BEFORE UPDATE ON conversation_messages BEGIN
  SELECT raise(ABORT, 'messages are never changed');
END;

-- Used by data/events/pushes/device.go.
CREATE TRIGGER IF NOT EXISTS devices_signed_out AFTER DELETE ON sessions BEGIN
  DELETE FROM devices WHERE session_id = old.id;
END;

-- Used by data/events/pushes/push.go.
CREATE TRIGGER IF NOT EXISTS devices_gone AFTER DELETE ON devices BEGIN
  DELETE FROM pushes WHERE device_id = old.id;
END;

-- Used by data/events/pushes/push.go.
CREATE TRIGGER IF NOT EXISTS inbox_pushed AFTER INSERT ON inbox WHEN new.unread = 1 BEGIN
  INSERT INTO pushes (device_id, post_id, since, upto, came_at, due_at)
  SELECT d.id, new.post_id, new.id - 1, new.id, new.created_at, new.created_at FROM devices d LEFT JOIN push_choices c ON c.user_id = d.user_id
  WHERE d.user_id = new.user_id AND CASE iif(new.event = '', new.kind, 'reply') WHEN 'reply' THEN coalesce(c.replies, 1) WHEN 'mention' THEN coalesce(c.mentions, 1) ELSE coalesce(c.threads, 1) END
  ON CONFLICT (device_id, post_id) DO UPDATE SET upto = excluded.upto, came_at = excluded.came_at;
END;

-- Used by data/content/pictures/upload.go.
CREATE TRIGGER IF NOT EXISTS pictures_added AFTER INSERT ON pictures BEGIN
  INSERT INTO picture_totals (user_id, pictures, bytes) SELECT 0, 1, new.bytes UNION ALL SELECT new.user_id, 1, new.bytes WHERE new.user_id > 0
  ON CONFLICT (user_id) DO UPDATE SET pictures = pictures + 1, bytes = bytes + excluded.bytes;
END;

-- Used by data/content/pictures/sweep.go.
CREATE TRIGGER IF NOT EXISTS pictures_gone AFTER DELETE ON pictures BEGIN
  UPDATE picture_totals SET pictures = pictures - 1, bytes = bytes - old.bytes WHERE user_id = 0;
  UPDATE picture_totals SET pictures = pictures - 1, bytes = bytes - old.bytes WHERE user_id = old.user_id;
END;

-- Used by data/accounts/deletion/steps.go.
CREATE TRIGGER IF NOT EXISTS pictures_unnamed AFTER UPDATE OF user_id ON pictures WHEN old.user_id IS NOT NULL AND new.user_id IS NULL BEGIN
  UPDATE picture_totals SET pictures = pictures - 1, bytes = bytes - old.bytes WHERE user_id = old.user_id;
END;

-- Used by data/accounts/block.go.
CREATE TRIGGER IF NOT EXISTS blocks_begun AFTER INSERT ON blocks BEGIN
  UPDATE users SET blocked = (SELECT group_concat(blocked_id) FROM blocks WHERE blocker_id = new.blocker_id) WHERE id = new.blocker_id;
END;

-- Used by data/accounts/block.go.
CREATE TRIGGER IF NOT EXISTS blocks_ended AFTER DELETE ON blocks BEGIN
  UPDATE users SET blocked = coalesce((SELECT group_concat(blocked_id) FROM blocks WHERE blocker_id = old.blocker_id), '') WHERE id = old.blocker_id;
END;

-- The consumer of this job notifies the author or member of the decision, and reporters of the decision about their report
-- (data/events/inbox).
-- Used by data/events/inbox/decided.go.
CREATE TRIGGER IF NOT EXISTS moderation_log_notified AFTER INSERT ON moderation_log
WHEN new.action IN ('remove', 'approve', 'ban', 'unban', 'mute', 'unmute', 'suspend', 'ban-site', 'restore', 'erase', 'title') AND new.author_id <> new.actor_id BEGIN
  INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (new.id, 'decided', 0, (new.id >> 22) + 1767225660000) ON CONFLICT DO NOTHING;
END;

-- Used by data/events/modlog/numbers.go.
CREATE TRIGGER IF NOT EXISTS moderation_log_counted AFTER INSERT ON moderation_log BEGIN
  INSERT INTO moderation_counts (community_id, month, actor_id, action, entries)
  VALUES (new.community_id, CAST(strftime('%Y%m', (new.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER), new.actor_id, new.action, 1)
  ON CONFLICT (community_id, month, actor_id, action) DO UPDATE SET entries = entries + 1;
END;

-- Used by data/events/modlog/numbers.go.
CREATE TRIGGER IF NOT EXISTS moderation_log_undone AFTER UPDATE OF undone_by ON moderation_log WHEN old.undone_by IS NULL AND new.undone_by IS NOT NULL BEGIN
  UPDATE moderation_counts SET undone = undone + 1 WHERE community_id = new.community_id
    AND month = CAST(strftime('%Y%m', (new.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER) AND actor_id = new.actor_id AND action = new.action;
END;

-- Triggers of posts count their tags through this view. digits and heat_step are in indexes, and are written only when they change.
CREATE VIEW IF NOT EXISTS tag_counters AS SELECT name, posts, heat, digits, heat_step, id FROM tag_keys;

-- Used by data/content/tags/store.go.
CREATE TRIGGER IF NOT EXISTS tag_counters_moved INSTEAD OF UPDATE ON tag_counters
WHEN old.digits <> iif(new.posts > 0, length(new.posts), 0) OR old.heat_step <> CAST(floor(new.heat) AS INTEGER) BEGIN
  UPDATE tag_keys SET posts = new.posts, heat = new.heat, digits = iif(new.posts > 0, length(new.posts), 0), heat_step = CAST(floor(new.heat) AS INTEGER)
  WHERE id = new.id;
END;

-- Used by data/content/tags/store.go.
CREATE TRIGGER IF NOT EXISTS tag_counters_counted INSTEAD OF UPDATE ON tag_counters
WHEN old.digits = iif(new.posts > 0, length(new.posts), 0) AND old.heat_step = CAST(floor(new.heat) AS INTEGER) BEGIN
  UPDATE tag_keys SET posts = new.posts, heat = new.heat WHERE id = new.id;
END;

-- In these lists of a post's tags, the first element "" means no tag.
-- Used by data/content/tags/store.go.
CREATE TRIGGER IF NOT EXISTS post_tags_made AFTER INSERT ON posts WHEN new.tags <> '' AND new.status = 'published' BEGIN
  INSERT INTO tag_keys (name) SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0
  WHERE true ON CONFLICT DO NOTHING;
  INSERT INTO post_tags (key_id, created_at, post_id) SELECT k.id, new.created_at, new.id FROM (
    SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0) n CROSS JOIN tag_keys k ON k.name = n.name;
  UPDATE tag_counters SET posts = posts + 1, heat = iif(posts = 0, new.created_at / 172800000.0,
    max(heat, new.created_at / 172800000.0) + ln(1.0 + exp(-abs(heat - new.created_at / 172800000.0))))
  WHERE name IN (SELECT value FROM json_each('["' || replace(new.tags, ' ', '","') || '"]'));
END;

-- Used by data/content/tags/store.go.
CREATE TRIGGER IF NOT EXISTS post_tags_changed AFTER UPDATE OF status, tags, created_at ON posts
WHEN (old.tags <> '' OR new.tags <> '') AND (old.tags <> new.tags OR (old.status = 'published') <> (new.status = 'published')
  OR new.status = 'published' AND old.created_at <> new.created_at) BEGIN
  DELETE FROM post_tags WHERE old.status = 'published' AND post_id = old.id AND created_at = old.created_at AND key_id IN (SELECT k.id FROM (
    SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(old.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(old.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(old.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0) n CROSS JOIN tag_keys k ON k.name = n.name);
  UPDATE tag_counters SET posts = posts - 1, heat = CASE
    WHEN heat - old.created_at / 172800000.0 > 30 THEN heat
    WHEN heat - old.created_at / 172800000.0 > 0.001 THEN old.created_at / 172800000.0 + ln(exp(heat - old.created_at / 172800000.0) - 1.0)
    ELSE coalesce((SELECT max(n.at) / 172800000.0 + ln(sum(exp((n.at - (SELECT max(t.created_at) FROM post_tags t WHERE t.key_id = tag_counters.id)) / 172800000.0)))
      FROM (SELECT t.created_at AS at FROM post_tags t WHERE t.key_id = tag_counters.id ORDER BY t.created_at DESC LIMIT 50) n), 0.0) END
  WHERE name IN (SELECT value FROM json_each('["' || replace(old.tags, ' ', '","') || '"]')) AND old.status = 'published';
  INSERT INTO tag_keys (name) SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0
  WHERE new.tags <> '' AND new.status = 'published' ON CONFLICT DO NOTHING;
  INSERT INTO post_tags (key_id, created_at, post_id) SELECT k.id, new.created_at, new.id FROM (
    SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0) n CROSS JOIN tag_keys k ON k.name = n.name WHERE new.tags <> '' AND new.status = 'published' ON CONFLICT DO NOTHING;
  UPDATE tag_counters SET posts = posts + 1, heat = iif(posts = 0, new.created_at / 172800000.0,
    max(heat, new.created_at / 172800000.0) + ln(1.0 + exp(-abs(heat - new.created_at / 172800000.0))))
  WHERE name IN (SELECT value FROM json_each('["' || replace(new.tags, ' ', '","') || '"]')) AND new.tags <> '' AND new.status = 'published';
END;

-- Used by data/content/pictures/sweep.go.
CREATE TRIGGER IF NOT EXISTS picture_uses_ended AFTER DELETE ON picture_uses BEGIN
  INSERT INTO picture_losses (sum) VALUES (old.sum) ON CONFLICT DO NOTHING;
END;

-- Used by data/content/pictures/pictures.go.
CREATE TRIGGER IF NOT EXISTS posts_pictured AFTER INSERT ON posts WHEN new.pictures <> '' BEGIN
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT j.value ->> 'sum', 'post', new.id, j.key FROM json_each(new.pictures) j;
END;

-- Used by data/content/pictures/pictures.go.
CREATE TRIGGER IF NOT EXISTS posts_repictured AFTER UPDATE OF pictures ON posts WHEN old.pictures <> new.pictures BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind = 'post';
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT j.value ->> 'sum', 'post', new.id, j.key
  FROM json_each(iif(new.pictures = '', '[]', new.pictures)) j;
END;

-- Used by data/content/pictures/pictures.go.
CREATE TRIGGER IF NOT EXISTS posts_unpictured AFTER DELETE ON posts WHEN old.pictures <> '' BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind = 'post';
END;

-- Used by data/accounts/avatar.go.
CREATE TRIGGER IF NOT EXISTS users_pictured AFTER UPDATE OF avatar ON users WHEN old.avatar <> new.avatar BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind = 'avatar';
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT substr(new.avatar, instr(new.avatar, '/') + 1), 'avatar', new.id, 0
  WHERE instr(new.avatar, '/') > 0;
END;

-- Used by data/content/communities/settings.go.
CREATE TRIGGER IF NOT EXISTS communities_pictured AFTER INSERT ON communities WHEN new.icon <> '' OR new.banner <> '' BEGIN
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT new.icon, 'icon', new.id, 0 WHERE new.icon <> ''
  UNION ALL SELECT new.banner, 'banner', new.id, 0 WHERE new.banner <> '';
END;

-- Used by data/content/communities/settings.go.
CREATE TRIGGER IF NOT EXISTS communities_repictured AFTER UPDATE OF icon, banner ON communities
WHEN old.icon <> new.icon OR old.banner <> new.banner BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind IN ('icon', 'banner');
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT new.icon, 'icon', new.id, 0 WHERE new.icon <> ''
  UNION ALL SELECT new.banner, 'banner', new.id, 0 WHERE new.banner <> '';
END;

-- Used by data/content/communities/settings.go.
CREATE TRIGGER IF NOT EXISTS communities_unpictured AFTER DELETE ON communities WHEN old.icon <> '' OR old.banner <> '' BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind IN ('icon', 'banner');
END;

-- Used by data/content/communities/community.go.
CREATE TRIGGER IF NOT EXISTS posts_published AFTER INSERT ON posts WHEN new.status = 'published' BEGIN
  INSERT INTO community_stats (community_id, posts, week_posts)
  VALUES (new.community_id, 1, new.created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0))
  ON CONFLICT (community_id) DO UPDATE SET posts = posts + 1, week_posts = week_posts + excluded.week_posts;
END;

-- Used by data/content/communities/community.go.
CREATE TRIGGER IF NOT EXISTS posts_status_changed AFTER UPDATE OF status ON posts
WHEN (old.status = 'published') <> (new.status = 'published') BEGIN
  INSERT INTO community_stats (community_id, posts, week_posts)
  SELECT new.community_id, d, d * (new.created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0))
  FROM (SELECT (new.status = 'published') - (old.status = 'published') AS d) WHERE true
  ON CONFLICT (community_id) DO UPDATE SET posts = posts + excluded.posts, week_posts = week_posts + excluded.week_posts;
END;

-- Used by data/lists/sitemaps/sitemap.go.
CREATE TRIGGER IF NOT EXISTS post_days_made AFTER INSERT ON posts WHEN new.status = 'published' BEGIN
  INSERT INTO post_days (day, posts) VALUES (new.created_at / 86400000, 1) ON CONFLICT (day) DO UPDATE SET posts = posts + 1;
END;

-- Used by data/lists/sitemaps/sitemap.go.
CREATE TRIGGER IF NOT EXISTS post_days_changed AFTER UPDATE OF status, created_at ON posts
WHEN (old.status = 'published') <> (new.status = 'published') OR new.status = 'published' AND old.created_at <> new.created_at BEGIN
  UPDATE post_days SET posts = posts - 1 WHERE old.status = 'published' AND day = old.created_at / 86400000;
  INSERT INTO post_days (day, posts) SELECT new.created_at / 86400000, 1 WHERE new.status = 'published'
  ON CONFLICT (day) DO UPDATE SET posts = posts + 1;
END;

-- Used by data/rights/reputation/reputation.go.
CREATE TRIGGER IF NOT EXISTS reputations_post AFTER INSERT ON posts WHEN new.status = 'published' AND new.author_id IS NOT NULL BEGIN
  INSERT INTO reputations (community_id, user_id, posts) VALUES (new.community_id, new.author_id, 1)
  ON CONFLICT (community_id, user_id) DO UPDATE SET posts = posts + 1;
END;

-- Used by data/rights/reputation/reputation.go.
CREATE TRIGGER IF NOT EXISTS reputations_post_changed AFTER UPDATE OF status ON posts
WHEN new.author_id IS NOT NULL AND (old.status IN ('published', 'archived')) <> (new.status IN ('published', 'archived')) BEGIN
  INSERT INTO reputations (community_id, user_id, posts) VALUES (new.community_id, new.author_id, iif(new.status IN ('published', 'archived'), 1, -1))
  ON CONFLICT (community_id, user_id) DO UPDATE SET posts = posts + excluded.posts;
END;

-- Used by data/content/pictures/pictures.go.
CREATE TRIGGER IF NOT EXISTS comments_pictured AFTER INSERT ON comments WHEN new.pictures <> '' BEGIN
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT j.value ->> 'sum', 'comment', new.id, j.key FROM json_each(new.pictures) j;
END;

-- Used by data/content/pictures/pictures.go.
CREATE TRIGGER IF NOT EXISTS comments_repictured AFTER UPDATE OF pictures ON comments WHEN old.pictures <> new.pictures BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind = 'comment';
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT j.value ->> 'sum', 'comment', new.id, j.key
  FROM json_each(iif(new.pictures = '', '[]', new.pictures)) j;
END;

-- Used by data/content/pictures/pictures.go.
CREATE TRIGGER IF NOT EXISTS comments_unpictured AFTER DELETE ON comments WHEN old.pictures <> '' BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind = 'comment';
END;

-- Used by data/accounts/exports/kinds.go.
CREATE TRIGGER IF NOT EXISTS votes_automatic_changed AFTER UPDATE OF value ON votes
WHEN new.automatic = 1 AND new.value <> old.value BEGIN
  UPDATE votes SET automatic = 0 WHERE target_id = new.target_id AND user_id = new.user_id;
END;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS votes_cast AFTER INSERT ON votes WHEN new.value <> 0 AND new.status = 0 AND (new.automatic = 0 OR new.target_id % 2 = 0) BEGIN
  INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at)
  VALUES (new.target_id, new.user_id, new.value = 1 AND new.automatic = 0, new.value = -1, new.updated_at)
  ON CONFLICT (target_id, user_id) DO UPDATE SET ups = ups + excluded.ups, downs = downs + excluded.downs;
END;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS votes_changed AFTER UPDATE OF value, status ON votes
WHEN new.value * (new.status = 0) <> old.value * (old.status = 0) BEGIN
  INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at)
  VALUES (new.target_id, new.user_id,
    (new.value = 1 AND new.status = 0) - (old.value = 1 AND old.status = 0),
    (new.value = -1 AND new.status = 0) - (old.value = -1 AND old.status = 0), new.updated_at)
  ON CONFLICT (target_id, user_id) DO UPDATE SET ups = ups + excluded.ups, downs = downs + excluded.downs;
END;

-- A delta run of votes writes into posts through this view. score is off from ups - downs by at most a 32nd of itself: the sort values of
-- listings are in many indexes, and are written only when the score has moved enough. hot and controversy are from the last such write.
CREATE VIEW IF NOT EXISTS post_counters AS SELECT id, ups, downs, score, hot, controversy, created_at FROM posts;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS post_counters_moved INSTEAD OF UPDATE ON post_counters
WHEN abs(new.score - old.score) * 32 > abs(old.score) OR abs(new.controversy - old.controversy) * 32 > old.controversy BEGIN
  UPDATE posts SET ups = new.ups, downs = new.downs, score = new.score, hot = new.hot, controversy = new.controversy WHERE id = new.id;
END;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS post_counters_counted INSTEAD OF UPDATE ON post_counters
WHEN NOT (abs(new.score - old.score) * 32 > abs(old.score) OR abs(new.controversy - old.controversy) * 32 > old.controversy) BEGIN
  UPDATE posts SET ups = new.ups, downs = new.downs WHERE id = new.id;
END;

-- The same for comments. Their best is off by at most a 32nd of itself, and of its difference to 1.
CREATE VIEW IF NOT EXISTS comment_counters AS SELECT id, ups, downs, score, best, controversy, qa, body FROM comments;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS comment_counters_moved INSTEAD OF UPDATE ON comment_counters
WHEN abs(new.score - old.score) * 32 > abs(old.score) OR abs(new.best - old.best) * 32 > min(old.best, 1 - old.best)
  OR abs(new.controversy - old.controversy) * 32 > old.controversy BEGIN
  UPDATE comments SET ups = new.ups, downs = new.downs, score = new.score, best = new.best, controversy = new.controversy, qa = new.qa WHERE id = new.id;
END;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS comment_counters_counted INSTEAD OF UPDATE ON comment_counters
WHEN NOT (abs(new.score - old.score) * 32 > abs(old.score) OR abs(new.best - old.best) * 32 > min(old.best, 1 - old.best)
  OR abs(new.controversy - old.controversy) * 32 > old.controversy) BEGIN
  UPDATE comments SET ups = new.ups, downs = new.downs WHERE id = new.id;
END;

-- 43200000 is originPart of data/content/votes/origin.go in milliseconds.
-- Used by data/content/votes/origin.go.
CREATE TRIGGER IF NOT EXISTS votes_replaced AFTER UPDATE OF value ON votes WHEN new.value <> old.value BEGIN
  DELETE FROM vote_origins WHERE part = old.updated_at / 43200000 AND target_id = old.target_id
    AND created_at = old.updated_at AND user_id = old.user_id;
END;

-- Used by data/content/votes/case.go.
CREATE TRIGGER IF NOT EXISTS quarantines_found AFTER INSERT ON quarantines WHEN new.status = 'open' BEGIN
  INSERT INTO community_stats (community_id, cases) VALUES (new.community_id, 1)
  ON CONFLICT (community_id) DO UPDATE SET cases = cases + 1;
END;

-- Used by data/content/votes/case.go.
CREATE TRIGGER IF NOT EXISTS quarantines_settled AFTER UPDATE OF status ON quarantines
WHEN (old.status = 'open') <> (new.status = 'open') BEGIN
  UPDATE community_stats SET cases = cases + (new.status = 'open') - (old.status = 'open') WHERE community_id = new.community_id;
END;

-- Used by data/moderation/reports/report.go.
CREATE TRIGGER IF NOT EXISTS reports_made AFTER INSERT ON reports BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, weight) VALUES (new.target_id, new.community_id, 1, new.created_at, new.weight)
  ON CONFLICT (target_id) DO UPDATE SET reports = iif(status = 'open', reports + 1, 1), weight = iif(status = 'open', weight + new.weight, new.weight), came_at = iif(status = 'open', came_at, excluded.came_at),
    status = 'open', decision = '', decided_by = NULL, decided_at = NULL, held = iif(status = 'open', held, 0), hits = iif(status = 'open', hits, 0) WHERE decision <> 'ignore';
  INSERT INTO report_reasons (target_id, reason, reports)
  SELECT new.target_id, new.reason, 1 FROM queue_items q WHERE q.target_id = new.target_id AND q.status = 'open'
  ON CONFLICT (target_id, reason) DO UPDATE SET reports = reports + 1;
END;

-- Used by data/moderation/reports/queue.go.
CREATE TRIGGER IF NOT EXISTS queue_items_decided AFTER UPDATE OF status ON queue_items WHEN old.status = 'open' AND new.status <> 'open' BEGIN
  DELETE FROM report_reasons WHERE target_id = new.target_id;
END;

-- Used by data/events/inbox/event.go.
CREATE TRIGGER IF NOT EXISTS queue_items_notified AFTER UPDATE OF status ON queue_items
WHEN old.status = 'open' AND new.status = 'decided' AND new.decision IN ('remove', 'approve', 'ignore') AND new.reports > 0 BEGIN
  INSERT INTO report_outcomes (target_id, decided_at, decision, decided_by, came_at) VALUES (new.target_id, new.decided_at, new.decision, new.decided_by, new.came_at) ON CONFLICT DO NOTHING;
  INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (new.target_id, 'reported', new.decided_at, new.decided_at + 60000)
  ON CONFLICT (subject_id, job) DO UPDATE SET queued_at = max(excluded.queued_at, queued_at + 1), attempts = 0, due_at = excluded.due_at;
END;

-- Used by data/moderation/reports/count.go.
CREATE TRIGGER IF NOT EXISTS queue_items_opened AFTER INSERT ON queue_items WHEN new.status = 'open' AND new.community_id <> 0 BEGIN
  INSERT INTO community_stats (community_id, waiting) VALUES (new.community_id, 1) ON CONFLICT (community_id) DO UPDATE SET waiting = waiting + 1;
END;

-- Used by data/moderation/reports/count.go.
CREATE TRIGGER IF NOT EXISTS queue_items_counted AFTER UPDATE OF status ON queue_items WHEN (old.status = 'open') <> (new.status = 'open') BEGIN
  UPDATE community_stats SET waiting = waiting + (new.status = 'open') - (old.status = 'open') WHERE community_id = new.community_id;
END;

-- Used by data/moderation/reports/count.go.
CREATE TRIGGER IF NOT EXISTS community_stats_counted AFTER UPDATE OF waiting, cases ON community_stats WHEN new.waiting + new.cases <> old.waiting + old.cases BEGIN
  UPDATE communities SET waiting = new.waiting + new.cases WHERE id = new.community_id;
END;

-- Used by data/moderation/reports/count.go.
CREATE TRIGGER IF NOT EXISTS community_stats_begun AFTER INSERT ON community_stats WHEN new.waiting + new.cases > 0 BEGIN
  UPDATE communities SET waiting = new.waiting + new.cases WHERE id = new.community_id;
END;

-- Used by data/moderation/reports/queue.go.
CREATE TRIGGER IF NOT EXISTS queue_items_post_made AFTER INSERT ON posts WHEN new.held = 1 AND new.status = 'removed' BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, held) VALUES (new.id, new.community_id, 0, new.created_at, 1) ON CONFLICT DO NOTHING;
END;

-- Used by data/moderation/reports/queue.go.
CREATE TRIGGER IF NOT EXISTS queue_items_post_due AFTER UPDATE OF status ON posts WHEN new.held = 1 AND new.status = 'removed' AND old.status IN ('draft', 'scheduled') BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, held) VALUES (new.id, new.community_id, 0, new.created_at, 1) ON CONFLICT DO NOTHING;
END;

-- Used by data/moderation/reports/queue.go.
CREATE TRIGGER IF NOT EXISTS queue_items_comment_made AFTER INSERT ON comments WHEN new.held = 1 BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, held)
  SELECT new.id, p.community_id, 0, new.created_at, 1 FROM posts p WHERE p.id = new.post_id ON CONFLICT DO NOTHING;
END;

-- Used by data/moderation/reports/queue.go.
CREATE TRIGGER IF NOT EXISTS queue_items_post_deleted AFTER UPDATE OF status ON posts WHEN new.status = 'deleted' BEGIN
  UPDATE queue_items SET status = 'decided', decision = 'deleted' WHERE target_id = new.id AND status = 'open';
END;

-- Used by data/moderation/reports/queue.go.
CREATE TRIGGER IF NOT EXISTS queue_items_comment_deleted AFTER UPDATE OF status ON comments WHEN new.status = 'deleted' BEGIN
  UPDATE queue_items SET status = 'decided', decision = 'deleted' WHERE target_id = new.id AND status = 'open';
END;

-- Hits of the site's rules in a community that moves here stay counted on the old shard.
-- Used by data/rights/rules/store.go.
CREATE TRIGGER IF NOT EXISTS rule_hits_counted AFTER INSERT ON rule_hits
WHEN new.later = 0 AND NOT (new.site = 1 AND EXISTS (SELECT 1 FROM frozen_slots WHERE writes = 1)) BEGIN
  INSERT INTO rule_counts (site, rule_id, hits, last_at) VALUES (new.site, new.rule_id, 1, new.created_at)
  ON CONFLICT (site, rule_id) DO UPDATE SET hits = hits + 1, last_at = excluded.last_at;
END;

-- Used by data/rights/rules/verdict.go.
CREATE TRIGGER IF NOT EXISTS rule_hits_queued AFTER INSERT ON rule_hits WHEN new.queued = 1 AND new.later = 0 BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, hits) VALUES (new.target_id, new.community_id, 0, new.created_at, 1)
  ON CONFLICT (target_id) DO UPDATE SET hits = iif(status = 'open', hits + 1, 1), reports = iif(status = 'open', reports, 0), weight = iif(status = 'open', weight, 0),
    came_at = iif(status = 'open', came_at, excluded.came_at), held = iif(status = 'open', held, 0),
    status = 'open', decision = '', decided_by = NULL, decided_at = NULL WHERE decision <> 'ignore';
END;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS comments_added AFTER INSERT ON comments WHEN new.held = 0 AND NOT EXISTS (SELECT 1 FROM bulk_writes) BEGIN
  INSERT INTO count_deltas (post_id, parent_id, path, created_at)
  VALUES (new.post_id, new.parent_id, new.path, new.created_at) ON CONFLICT DO NOTHING;
END;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS comments_shown AFTER UPDATE OF held ON comments WHEN old.held <> 0 AND new.held = 0 BEGIN
  INSERT INTO count_deltas (post_id, parent_id, path, created_at)
  VALUES (new.post_id, new.parent_id, new.path, new.created_at) ON CONFLICT DO NOTHING;
END;

-- A delta run of comments writes into posts through this view. active and comments_step are in two indexes each, and are written only when they
-- have moved. Of the four triggers, one applies: both have moved, or active, or comments_step, or neither.
CREATE VIEW IF NOT EXISTS post_activity AS SELECT id, comments, comments_step, comment_times, commented_at, active, created_at FROM posts;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS post_activity_moved INSTEAD OF UPDATE ON post_activity WHEN new.active <> old.active AND new.comments_step <> old.comments_step BEGIN
  UPDATE posts SET comments = new.comments, comments_step = new.comments_step, comment_times = new.comment_times, commented_at = new.commented_at, active = new.active WHERE id = new.id;
END;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS post_activity_active INSTEAD OF UPDATE ON post_activity WHEN new.active <> old.active AND new.comments_step = old.comments_step BEGIN
  UPDATE posts SET comments = new.comments, comment_times = new.comment_times, commented_at = new.commented_at, active = new.active WHERE id = new.id;
END;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS post_activity_step INSTEAD OF UPDATE ON post_activity WHEN new.active = old.active AND new.comments_step <> old.comments_step BEGIN
  UPDATE posts SET comments = new.comments, comments_step = new.comments_step, comment_times = new.comment_times, commented_at = new.commented_at WHERE id = new.id;
END;

-- Used by data/content/votes/counters.go.
CREATE TRIGGER IF NOT EXISTS post_activity_counted INSTEAD OF UPDATE ON post_activity WHEN new.active = old.active AND new.comments_step = old.comments_step BEGIN
  UPDATE posts SET comments = new.comments, comment_times = new.comment_times, commented_at = new.commented_at WHERE id = new.id;
END;

-- Used by data/content/posts/activity.go.
CREATE TRIGGER IF NOT EXISTS comments_activity_changed AFTER UPDATE OF status, held ON comments
WHEN (old.status = 'published' AND old.held = 0) <> (new.status = 'published' AND new.held = 0) BEGIN
  UPDATE posts SET commented_at = n.at, active = max(created_at, coalesce(min(n.others, (created_at + n.others)/2 + 86400000), 0)) FROM (
    SELECT nullif(max(coalesce(o.at, 0), coalesce(a.at, 0)), 0)/60000*60000 AS at, o.at/60000*60000 AS others
    FROM (SELECT (SELECT max(c.created_at) FROM comments c WHERE c.post_id = new.post_id AND c.op = 0 AND c.status = 'published' AND c.held = 0) AS at) o, (SELECT (SELECT max(c.created_at) FROM comments c WHERE c.post_id = new.post_id AND c.op = 1 AND c.status = 'published' AND c.held = 0) AS at) a) n
  WHERE id = new.post_id AND (commented_at, active) IS NOT (n.at, max(created_at, coalesce(min(n.others, (created_at + n.others)/2 + 86400000), 0)));
END;

-- Used by data/rights/reputation/reputation.go.
CREATE TRIGGER IF NOT EXISTS reputations_comment_changed AFTER UPDATE OF status, held ON comments
WHEN new.author_id IS NOT NULL AND (new.status = 'published' AND new.held = 0) - (old.status = 'published' AND old.held = 0) <> (old.held <> 0 AND new.held = 0) BEGIN
  INSERT INTO reputations (community_id, user_id, comments)
  SELECT p.community_id, new.author_id, (new.status = 'published' AND new.held = 0) - (old.status = 'published' AND old.held = 0) - (old.held <> 0 AND new.held = 0)
  FROM posts p WHERE p.id = new.post_id
  ON CONFLICT (community_id, user_id) DO UPDATE SET comments = comments + excluded.comments;
END;

CREATE VIEW IF NOT EXISTS post_words AS
SELECT p.id, iif(p.words = '', p.title, p.words) AS title,
  coalesce(iif(t.words = '', t.text, t.words), '') || ' ' || p.domain || iif(p.link_key = '' OR p.link_key GLOB 'post:*', '', ' ' || p.link_key)
    AS body,
  'c' || p.community_id || coalesce(' u' || p.author_id, '') || ' k' || p.kind || coalesce((WITH RECURSIVE above (d) AS (SELECT p.domain
    UNION ALL SELECT substr(d, instr(d, '.') + 1) FROM above WHERE instr(d, '.') > 0)
    SELECT group_concat(' d' || hex(d), '') FROM above WHERE d = p.domain AND d <> '' OR instr(d, '.') > 0), '')
    || iif(p.link_key = '' OR p.link_key GLOB 'post:*', '', ' l' || hex(substr(p.link_key, -20))) || iif(p.score < 10, '', ' s' || length(p.score))
    || coalesce((SELECT group_concat(' t' || hex(j.value), '') FROM json_each(iif(p.tags = '', '[]', '["' || replace(p.tags, ' ', '","') || '"]')) j), '') AS facets
FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id WHERE p.status IN ('published', 'archived');

CREATE VIEW IF NOT EXISTS comment_words AS
SELECT c.id, iif(c.words = '', c.body, c.words) AS body,
  'c' || p.community_id || coalesce(' u' || c.author_id, '') || iif(c.score < 10, '', ' s' || length(c.score)) AS facets
FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.status = 'published' AND c.held = 0;

CREATE VIEW IF NOT EXISTS community_words AS
SELECT c.id, c.name || ' ' || iif(c.words = '', c.title, c.words) AS name, iif(c.about_words = '', c.description, c.about_words) AS about
FROM communities c WHERE c.kind = 'community';

CREATE VIEW IF NOT EXISTS person_words AS
SELECT u.id, u.username AS name, iif(u.words = '', u.bio, u.words) AS about
FROM users u WHERE u.status = 'active' AND u.username <> '' AND u.waiting IS NULL;

-- A post with a text is added together with the text.
-- Used by data/lists/search/found_sql.go.
CREATE TRIGGER IF NOT EXISTS search_posts_made AFTER INSERT ON posts WHEN new.status IN ('published', 'archived') AND new.excerpt = '' BEGIN
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = new.id;
END;

-- Used by data/lists/search/found_sql.go.
CREATE TRIGGER IF NOT EXISTS search_posts_changed AFTER UPDATE OF status, title, words, kind, domain, link_key, author_id, score, tags ON posts
WHEN (new.status IN ('published', 'archived') OR old.status IN ('published', 'archived')) AND (new.status <> old.status OR new.title <> old.title OR new.words <> old.words OR new.kind <> old.kind
  OR new.domain <> old.domain OR new.link_key <> old.link_key OR new.tags <> old.tags OR new.author_id IS NOT old.author_id OR length(max(new.score, 0)) <> length(max(old.score, 0))) BEGIN
  DELETE FROM search_posts WHERE rowid = new.id;
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = new.id;
END;

-- Used by data/lists/search/found_sql.go.
CREATE TRIGGER IF NOT EXISTS search_posts_gone AFTER DELETE ON posts BEGIN
  DELETE FROM search_posts WHERE rowid = old.id;
END;

-- Used by data/lists/search/found_sql.go.
CREATE TRIGGER IF NOT EXISTS search_texts_made AFTER INSERT ON post_texts WHEN new.text <> '' BEGIN
  DELETE FROM search_posts WHERE rowid = new.post_id;
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = new.post_id;
END;

-- Used by data/lists/search/found_sql.go.
CREATE TRIGGER IF NOT EXISTS search_texts_changed AFTER UPDATE OF text, words ON post_texts WHEN new.text <> old.text OR new.words <> old.words BEGIN
  DELETE FROM search_posts WHERE rowid = new.post_id;
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = new.post_id;
END;

-- Used by data/lists/search/found_sql.go.
CREATE TRIGGER IF NOT EXISTS search_texts_gone AFTER DELETE ON post_texts WHEN old.text <> '' BEGIN
  DELETE FROM search_posts WHERE rowid = old.post_id;
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = old.post_id;
END;

-- Used by data/lists/search/found_sql.go.
CREATE TRIGGER IF NOT EXISTS search_comments_made AFTER INSERT ON comments WHEN new.status = 'published' AND new.held = 0 AND NOT EXISTS (SELECT 1 FROM bulk_writes) BEGIN
  INSERT INTO search_comments (rowid, body, facets) SELECT id, body, facets FROM comment_words WHERE id = new.id;
END;

-- Used by data/lists/search/found_sql.go.
CREATE TRIGGER IF NOT EXISTS search_comments_changed AFTER UPDATE OF body, words, status, held, author_id, score ON comments
WHEN new.body <> old.body OR new.words <> old.words OR new.status <> old.status OR new.held <> old.held OR new.author_id IS NOT old.author_id
  OR length(max(new.score, 0)) <> length(max(old.score, 0)) BEGIN
  DELETE FROM search_comments WHERE rowid = new.id;
  INSERT INTO search_comments (rowid, body, facets) SELECT id, body, facets FROM comment_words WHERE id = new.id;
END;

-- Used by data/lists/search/found_sql.go.
CREATE TRIGGER IF NOT EXISTS search_comments_gone AFTER DELETE ON comments BEGIN
  DELETE FROM search_comments WHERE rowid = old.id;
END;

-- Used by data/lists/search/directory.go.
CREATE TRIGGER IF NOT EXISTS search_communities_made AFTER INSERT ON communities BEGIN
  INSERT INTO search_communities (rowid, name, about) SELECT id, name, about FROM community_words WHERE id = new.id;
END;

-- Used by data/lists/search/directory.go.
CREATE TRIGGER IF NOT EXISTS search_communities_changed AFTER UPDATE OF name, title, description, words, about_words ON communities
WHEN new.name <> old.name OR new.title <> old.title OR new.description <> old.description OR new.words <> old.words
  OR new.about_words <> old.about_words BEGIN
  DELETE FROM search_communities WHERE rowid = new.id;
  INSERT INTO search_communities (rowid, name, about) SELECT id, name, about FROM community_words WHERE id = new.id;
END;

-- Used by data/lists/search/directory.go.
CREATE TRIGGER IF NOT EXISTS search_communities_gone AFTER DELETE ON communities BEGIN
  DELETE FROM search_communities WHERE rowid = old.id;
END;

-- Used by data/lists/search/directory.go.
CREATE TRIGGER IF NOT EXISTS search_people_made AFTER INSERT ON users BEGIN
  INSERT INTO search_people (rowid, name, about) SELECT id, name, about FROM person_words WHERE id = new.id;
END;

-- Used by data/lists/search/directory.go.
CREATE TRIGGER IF NOT EXISTS search_people_changed AFTER UPDATE OF username, bio, words, status, waiting ON users
WHEN new.username <> old.username OR new.bio <> old.bio OR new.words <> old.words OR new.status <> old.status OR new.waiting IS NOT old.waiting BEGIN
  DELETE FROM search_people WHERE rowid = new.id;
  INSERT INTO search_people (rowid, name, about) SELECT id, name, about FROM person_words WHERE id = new.id;
END;

-- Used by data/lists/search/directory.go.
CREATE TRIGGER IF NOT EXISTS search_people_gone AFTER DELETE ON users BEGIN
  DELETE FROM search_people WHERE rowid = old.id;
END;
