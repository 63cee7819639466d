-- A member's comments by controversy, for profiles.
CREATE INDEX comments_author_controversial ON comments (author_name COLLATE NOCASE, controversy)
  WHERE status = 'published' AND author_id IS NOT NULL AND controversy > 0;
