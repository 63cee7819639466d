-- How many published posts were made on each day, for sitemaps (data/sitemaps). Triggers keep it.
CREATE TABLE IF NOT EXISTS post_days (
  day   INTEGER PRIMARY KEY,
  posts INTEGER NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS post_days_made AFTER INSERT ON posts WHEN new.status = 'published' BEGIN
  INSERT INTO post_days (day, posts) VALUES (new.created_at / 86400000, 1) ON CONFLICT (day) DO UPDATE SET posts = posts + 1;
END;
CREATE TRIGGER IF NOT EXISTS post_days_changed AFTER UPDATE OF status, created_at ON posts
WHEN (old.status = 'published') <> (new.status = 'published') OR new.status = 'published' AND old.created_at <> new.created_at BEGIN
  UPDATE post_days SET posts = posts - 1 WHERE old.status = 'published' AND day = old.created_at / 86400000;
  INSERT INTO post_days (day, posts) SELECT new.created_at / 86400000, 1 WHERE new.status = 'published'
  ON CONFLICT (day) DO UPDATE SET posts = posts + 1;
END;

-- The days of the posts that are there. Index posts_site_new, one row a day; the next step counts them.
INSERT OR IGNORE INTO post_days (day, posts)
WITH RECURSIVE d (day) AS (
  SELECT min(created_at) / 86400000 FROM posts WHERE status = 'published' AND created_at >= 0
  UNION ALL SELECT (SELECT min(p.created_at) / 86400000 FROM posts p WHERE p.status = 'published' AND p.created_at >= (d.day + 1) * 86400000) FROM d WHERE d.day IS NOT NULL)
SELECT day, 0 FROM d WHERE day IS NOT NULL;
