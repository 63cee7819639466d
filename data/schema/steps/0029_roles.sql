-- Roles of moderators, and invitations to moderate. Who moderates so far has founded the community.
ALTER TABLE moderators ADD COLUMN role TEXT NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'moderator', 'approver'));
CREATE TRIGGER IF NOT EXISTS moderators_owner_gone AFTER DELETE ON moderators WHEN old.role = 'owner' BEGIN
  UPDATE moderators SET role = 'owner' WHERE community_id = old.community_id AND user_id = (SELECT m.user_id FROM moderators m
    WHERE m.community_id = old.community_id AND m.role = 'moderator' ORDER BY m.created_at, m.user_id LIMIT 1)
    AND NOT EXISTS (SELECT 1 FROM moderators o WHERE o.community_id = old.community_id AND o.role = 'owner');
END;
CREATE TABLE IF NOT EXISTS moderator_invitations (
  user_id      INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  role         TEXT    NOT NULL CHECK (role IN ('owner', 'moderator', 'approver')),
  inviter_id   INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (user_id, community_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS moderator_invitations_community ON moderator_invitations (community_id);
CREATE INDEX IF NOT EXISTS moderation_log_house ON moderation_log (community_id) WHERE action IN ('owner', 'moderator', 'approver', 'dismiss', 'resign', 'settings');
