-- Suspensions that end, and why there is one.
ALTER TABLE users ADD COLUMN suspended_until INTEGER;
ALTER TABLE users ADD COLUMN suspension INTEGER;
CREATE INDEX IF NOT EXISTS users_listed ON users (status) WHERE username <> '';
CREATE INDEX IF NOT EXISTS users_suspended ON users (suspended_until) WHERE suspended_until IS NOT NULL;
