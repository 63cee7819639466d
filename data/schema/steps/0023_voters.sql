-- A member's votes, for the export of what the site has about them.
CREATE INDEX IF NOT EXISTS votes_user ON votes (user_id, target_id);
