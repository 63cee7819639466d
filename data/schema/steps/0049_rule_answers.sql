-- What automatic rules answer, and what they have found about scheduled posts, which counts from their publication on.
ALTER TABLE posts ADD COLUMN answer TEXT NOT NULL DEFAULT '';
ALTER TABLE comments ADD COLUMN answer TEXT NOT NULL DEFAULT '';
ALTER TABLE rule_hits ADD COLUMN later INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER IF EXISTS rule_hits_counted;
CREATE TRIGGER rule_hits_counted AFTER INSERT ON rule_hits WHEN new.later = 0 BEGIN
  INSERT INTO rule_counts (site, rule_id, hits, last_at) VALUES (new.site, new.rule_id, 1, new.created_at)
  ON CONFLICT (site, rule_id) DO UPDATE SET hits = hits + 1, last_at = excluded.last_at;
END;
DROP TRIGGER IF EXISTS rule_hits_queued;
CREATE TRIGGER rule_hits_queued AFTER INSERT ON rule_hits WHEN new.queued = 1 AND new.later = 0 BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, hits) VALUES (new.target_id, new.community_id, 0, new.created_at, 1)
  ON CONFLICT (target_id) DO UPDATE SET hits = iif(status = 'open', hits + 1, 1), reports = iif(status = 'open', reports, 0), weight = iif(status = 'open', weight, 0),
    came_at = iif(status = 'open', came_at, excluded.came_at), held = iif(status = 'open', held, 0),
    status = 'open', decision = '', decided_by = NULL, decided_at = NULL WHERE decision <> 'ignore';
END;
