-- Messages to the administrators know which member has sent them, so that a deleted account takes its name out of them.
ALTER TABLE contact_messages ADD COLUMN user_id INTEGER NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS contact_messages_user ON contact_messages (user_id) WHERE user_id <> 0;
UPDATE contact_messages SET user_id = coalesce((SELECT u.id FROM users u WHERE u.username_key = lower(contact_messages.name)),
  (SELECT f.user_id FROM former_names f WHERE f.name_key = lower(contact_messages.name)), 0) WHERE member = 1;
UPDATE contact_messages SET name = '' WHERE member = 1 AND user_id = 0;
