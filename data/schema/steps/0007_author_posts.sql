-- A member's posts by score, for profiles.
CREATE INDEX posts_author_top ON posts (author_name COLLATE NOCASE, score)
  WHERE status = 'published' AND author_id IS NOT NULL;
