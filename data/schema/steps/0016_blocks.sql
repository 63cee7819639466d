-- Whom members block.
CREATE TABLE blocks (
  blocker_id INTEGER NOT NULL,
  blocked_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id),
  CHECK (blocker_id <> blocked_id)
) STRICT, WITHOUT ROWID;
ALTER TABLE users ADD COLUMN blocked TEXT NOT NULL DEFAULT '';
CREATE TRIGGER blocks_begun AFTER INSERT ON blocks BEGIN
  UPDATE users SET blocked = (SELECT group_concat(blocked_id) FROM blocks WHERE blocker_id = new.blocker_id) WHERE id = new.blocker_id;
END;
CREATE TRIGGER blocks_ended AFTER DELETE ON blocks BEGIN
  UPDATE users SET blocked = coalesce((SELECT group_concat(blocked_id) FROM blocks WHERE blocker_id = old.blocker_id), '') WHERE id = old.blocker_id;
END;
