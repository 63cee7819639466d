-- Posts that moderators have pinned.
ALTER TABLE posts ADD COLUMN pinned_at INTEGER;
CREATE INDEX IF NOT EXISTS posts_pinned ON posts (community_id, pinned_at) WHERE pinned_at IS NOT NULL;
