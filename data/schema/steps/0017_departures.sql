CREATE TABLE IF NOT EXISTS departures (
  user_id  INTEGER PRIMARY KEY,
  username TEXT    NOT NULL,
  name_key TEXT    NOT NULL,
  content  TEXT    NOT NULL CHECK (content IN ('keep', 'delete')),
  asked_at INTEGER NOT NULL,
  begin_at INTEGER NOT NULL,
  left_at  INTEGER,
  due_at   INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS departures_name ON departures (name_key);
CREATE INDEX IF NOT EXISTS departures_due ON departures (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS departures_left ON departures (left_at) WHERE left_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_gone ON posts (author_id) WHERE status <> 'published' AND author_name <> '';
CREATE INDEX IF NOT EXISTS comments_gone ON comments (author_id) WHERE status <> 'published' AND author_name <> '';
CREATE INDEX IF NOT EXISTS quarantines_decider ON quarantines (decided_by) WHERE decided_name <> '';
