-- What has Greek or Cyrillic letters.
DELETE FROM search_posts WHERE rowid IN (SELECT w.id FROM post_words w WHERE w.id BETWEEN :first_id AND :last_id AND (w.title || w.body) GLOB '*[Ͱ-ӿ]*');
INSERT INTO search_posts (rowid, title, body, facets) SELECT w.id, w.title, w.body, w.facets FROM post_words w
WHERE w.id BETWEEN :first_id AND :last_id AND (w.title || w.body) GLOB '*[Ͱ-ӿ]*';
