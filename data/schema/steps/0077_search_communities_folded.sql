-- What has Greek or Cyrillic letters.
DELETE FROM search_communities WHERE rowid IN (SELECT w.id FROM community_words w WHERE w.id BETWEEN :first_id AND :last_id AND (w.name || w.about) GLOB '*[Ͱ-ӿ]*');
INSERT INTO search_communities (rowid, name, about) SELECT w.id, w.name, w.about FROM community_words w
WHERE w.id BETWEEN :first_id AND :last_id AND (w.name || w.about) GLOB '*[Ͱ-ӿ]*';
