-- What has Greek or Cyrillic letters.
DELETE FROM search_people WHERE rowid IN (SELECT w.id FROM person_words w WHERE w.id BETWEEN :first_id AND :last_id AND (w.name || w.about) GLOB '*[Ͱ-ӿ]*');
INSERT INTO search_people (rowid, name, about) SELECT w.id, w.name, w.about FROM person_words w
WHERE w.id BETWEEN :first_id AND :last_id AND (w.name || w.about) GLOB '*[Ͱ-ӿ]*';
