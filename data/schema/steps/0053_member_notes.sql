-- What moderators note about members, for each other.
CREATE TABLE IF NOT EXISTS member_notes (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  author_id    INTEGER NOT NULL,
  body         TEXT    NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS member_notes_listed ON member_notes (user_id, community_id);
