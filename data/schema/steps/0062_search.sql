-- Indexes of full text and what keeps them.
CREATE VIRTUAL TABLE IF NOT EXISTS search_posts USING fts5 (title, body, facets, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '4');
CREATE VIRTUAL TABLE IF NOT EXISTS search_comments USING fts5 (body, facets, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '4');
CREATE VIRTUAL TABLE IF NOT EXISTS search_communities USING fts5 (name, about, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
CREATE VIRTUAL TABLE IF NOT EXISTS search_people USING fts5 (name, about, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
CREATE VIEW IF NOT EXISTS post_words AS
SELECT p.id, p.title, coalesce(t.text, '') || ' ' || p.domain AS body,
  'c' || p.community_id || coalesce(' u' || p.author_id, '') || ' k' || p.kind || iif(p.domain = '', '', ' d' || hex(p.domain)) || iif(p.score < 10, '', ' s' || length(p.score))
    || coalesce((SELECT group_concat(' t' || hex(j.value), '') FROM json_each(iif(p.tags = '', '[]', '["' || replace(p.tags, ' ', '","') || '"]')) j), '') AS facets
FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id WHERE p.status IN ('published', 'archived');
CREATE VIEW IF NOT EXISTS comment_words AS
SELECT c.id, c.body, 'c' || p.community_id || coalesce(' u' || c.author_id, '') || iif(c.score < 10, '', ' s' || length(c.score)) AS facets
FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.status = 'published' AND c.held = 0;
CREATE VIEW IF NOT EXISTS community_words AS
SELECT c.id, c.name || ' ' || c.title AS name, c.description AS about FROM communities c WHERE c.created_at > 0;
CREATE VIEW IF NOT EXISTS person_words AS
SELECT u.id, u.username AS name, u.bio AS about FROM users u WHERE u.status = 'active' AND u.username <> '' AND u.waiting IS NULL;
CREATE TRIGGER IF NOT EXISTS search_posts_made AFTER INSERT ON posts WHEN new.status IN ('published', 'archived') AND new.excerpt = '' BEGIN
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_posts_changed AFTER UPDATE OF status, title, kind, domain, author_id, score, tags ON posts
WHEN (new.status IN ('published', 'archived') OR old.status IN ('published', 'archived')) AND (new.status <> old.status OR new.title <> old.title OR new.kind <> old.kind
  OR new.domain <> old.domain OR new.tags <> old.tags OR new.author_id IS NOT old.author_id OR length(max(new.score, 0)) <> length(max(old.score, 0))) BEGIN
  DELETE FROM search_posts WHERE rowid = new.id;
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_posts_gone AFTER DELETE ON posts BEGIN
  DELETE FROM search_posts WHERE rowid = old.id;
END;
CREATE TRIGGER IF NOT EXISTS search_texts_made AFTER INSERT ON post_texts WHEN new.text <> '' BEGIN
  DELETE FROM search_posts WHERE rowid = new.post_id;
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = new.post_id;
END;
CREATE TRIGGER IF NOT EXISTS search_texts_changed AFTER UPDATE OF text ON post_texts WHEN new.text <> old.text BEGIN
  DELETE FROM search_posts WHERE rowid = new.post_id;
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = new.post_id;
END;
CREATE TRIGGER IF NOT EXISTS search_texts_gone AFTER DELETE ON post_texts WHEN old.text <> '' BEGIN
  DELETE FROM search_posts WHERE rowid = old.post_id;
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = old.post_id;
END;
CREATE TRIGGER IF NOT EXISTS search_comments_made AFTER INSERT ON comments WHEN new.status = 'published' AND new.held = 0 BEGIN
  INSERT INTO search_comments (rowid, body, facets) SELECT id, body, facets FROM comment_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_comments_changed AFTER UPDATE OF body, status, held, author_id, score ON comments
WHEN new.body <> old.body OR new.status <> old.status OR new.held <> old.held OR new.author_id IS NOT old.author_id
  OR length(max(new.score, 0)) <> length(max(old.score, 0)) BEGIN
  DELETE FROM search_comments WHERE rowid = new.id;
  INSERT INTO search_comments (rowid, body, facets) SELECT id, body, facets FROM comment_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_comments_gone AFTER DELETE ON comments BEGIN
  DELETE FROM search_comments WHERE rowid = old.id;
END;
CREATE TRIGGER IF NOT EXISTS search_communities_made AFTER INSERT ON communities BEGIN
  INSERT INTO search_communities (rowid, name, about) SELECT id, name, about FROM community_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_communities_changed AFTER UPDATE OF name, title, description ON communities
WHEN new.name <> old.name OR new.title <> old.title OR new.description <> old.description BEGIN
  DELETE FROM search_communities WHERE rowid = new.id;
  INSERT INTO search_communities (rowid, name, about) SELECT id, name, about FROM community_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_communities_gone AFTER DELETE ON communities BEGIN
  DELETE FROM search_communities WHERE rowid = old.id;
END;
CREATE TRIGGER IF NOT EXISTS search_people_made AFTER INSERT ON users BEGIN
  INSERT INTO search_people (rowid, name, about) SELECT id, name, about FROM person_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_people_changed AFTER UPDATE OF username, bio, status, waiting ON users
WHEN new.username <> old.username OR new.bio <> old.bio OR new.status <> old.status OR new.waiting IS NOT old.waiting BEGIN
  DELETE FROM search_people WHERE rowid = new.id;
  INSERT INTO search_people (rowid, name, about) SELECT id, name, about FROM person_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_people_gone AFTER DELETE ON users BEGIN
  DELETE FROM search_people WHERE rowid = old.id;
END;
