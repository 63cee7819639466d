-- What was there before.
INSERT INTO search_posts (rowid, title, body, facets) SELECT w.id, w.title, w.body, w.facets FROM post_words w
WHERE w.id BETWEEN :first_id AND :last_id AND NOT EXISTS (SELECT 1 FROM search_posts s WHERE s.rowid = w.id);
