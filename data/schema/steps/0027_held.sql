-- Posts and comments that are shown to nobody before a moderator has decided about them.
ALTER TABLE posts ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
ALTER TABLE comments ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS comments_held ON comments (author_id, post_id) WHERE held = 1;
DROP TRIGGER comments_added;
CREATE TRIGGER comments_added AFTER INSERT ON comments WHEN new.held = 0 BEGIN
  INSERT INTO count_deltas (post_id, parent_id, path, created_at)
  VALUES (new.post_id, new.parent_id, new.path, new.created_at);
END;
CREATE TRIGGER comments_shown AFTER UPDATE OF held ON comments WHEN old.held <> 0 AND new.held = 0 BEGIN
  INSERT INTO count_deltas (post_id, parent_id, path, created_at)
  VALUES (new.post_id, new.parent_id, new.path, new.created_at);
END;
ALTER TABLE queue_items ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS queue_items_reported ON queue_items (community_id, came_at) WHERE status = 'open' AND reports > 0;
CREATE INDEX IF NOT EXISTS queue_items_all_reported ON queue_items (came_at) WHERE status = 'open' AND reports > 0;
CREATE INDEX IF NOT EXISTS queue_items_held ON queue_items (community_id, came_at) WHERE status = 'open' AND held = 1;
CREATE INDEX IF NOT EXISTS queue_items_all_held ON queue_items (came_at) WHERE status = 'open' AND held = 1;
DROP TRIGGER reports_made;
CREATE TRIGGER reports_made AFTER INSERT ON reports BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at) VALUES (new.target_id, new.community_id, 1, new.created_at)
  ON CONFLICT (target_id) DO UPDATE SET reports = iif(status = 'open', reports + 1, 1), came_at = iif(status = 'open', came_at, excluded.came_at),
    status = 'open', decision = '', decided_by = NULL, decided_at = NULL, held = iif(status = 'open', held, 0) WHERE decision <> 'ignore';
  INSERT INTO report_reasons (target_id, reason, reports)
  SELECT new.target_id, new.reason, 1 FROM queue_items q WHERE q.target_id = new.target_id AND q.status = 'open'
  ON CONFLICT (target_id, reason) DO UPDATE SET reports = reports + 1;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_post_made AFTER INSERT ON posts WHEN new.held = 1 AND new.status = 'removed' BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, held) VALUES (new.id, new.community_id, 0, new.created_at, 1) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_post_due AFTER UPDATE OF status ON posts WHEN new.held = 1 AND new.status = 'removed' AND old.status IN ('draft', 'scheduled') BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, held) VALUES (new.id, new.community_id, 0, new.created_at, 1) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_comment_made AFTER INSERT ON comments WHEN new.held = 1 BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, held)
  SELECT new.id, p.community_id, 0, new.created_at, 1 FROM posts p WHERE p.id = new.post_id ON CONFLICT DO NOTHING;
END;
