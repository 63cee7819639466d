-- What has Greek or Cyrillic letters.
DELETE FROM search_comments WHERE rowid IN (SELECT w.id FROM comment_words w WHERE w.id BETWEEN :first_id AND :last_id AND w.body GLOB '*[Ͱ-ӿ]*');
INSERT INTO search_comments (rowid, body, facets) SELECT w.id, w.body, w.facets FROM comment_words w
WHERE w.id BETWEEN :first_id AND :last_id AND w.body GLOB '*[Ͱ-ӿ]*';
