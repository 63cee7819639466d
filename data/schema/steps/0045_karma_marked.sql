-- What was earned before is copied by the job that copies what changes.
INSERT INTO karma_changed (author_id, mark)
SELECT k.author_id, random() FROM author_karma k WHERE k.author_id BETWEEN :first_author_id AND :last_author_id ON CONFLICT (author_id) DO NOTHING;
