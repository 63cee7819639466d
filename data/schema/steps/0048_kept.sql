-- What was decided about reports long ago, and bans that have ended, are deleted by these indexes.
CREATE INDEX IF NOT EXISTS queue_items_old ON queue_items (coalesce(decided_at, came_at)) WHERE status = 'decided' AND (decision <> 'ignore' OR reports > 0);
CREATE INDEX IF NOT EXISTS bans_ended ON bans (until) WHERE until < 4503599627370496;
