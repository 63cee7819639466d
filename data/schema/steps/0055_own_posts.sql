-- Authors find their own posts by status.
CREATE INDEX IF NOT EXISTS posts_own ON posts (author_id, status, coalesce(edited_at, created_at))
  WHERE status IN ('draft', 'scheduled', 'removed');
DROP INDEX IF EXISTS posts_unpublished;
