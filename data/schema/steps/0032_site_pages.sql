-- Pages of the site that administrators write, and messages to them.
CREATE TABLE IF NOT EXISTS site_pages (
  name     TEXT    PRIMARY KEY,
  revision INTEGER NOT NULL,
  body     TEXT    NOT NULL,                  -- Markdown as typed
  body_html TEXT   NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS contact_messages (
  id          INTEGER PRIMARY KEY,
  name        TEXT    NOT NULL,               -- of a member, or that a visitor gave
  member      INTEGER NOT NULL,               -- 1: name is a member's
  email       TEXT    NOT NULL,               -- where they want to be answered
  body        TEXT    NOT NULL,
  answered_at INTEGER                         -- NULL: it waits for an administrator
) STRICT;
CREATE INDEX IF NOT EXISTS contact_messages_open ON contact_messages (id) WHERE answered_at IS NULL;
CREATE INDEX IF NOT EXISTS contact_messages_answered ON contact_messages (id) WHERE answered_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS contact_messages_age ON contact_messages (answered_at) WHERE answered_at IS NOT NULL;
