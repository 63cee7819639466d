-- What moderators and administrators have decided.
CREATE TABLE IF NOT EXISTS moderation_log (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  action       TEXT    NOT NULL,
  target_id    INTEGER NOT NULL,
  author_id    INTEGER,
  rule         TEXT    NOT NULL DEFAULT '',
  note         TEXT    NOT NULL DEFAULT '',
  until        INTEGER,
  actor_id     INTEGER NOT NULL,
  actor_name   TEXT    NOT NULL,
  undone_by    INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS moderation_log_community ON moderation_log (community_id);
CREATE INDEX IF NOT EXISTS moderation_log_target ON moderation_log (target_id, action);
CREATE INDEX IF NOT EXISTS moderation_log_author ON moderation_log (author_id, community_id) WHERE author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS moderation_log_actor ON moderation_log (actor_id) WHERE actor_name <> '';
