-- Whom the moderators of a community keep from taking part in it.
CREATE TABLE IF NOT EXISTS bans (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  kind         TEXT    NOT NULL CHECK (kind IN ('ban', 'mute')),
  username     TEXT    NOT NULL,
  until        INTEGER NOT NULL,
  UNIQUE (community_id, user_id)
) STRICT;
CREATE INDEX IF NOT EXISTS bans_listed ON bans (community_id, until);
CREATE INDEX IF NOT EXISTS bans_named ON bans (community_id, username COLLATE NOCASE);
CREATE INDEX IF NOT EXISTS bans_user ON bans (user_id);
