-- Copies of the avatars that members have chosen, beside what they write.
ALTER TABLE users ADD COLUMN repainting INTEGER NOT NULL DEFAULT 0;
ALTER TABLE posts ADD COLUMN author_avatar TEXT NOT NULL DEFAULT '';
ALTER TABLE comments ADD COLUMN author_avatar TEXT NOT NULL DEFAULT '';
CREATE TABLE IF NOT EXISTS avatars (
  user_id  INTEGER PRIMARY KEY,
  avatar   TEXT    NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
