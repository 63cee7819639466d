-- Signing up with approval.
ALTER TABLE users ADD COLUMN waiting TEXT;
CREATE INDEX IF NOT EXISTS users_waiting ON users (status) WHERE waiting IS NOT NULL;
