-- What was there before.
INSERT INTO search_comments (rowid, body, facets) SELECT w.id, w.body, w.facets FROM comment_words w
WHERE w.id BETWEEN :first_id AND :last_id AND NOT EXISTS (SELECT 1 FROM search_comments s WHERE s.rowid = w.id);
