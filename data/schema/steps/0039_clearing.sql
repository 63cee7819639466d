-- Bans with which all is removed that the member has written since then.
ALTER TABLE moderation_log ADD COLUMN clear_from INTEGER;
