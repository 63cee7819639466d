-- What of a member's posts and comments in a community is shown.
CREATE TABLE IF NOT EXISTS standings (
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  posts        INTEGER NOT NULL DEFAULT 0,
  comments     INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (community_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS standings_post AFTER INSERT ON posts WHEN new.status = 'published' AND new.author_id IS NOT NULL BEGIN
  INSERT INTO standings (community_id, user_id, posts) VALUES (new.community_id, new.author_id, 1)
  ON CONFLICT (community_id, user_id) DO UPDATE SET posts = posts + 1;
END;
CREATE TRIGGER IF NOT EXISTS standings_post_changed AFTER UPDATE OF status ON posts
WHEN new.author_id IS NOT NULL AND (old.status IN ('published', 'archived')) <> (new.status IN ('published', 'archived')) BEGIN
  INSERT INTO standings (community_id, user_id, posts) VALUES (new.community_id, new.author_id, iif(new.status IN ('published', 'archived'), 1, -1))
  ON CONFLICT (community_id, user_id) DO UPDATE SET posts = posts + excluded.posts;
END;
CREATE TRIGGER IF NOT EXISTS standings_comment_changed AFTER UPDATE OF status, held ON comments
WHEN new.author_id IS NOT NULL AND (new.status = 'published' AND new.held = 0) - (old.status = 'published' AND old.held = 0) <> (old.held <> 0 AND new.held = 0) BEGIN
  INSERT INTO standings (community_id, user_id, comments)
  SELECT p.community_id, new.author_id, (new.status = 'published' AND new.held = 0) - (old.status = 'published' AND old.held = 0) - (old.held <> 0 AND new.held = 0)
  FROM posts p WHERE p.id = new.post_id
  ON CONFLICT (community_id, user_id) DO UPDATE SET comments = comments + excluded.comments;
END;
