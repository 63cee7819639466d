-- Mails that are to be sent, until they are sent or given up. key is the mail's own, so that
-- it is left once; a row stays for a week to know it. It goes to address, or to the confirmed
-- address of user_id. When it was sent or given up, due_at is NULL and address and about are
-- empty.
CREATE TABLE IF NOT EXISTS mails (
  id       INTEGER PRIMARY KEY,
  key      TEXT    NOT NULL UNIQUE,
  kind     TEXT    NOT NULL,
  user_id  INTEGER NOT NULL,                  -- 0: it concerns an address alone
  address  TEXT    NOT NULL,
  about    TEXT    NOT NULL,                  -- JSON object of texts
  attempts INTEGER NOT NULL DEFAULT 0,
  left_at  INTEGER NOT NULL,
  due_at   INTEGER                            -- when the sweep sends its message again
) STRICT;
CREATE INDEX IF NOT EXISTS mails_due ON mails (due_at) WHERE due_at IS NOT NULL;

-- When the address in email was confirmed; NULL: it was not.
ALTER TABLE users ADD COLUMN email_confirmed_at INTEGER;
