-- Authors and comments of other sites.
ALTER TABLE users ADD COLUMN origin TEXT;
ALTER TABLE users ADD COLUMN unclaimed INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX IF NOT EXISTS users_origin ON users (origin) WHERE origin IS NOT NULL;
CREATE TABLE IF NOT EXISTS comment_sources (
  source     TEXT    PRIMARY KEY,
  comment_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
