-- An import puts a row here while it writes comments, and takes it away in the same transaction, so nobody else ever sees one. The triggers
-- that would count each comment and put it into the search leave both to the import then (importer/insert.go).
CREATE TABLE IF NOT EXISTS bulk_writes (
  id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;
-- Ids between which the search's index may lack comments of an import. The import fills the gaps at its end, or its next run does (data/search/fill.go).
CREATE TABLE IF NOT EXISTS search_due (
  first_id INTEGER PRIMARY KEY,
  last_id  INTEGER NOT NULL
) STRICT;
DROP TRIGGER IF EXISTS comments_added;
CREATE TRIGGER IF NOT EXISTS comments_added AFTER INSERT ON comments WHEN new.held = 0 AND NOT EXISTS (SELECT 1 FROM bulk_writes) BEGIN
  INSERT INTO count_deltas (post_id, parent_id, path, created_at)
  VALUES (new.post_id, new.parent_id, new.path, new.created_at);
END;
DROP TRIGGER IF EXISTS search_comments_made;
CREATE TRIGGER IF NOT EXISTS search_comments_made AFTER INSERT ON comments WHEN new.status = 'published' AND new.held = 0 AND NOT EXISTS (SELECT 1 FROM bulk_writes) BEGIN
  INSERT INTO search_comments (rowid, body, facets) SELECT id, body, facets FROM comment_words WHERE id = new.id;
END;
