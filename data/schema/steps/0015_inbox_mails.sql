-- Mails about what members were told.
CREATE TABLE IF NOT EXISTS mail_choices (
  user_id   INTEGER PRIMARY KEY,
  answers   TEXT    NOT NULL CHECK (answers IN ('now', 'digest', 'none')),
  mentions  TEXT    NOT NULL CHECK (mentions IN ('now', 'digest', 'none')),
  threads   TEXT    NOT NULL CHECK (threads IN ('now', 'digest', 'none')),
  days      INTEGER NOT NULL CHECK (days IN (1, 7)), -- between two digests
  digest_at INTEGER,                          -- when the next is due; NULL: no digest
  digest_to INTEGER NOT NULL                  -- the last row of inbox that the last digest was about
) STRICT;
CREATE INDEX IF NOT EXISTS mail_choices_due ON mail_choices (digest_at) WHERE digest_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS thread_mails (
  user_id   INTEGER NOT NULL,
  post_id   INTEGER NOT NULL,
  due_at    INTEGER,                          -- NULL: there is nothing to mail
  mailed_to INTEGER NOT NULL,                 -- the last row of inbox that the last mail was about
  mailed_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS thread_mails_due ON thread_mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS thread_mails_age ON thread_mails (mailed_at) WHERE due_at IS NULL;
