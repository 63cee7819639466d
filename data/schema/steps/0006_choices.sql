-- How members read: theme, orders, time zone, what is not safe for work.
ALTER TABLE users ADD COLUMN choices TEXT NOT NULL DEFAULT '';
