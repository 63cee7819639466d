-- Conversations between members and moderators.
CREATE TABLE IF NOT EXISTS conversations (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  subject      TEXT    NOT NULL,
  about        TEXT    NOT NULL,
  status       TEXT    NOT NULL CHECK (status IN ('open', 'answered', 'closed')),
  taken_by     INTEGER,
  said_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS conversations_status ON conversations (community_id, status, said_at);
CREATE INDEX IF NOT EXISTS conversations_taken ON conversations (taken_by, community_id, said_at) WHERE status <> 'closed';
CREATE INDEX IF NOT EXISTS conversations_user ON conversations (user_id, said_at);
CREATE TABLE IF NOT EXISTS conversation_messages (
  id              INTEGER PRIMARY KEY,
  conversation_id INTEGER NOT NULL,
  author_id       INTEGER NOT NULL,
  side            TEXT    NOT NULL CHECK (side IN ('member', 'moderators', 'note')),
  body            TEXT    NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS conversation_messages_of ON conversation_messages (conversation_id);
CREATE INDEX IF NOT EXISTS conversation_messages_author ON conversation_messages (author_id);
CREATE TRIGGER IF NOT EXISTS conversation_messages_stay BEFORE UPDATE ON conversation_messages BEGIN
  SELECT raise(ABORT, 'messages are never changed');
END;
CREATE INDEX IF NOT EXISTS users_admins ON users (admin) WHERE admin = 1;
