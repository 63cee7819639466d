-- Members are told of decisions about what is theirs, and of what became of their reports.
ALTER TABLE inbox ADD COLUMN notice TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox ADD COLUMN about_id INTEGER NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS inbox_notices ON inbox (user_id) WHERE notice <> '';
DROP TRIGGER IF EXISTS inbox_pushed;
CREATE TRIGGER IF NOT EXISTS inbox_pushed AFTER INSERT ON inbox WHEN new.unread = 1 BEGIN
  INSERT INTO pushes (device_id, post_id, since, upto, came_at, due_at)
  SELECT d.id, new.post_id, new.id - 1, new.id, new.created_at, new.created_at FROM devices d LEFT JOIN push_choices c ON c.user_id = d.user_id
  WHERE d.user_id = new.user_id AND CASE iif(new.notice = '', new.kind, 'answer') WHEN 'answer' THEN coalesce(c.answers, 1) WHEN 'mention' THEN coalesce(c.mentions, 1) ELSE coalesce(c.threads, 1) END
  ON CONFLICT (device_id, post_id) DO UPDATE SET upto = excluded.upto, came_at = excluded.came_at;
END;
CREATE TRIGGER IF NOT EXISTS moderation_log_told AFTER INSERT ON moderation_log
WHEN new.action IN ('remove', 'approve', 'ban', 'unban', 'mute', 'unmute', 'suspend', 'ban-site', 'restore') AND new.author_id <> new.actor_id BEGIN
  INSERT INTO outbox (subject_id, work, queued_at, due_at) VALUES (new.id, 'decided', 0, (new.id >> 22) + 1767225660000) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_told AFTER UPDATE OF status ON queue_items
WHEN old.status = 'open' AND new.status = 'decided' AND new.decision IN ('remove', 'approve', 'ignore') AND new.reports > 0 BEGIN
  INSERT INTO outbox (subject_id, work, queued_at, due_at) VALUES (new.target_id, 'reported', new.decided_at, new.decided_at + 60000)
  ON CONFLICT (subject_id, work) DO UPDATE SET queued_at = max(excluded.queued_at, queued_at + 1), attempts = 0, due_at = excluded.due_at;
END;
