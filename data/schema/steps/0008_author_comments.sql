-- A member's comments by score, for profiles.
CREATE INDEX comments_author_top ON comments (author_name COLLATE NOCASE, score)
  WHERE status = 'published' AND author_id IS NOT NULL;
