-- API tokens.
CREATE TABLE IF NOT EXISTS tokens (
  id         INTEGER PRIMARY KEY,             -- revocations know it like that of a session
  user_id    INTEGER NOT NULL,
  hash       TEXT    NOT NULL,                -- SHA-256 of the token, base64
  name       TEXT    NOT NULL,                -- that its member gave it
  scopes     TEXT    NOT NULL,                -- what it may do: names of people.Scope with spaces between them
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER                          -- the beginning of the last day on which it was used, UTC; NULL: never
) STRICT;
CREATE INDEX IF NOT EXISTS tokens_user ON tokens (user_id, id);
CREATE INDEX IF NOT EXISTS tokens_expiry ON tokens (expires_at);
