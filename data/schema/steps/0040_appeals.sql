-- Appeals: conversations about a decision, and what became of them.
ALTER TABLE conversations ADD COLUMN decision_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN decider_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN verdict TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX IF NOT EXISTS conversations_decision ON conversations (decision_id) WHERE decision_id <> 0;
