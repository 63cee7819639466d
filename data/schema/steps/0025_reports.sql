-- What members report, and what waits for moderators because of it.
CREATE TABLE IF NOT EXISTS reports (
  target_id    INTEGER NOT NULL,
  reporter_id  INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  reason       TEXT    NOT NULL,
  text         TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (target_id, reporter_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reports_said ON reports (target_id, created_at) WHERE text <> '';
CREATE INDEX IF NOT EXISTS reports_reporter ON reports (reporter_id);
CREATE TABLE IF NOT EXISTS queue_items (
  target_id    INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  reports      INTEGER NOT NULL,
  came_at      INTEGER NOT NULL,
  status       TEXT    NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'decided')),
  decision     TEXT    NOT NULL DEFAULT '',
  decided_by   INTEGER,
  decided_at   INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS queue_items_new ON queue_items (community_id, came_at) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_most ON queue_items (community_id, reports) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_all_new ON queue_items (came_at) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_all_most ON queue_items (reports) WHERE status = 'open';
CREATE TABLE IF NOT EXISTS report_reasons (
  target_id INTEGER NOT NULL,
  reason    TEXT    NOT NULL,
  reports   INTEGER NOT NULL,
  PRIMARY KEY (target_id, reason)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS reports_made AFTER INSERT ON reports BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at) VALUES (new.target_id, new.community_id, 1, new.created_at)
  ON CONFLICT (target_id) DO UPDATE SET reports = iif(status = 'open', reports + 1, 1), came_at = iif(status = 'open', came_at, excluded.came_at),
    status = 'open', decision = '', decided_by = NULL, decided_at = NULL WHERE decision <> 'ignore';
  INSERT INTO report_reasons (target_id, reason, reports)
  SELECT new.target_id, new.reason, 1 FROM queue_items q WHERE q.target_id = new.target_id AND q.status = 'open'
  ON CONFLICT (target_id, reason) DO UPDATE SET reports = reports + 1;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_decided AFTER UPDATE OF status ON queue_items WHEN old.status = 'open' AND new.status <> 'open' BEGIN
  DELETE FROM report_reasons WHERE target_id = new.target_id;
END;
ALTER TABLE community_stats ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS community_stats_waiting ON community_stats (waiting) WHERE waiting > 0;
ALTER TABLE communities ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS communities_waiting ON communities (waiting) WHERE waiting > 0;
CREATE TRIGGER IF NOT EXISTS queue_items_opened AFTER INSERT ON queue_items WHEN new.status = 'open' AND new.community_id <> 0 BEGIN
  INSERT INTO community_stats (community_id, waiting) VALUES (new.community_id, 1) ON CONFLICT (community_id) DO UPDATE SET waiting = waiting + 1;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_counted AFTER UPDATE OF status ON queue_items WHEN (old.status = 'open') <> (new.status = 'open') BEGIN
  UPDATE community_stats SET waiting = waiting + (new.status = 'open') - (old.status = 'open') WHERE community_id = new.community_id;
END;
CREATE TRIGGER IF NOT EXISTS community_stats_counted AFTER UPDATE OF waiting, cases ON community_stats WHEN new.waiting + new.cases <> old.waiting + old.cases BEGIN
  UPDATE communities SET waiting = new.waiting + new.cases WHERE id = new.community_id;
END;
CREATE TRIGGER IF NOT EXISTS community_stats_begun AFTER INSERT ON community_stats WHEN new.waiting + new.cases > 0 BEGIN
  UPDATE communities SET waiting = new.waiting + new.cases WHERE id = new.community_id;
END;
UPDATE communities SET waiting = (SELECT s.cases FROM community_stats s WHERE s.community_id = communities.id)
WHERE id IN (SELECT community_id FROM community_stats WHERE cases > 0);
CREATE TRIGGER IF NOT EXISTS queue_items_post_deleted AFTER UPDATE OF status ON posts WHEN new.status = 'deleted' BEGIN
  UPDATE queue_items SET status = 'decided', decision = 'deleted' WHERE target_id = new.id AND status = 'open';
END;
CREATE TRIGGER IF NOT EXISTS queue_items_comment_deleted AFTER UPDATE OF status ON comments WHEN new.status = 'deleted' BEGIN
  UPDATE queue_items SET status = 'decided', decision = 'deleted' WHERE target_id = new.id AND status = 'open';
END;
