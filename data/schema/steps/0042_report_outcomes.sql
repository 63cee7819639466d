-- Decisions about what was reported keep what their reporters are to be told, whatever is reported after them.
CREATE TABLE IF NOT EXISTS report_outcomes (
  target_id  INTEGER NOT NULL,
  decided_at INTEGER NOT NULL,
  decision   TEXT    NOT NULL,
  decided_by INTEGER,
  came_at    INTEGER NOT NULL,
  PRIMARY KEY (target_id, decided_at)
) STRICT, WITHOUT ROWID;
INSERT INTO report_outcomes (target_id, decided_at, decision, decided_by, came_at)
SELECT q.target_id, q.decided_at, q.decision, q.decided_by, q.came_at FROM outbox o CROSS JOIN queue_items q ON q.target_id = o.subject_id
WHERE o.work = 'reported' AND q.status = 'decided' AND q.decision IN ('remove', 'approve', 'ignore') AND q.decided_at IS NOT NULL ON CONFLICT DO NOTHING;
DROP TRIGGER queue_items_told;
CREATE TRIGGER queue_items_told AFTER UPDATE OF status ON queue_items
WHEN old.status = 'open' AND new.status = 'decided' AND new.decision IN ('remove', 'approve', 'ignore') AND new.reports > 0 BEGIN
  INSERT INTO report_outcomes (target_id, decided_at, decision, decided_by, came_at) VALUES (new.target_id, new.decided_at, new.decision, new.decided_by, new.came_at) ON CONFLICT DO NOTHING;
  INSERT INTO outbox (subject_id, work, queued_at, due_at) VALUES (new.target_id, 'reported', new.decided_at, new.decided_at + 60000)
  ON CONFLICT (subject_id, work) DO UPDATE SET queued_at = max(excluded.queued_at, queued_at + 1), attempts = 0, due_at = excluded.due_at;
END;
