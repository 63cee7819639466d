-- For whom a mail counts, so that one mailbox gets only so many of a kind in a day (worker/mail_bound.go).
ALTER TABLE mails ADD COLUMN counted_for TEXT NOT NULL DEFAULT '';
CREATE INDEX IF NOT EXISTS mails_counted ON mails (counted_for, id) WHERE counted_for <> '';
