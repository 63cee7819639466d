-- Of the accounts that give an address one can confirm it.
CREATE UNIQUE INDEX IF NOT EXISTS users_confirmed_email ON users (email_key) WHERE email_confirmed_at IS NOT NULL;

-- Counts the changes of a member's password and address. Links that were mailed before are void.
ALTER TABLE users ADD COLUMN credentials INTEGER NOT NULL DEFAULT 0;

-- Links in mails that let somebody in. Only the token's hash is here: who reads the database can't make the link.
-- A link is void when users.credentials is not the same any more.
CREATE TABLE IF NOT EXISTS mail_links (
  hash        TEXT    PRIMARY KEY,            -- SHA-256 of the token, base64
  kind        TEXT    NOT NULL,
  user_id     INTEGER NOT NULL,
  about       TEXT    NOT NULL,               -- JSON object of texts
  credentials INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  used_by     INTEGER NOT NULL DEFAULT 0      -- the request that used it; 0: none has
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mail_links_expiry ON mail_links (expires_at);
