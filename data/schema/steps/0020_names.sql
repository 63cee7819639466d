-- New names of members: who had which name before, and copies of names that follow.
ALTER TABLE users ADD COLUMN renamed_at INTEGER;
ALTER TABLE users ADD COLUMN renaming TEXT NOT NULL DEFAULT '';
CREATE TABLE IF NOT EXISTS former_names (
  name_key TEXT    PRIMARY KEY,               -- as in users.username_key
  user_id  INTEGER NOT NULL,
  left_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS former_names_user ON former_names (user_id);
CREATE TABLE IF NOT EXISTS names (
  user_id INTEGER PRIMARY KEY,
  name    TEXT    NOT NULL
) STRICT;
