-- Who looks at posts and profiles: counts (data/views), and the orders of posts by them.
ALTER TABLE posts ADD COLUMN views INTEGER NOT NULL DEFAULT 0;
ALTER TABLE posts ADD COLUMN week_views INTEGER NOT NULL DEFAULT 0;
ALTER TABLE posts ADD COLUMN views_week INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN views INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN week_views INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN views_week INTEGER NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS posts_views ON posts (community_id, age, views) WHERE status = 'published' AND views > 0;
CREATE INDEX IF NOT EXISTS posts_site_views ON posts (age, views) WHERE status = 'published' AND views > 0;
CREATE INDEX IF NOT EXISTS posts_author_views ON posts (author_name COLLATE NOCASE, views)
  WHERE status = 'published' AND author_id IS NOT NULL AND views > 0;
