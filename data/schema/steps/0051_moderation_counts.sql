-- How many entries of moderation_log each moderator has made in a month, and how many of those were taken back.
CREATE TABLE IF NOT EXISTS moderation_counts (
  community_id INTEGER NOT NULL,              -- as there
  month        INTEGER NOT NULL,              -- UTC; 202611 is November 2026
  actor_id     INTEGER NOT NULL,              -- as there
  action       TEXT    NOT NULL,
  made         INTEGER NOT NULL,
  undone       INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (community_id, month, actor_id, action)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS moderation_log_counted AFTER INSERT ON moderation_log BEGIN
  INSERT INTO moderation_counts (community_id, month, actor_id, action, made)
  VALUES (new.community_id, CAST(strftime('%Y%m', (new.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER), new.actor_id, new.action, 1)
  ON CONFLICT (community_id, month, actor_id, action) DO UPDATE SET made = made + 1;
END;
CREATE TRIGGER IF NOT EXISTS moderation_log_undone AFTER UPDATE OF undone_by ON moderation_log WHEN old.undone_by IS NULL AND new.undone_by IS NOT NULL BEGIN
  UPDATE moderation_counts SET undone = undone + 1 WHERE community_id = new.community_id
    AND month = CAST(strftime('%Y%m', (new.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER) AND actor_id = new.actor_id AND action = new.action;
END;
-- The site's own log, which is short.
INSERT INTO moderation_counts (community_id, month, actor_id, action, made, undone)
SELECT l.community_id, CAST(strftime('%Y%m', (l.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER), l.actor_id, l.action, count(*), count(l.undone_by)
FROM moderation_log l WHERE l.community_id = 0 GROUP BY 1, 2, 3, 4
ON CONFLICT (community_id, month, actor_id, action) DO UPDATE SET made = excluded.made, undone = excluded.undone;
