-- Automatic rules, and what they have hit.
ALTER TABLE queue_items ADD COLUMN hits INTEGER NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS queue_items_hit ON queue_items (community_id, came_at) WHERE status = 'open' AND hits > 0;
CREATE INDEX IF NOT EXISTS queue_items_all_hit ON queue_items (came_at) WHERE status = 'open' AND hits > 0;
DROP TRIGGER reports_made;
CREATE TRIGGER reports_made AFTER INSERT ON reports BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at) VALUES (new.target_id, new.community_id, 1, new.created_at)
  ON CONFLICT (target_id) DO UPDATE SET reports = iif(status = 'open', reports + 1, 1), came_at = iif(status = 'open', came_at, excluded.came_at),
    status = 'open', decision = '', decided_by = NULL, decided_at = NULL, held = iif(status = 'open', held, 0), hits = iif(status = 'open', hits, 0) WHERE decision <> 'ignore';
  INSERT INTO report_reasons (target_id, reason, reports)
  SELECT new.target_id, new.reason, 1 FROM queue_items q WHERE q.target_id = new.target_id AND q.status = 'open'
  ON CONFLICT (target_id, reason) DO UPDATE SET reports = reports + 1;
END;
CREATE TABLE IF NOT EXISTS rules (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  title        TEXT    NOT NULL,
  text         TEXT    NOT NULL,
  active       INTEGER NOT NULL,
  changed_by   INTEGER NOT NULL,
  changed_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS rules_community ON rules (community_id, active);

CREATE TABLE IF NOT EXISTS rule_hits (
  target_id    INTEGER NOT NULL,
  rule_id      INTEGER NOT NULL,
  site         INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  title        TEXT    NOT NULL,
  answer       TEXT    NOT NULL,
  queued       INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (target_id, rule_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rule_hits_age ON rule_hits (created_at);
CREATE TABLE IF NOT EXISTS rule_counts (
  site    INTEGER NOT NULL,
  rule_id INTEGER NOT NULL,
  hits    INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (site, rule_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS rule_hits_counted AFTER INSERT ON rule_hits BEGIN
  INSERT INTO rule_counts (site, rule_id, hits, last_at) VALUES (new.site, new.rule_id, 1, new.created_at)
  ON CONFLICT (site, rule_id) DO UPDATE SET hits = hits + 1, last_at = excluded.last_at;
END;
CREATE TRIGGER IF NOT EXISTS rule_hits_queued AFTER INSERT ON rule_hits WHEN new.queued = 1 BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, hits) VALUES (new.target_id, new.community_id, 0, new.created_at, 1)
  ON CONFLICT (target_id) DO UPDATE SET hits = iif(status = 'open', hits + 1, 1), reports = iif(status = 'open', reports, 0),
    came_at = iif(status = 'open', came_at, excluded.came_at), held = iif(status = 'open', held, 0),
    status = 'open', decision = '', decided_by = NULL, decided_at = NULL WHERE decision <> 'ignore';
END;
