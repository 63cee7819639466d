CREATE TABLE IF NOT EXISTS passkeys (
  id         TEXT    PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  public_key TEXT    NOT NULL,
  sign_count INTEGER NOT NULL,
  last_use   TEXT    NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  used_at    INTEGER,
  copied_at  INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS passkeys_user ON passkeys (user_id, created_at, id);
CREATE TABLE IF NOT EXISTS identities (
  id         INTEGER PRIMARY KEY,
  issuer     TEXT    NOT NULL,
  subject    TEXT    NOT NULL,
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  used_at    INTEGER,
  UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX IF NOT EXISTS identities_user ON identities (user_id, id);
CREATE TABLE IF NOT EXISTS spent (
  token      TEXT    PRIMARY KEY,
  spender    TEXT    NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS spent_expiry ON spent (expires_at);
