-- When a thread was muted last, and until when: members are told by the time of a comment, not by that of the consumer.
ALTER TABLE watches ADD COLUMN quiet_from INTEGER;
ALTER TABLE watches ADD COLUMN quiet_to INTEGER;
UPDATE watches SET quiet_from = created_at WHERE muted = 1;
CREATE INDEX IF NOT EXISTS watches_ended ON watches (quiet_to) WHERE muted = 1 AND quiet_to IS NOT NULL;
