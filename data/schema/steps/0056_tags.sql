-- Tags of posts.
ALTER TABLE posts ADD COLUMN tags TEXT NOT NULL DEFAULT '';
