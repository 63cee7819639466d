-- Reports weigh by the standing of who reports.
ALTER TABLE reports ADD COLUMN weight INTEGER NOT NULL DEFAULT 1;
ALTER TABLE queue_items ADD COLUMN weight INTEGER NOT NULL DEFAULT 0;
DROP INDEX queue_items_most;
DROP INDEX queue_items_all_most;
CREATE INDEX queue_items_most ON queue_items (community_id, weight) WHERE status = 'open';
CREATE INDEX queue_items_all_most ON queue_items (weight) WHERE status = 'open';
DROP TRIGGER reports_made;
CREATE TRIGGER reports_made AFTER INSERT ON reports BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, weight) VALUES (new.target_id, new.community_id, 1, new.created_at, new.weight)
  ON CONFLICT (target_id) DO UPDATE SET reports = iif(status = 'open', reports + 1, 1), weight = iif(status = 'open', weight + new.weight, new.weight), came_at = iif(status = 'open', came_at, excluded.came_at),
    status = 'open', decision = '', decided_by = NULL, decided_at = NULL, held = iif(status = 'open', held, 0), hits = iif(status = 'open', hits, 0) WHERE decision <> 'ignore';
  INSERT INTO report_reasons (target_id, reason, reports)
  SELECT new.target_id, new.reason, 1 FROM queue_items q WHERE q.target_id = new.target_id AND q.status = 'open'
  ON CONFLICT (target_id, reason) DO UPDATE SET reports = reports + 1;
END;
DROP TRIGGER rule_hits_queued;
CREATE TRIGGER rule_hits_queued AFTER INSERT ON rule_hits WHEN new.queued = 1 BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, hits) VALUES (new.target_id, new.community_id, 0, new.created_at, 1)
  ON CONFLICT (target_id) DO UPDATE SET hits = iif(status = 'open', hits + 1, 1), reports = iif(status = 'open', reports, 0), weight = iif(status = 'open', weight, 0),
    came_at = iif(status = 'open', came_at, excluded.came_at), held = iif(status = 'open', held, 0),
    status = 'open', decision = '', decided_by = NULL, decided_at = NULL WHERE decision <> 'ignore';
END;
