-- When members last looked at threads.
CREATE TABLE IF NOT EXISTS visits (
  user_id INTEGER NOT NULL,
  post_id INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,                   -- the last page of the last visit, to a minute
  since   INTEGER,                            -- the same of the visit before; NULL: there was none
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS visits_age ON visits (seen_at);
