-- Timelines: what members read at /home, which followees' posts are merged when it is read, and when members were last here.
ALTER TABLE users ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN loud_to INTEGER;
ALTER TABLE follows ADD COLUMN loud INTEGER NOT NULL DEFAULT 0 CHECK (loud IN (0, 1));
ALTER TABLE follows ADD COLUMN unfilled INTEGER NOT NULL DEFAULT 0 CHECK (unfilled IN (0, 1));
CREATE INDEX IF NOT EXISTS follows_loud ON follows (follower_id, created_at) WHERE loud = 1;
CREATE INDEX IF NOT EXISTS follows_unfilled ON follows (follower_id) WHERE unfilled = 1;
CREATE TABLE IF NOT EXISTS timeline (
  user_id   INTEGER NOT NULL,
  posted_at INTEGER NOT NULL,                 -- posts.created_at
  post_id   INTEGER NOT NULL,
  author_id INTEGER NOT NULL,
  PRIMARY KEY (user_id, posted_at, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS posts_by ON posts (author_id, created_at) WHERE status = 'published' AND author_id IS NOT NULL;
