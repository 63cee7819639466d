CREATE TABLE IF NOT EXISTS totp (
  user_id    INTEGER PRIMARY KEY,
  secret     TEXT    NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS recovery_codes (
  user_id INTEGER NOT NULL,
  hash    TEXT    NOT NULL,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;
