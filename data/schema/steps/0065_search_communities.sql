-- What was there before.
INSERT INTO search_communities (rowid, name, about) SELECT w.id, w.name, w.about FROM community_words w
WHERE w.id BETWEEN :first_id AND :last_id AND NOT EXISTS (SELECT 1 FROM search_communities s WHERE s.rowid = w.id);
