-- Inboxes: what members were told, which threads they follow or have muted, and whom posts and comments have mentioned.
ALTER TABLE users ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS users_told ON users (told) WHERE told > 1000;
CREATE TABLE IF NOT EXISTS inbox (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id        INTEGER NOT NULL,
  kind           TEXT    NOT NULL CHECK (kind IN ('answer', 'mention', 'thread')), -- why: the first of these that holds
  subject_id     INTEGER NOT NULL,            -- the post or comment
  post_id        INTEGER NOT NULL,            -- its thread
  community_name TEXT    NOT NULL,            -- copies of the thread's
  slug           TEXT    NOT NULL,
  title          TEXT    NOT NULL,
  author_id      INTEGER,                     -- who wrote the post or comment
  excerpt        TEXT    NOT NULL,            -- its first words, plain
  unread         INTEGER NOT NULL DEFAULT 1,
  created_at     INTEGER NOT NULL             -- by the database's clock
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS inbox_subject ON inbox (post_id, subject_id, user_id);
CREATE INDEX IF NOT EXISTS inbox_listed ON inbox (user_id, kind);
CREATE INDEX IF NOT EXISTS inbox_unread ON inbox (user_id, subject_id) WHERE unread = 1;
CREATE TRIGGER IF NOT EXISTS inbox_came AFTER INSERT ON inbox BEGIN
  UPDATE users SET unread = unread + new.unread, told = told + 1 WHERE id = new.user_id;
END;
CREATE TRIGGER IF NOT EXISTS inbox_read AFTER UPDATE OF unread ON inbox WHEN new.unread <> old.unread BEGIN
  UPDATE users SET unread = unread + new.unread - old.unread WHERE id = new.user_id;
END;
CREATE TRIGGER IF NOT EXISTS inbox_gone AFTER DELETE ON inbox BEGIN
  UPDATE users SET unread = unread - old.unread, told = told - 1 WHERE id = old.user_id;
END;
CREATE TABLE IF NOT EXISTS watches (
  user_id    INTEGER NOT NULL,
  post_id    INTEGER NOT NULL,
  path       TEXT    NOT NULL,                -- communities.name_key/posts.slug, by which the thread's page finds it
  muted      INTEGER NOT NULL CHECK (muted IN (0, 1)), -- 0: followed
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS watches_path ON watches (user_id, path);
CREATE INDEX IF NOT EXISTS watches_followed ON watches (post_id, user_id) WHERE muted = 0;
CREATE TABLE IF NOT EXISTS mentions (
  subject_id INTEGER NOT NULL,                -- posts.id or comments.id
  name_key   TEXT    NOT NULL,                -- users.username_key, if there is such a member
  PRIMARY KEY (subject_id, name_key)
) STRICT, WITHOUT ROWID;
