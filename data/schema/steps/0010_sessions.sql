CREATE TABLE IF NOT EXISTS sessions (
  id         INTEGER PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  issued_at  INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL,
  device     TEXT    NOT NULL,
  network    TEXT    NOT NULL,
  way        TEXT    NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS sessions_user ON sessions (user_id, seen_at);
CREATE INDEX IF NOT EXISTS sessions_seen ON sessions (seen_at);
