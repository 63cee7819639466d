-- What was there before.
INSERT INTO search_people (rowid, name, about) SELECT w.id, w.name, w.about FROM person_words w
WHERE w.id BETWEEN :first_id AND :last_id AND NOT EXISTS (SELECT 1 FROM search_people s WHERE s.rowid = w.id);
