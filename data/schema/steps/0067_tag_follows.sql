-- The tags that members follow.
CREATE TABLE IF NOT EXISTS tag_follows (
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;
