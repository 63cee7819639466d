-- Karma in the directory, by which administrators list members.
ALTER TABLE users ADD COLUMN karma INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN karma_turn INTEGER NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS users_rated ON users (status, karma) WHERE username <> '';
CREATE TABLE IF NOT EXISTS karma_changed (
  author_id INTEGER PRIMARY KEY,
  mark      INTEGER NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS author_karma_begun AFTER INSERT ON author_karma WHEN new.posts + new.comments <> 0 BEGIN
  INSERT INTO karma_changed (author_id, mark) VALUES (new.author_id, random()) ON CONFLICT (author_id) DO UPDATE SET mark = excluded.mark;
END;
CREATE TRIGGER IF NOT EXISTS author_karma_moved AFTER UPDATE OF posts, comments ON author_karma WHEN new.posts + new.comments <> old.posts + old.comments BEGIN
  INSERT INTO karma_changed (author_id, mark) VALUES (new.author_id, random()) ON CONFLICT (author_id) DO UPDATE SET mark = excluded.mark;
END;
