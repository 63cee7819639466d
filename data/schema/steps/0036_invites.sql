-- Signing up by invitation, and who was invited by whom.
ALTER TABLE users ADD COLUMN invite_id INTEGER;
CREATE INDEX IF NOT EXISTS users_invited ON users (invite_id) WHERE invite_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS invites (
  id         INTEGER PRIMARY KEY,
  code       TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL,
  uses       INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS invites_user ON invites (user_id, expires_at);
