-- Flairs of communities, and that of a post.
ALTER TABLE posts ADD COLUMN flair_id INTEGER;
CREATE INDEX IF NOT EXISTS posts_flair_hot ON posts (flair_id, hot) WHERE status = 'published' AND flair_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_flair_new ON posts (flair_id, created_at) WHERE status = 'published' AND flair_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_flair_top ON posts (flair_id, age, score) WHERE status = 'published' AND flair_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS flairs (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  place        INTEGER NOT NULL,
  text         TEXT    NOT NULL,
  colour       TEXT    NOT NULL,
  restricted   INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS flairs_listed ON flairs (community_id, place);
CREATE TABLE IF NOT EXISTS flair_sets (
  community_id INTEGER PRIMARY KEY,
  revision     INTEGER NOT NULL,
  required     INTEGER NOT NULL
) STRICT;
