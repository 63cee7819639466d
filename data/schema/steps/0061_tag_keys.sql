-- What posts are listed by: tags and combinations of them.
CREATE TABLE IF NOT EXISTS tag_keys (
  id    INTEGER PRIMARY KEY,
  name  TEXT    NOT NULL UNIQUE,
  posts INTEGER NOT NULL DEFAULT 0,           -- that are published with it; of combinations 0
  -- How much it is used these days: the logarithm of the sum of e^(t / 2 days) over these posts, t being when they were posted. So the
  -- order of two tags changes with their posts only, and not by the clock. Where one post is all that counts, and is taken away, the newest 50 are added up.
  heat  REAL    NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS tag_keys_begin ON tag_keys (length(posts), name) WHERE posts > 0;
CREATE INDEX IF NOT EXISTS tag_keys_heat ON tag_keys (heat) WHERE posts > 0;
CREATE TABLE IF NOT EXISTS post_tags (
  post_id     INTEGER NOT NULL,
  key_id      INTEGER NOT NULL,
  hot         REAL    NOT NULL,
  score       INTEGER NOT NULL,
  controversy REAL    NOT NULL,
  comments    INTEGER NOT NULL,
  views       INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  age         INTEGER NOT NULL,
  PRIMARY KEY (post_id, key_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS post_tags_hot ON post_tags (key_id, hot, post_id);
CREATE INDEX IF NOT EXISTS post_tags_new ON post_tags (key_id, created_at, post_id);
CREATE INDEX IF NOT EXISTS post_tags_top ON post_tags (key_id, age, score, post_id);
CREATE INDEX IF NOT EXISTS post_tags_controversial ON post_tags (key_id, age, controversy, post_id) WHERE controversy > 0;
CREATE INDEX IF NOT EXISTS post_tags_comments ON post_tags (key_id, age, comments, post_id) WHERE comments > 0;
CREATE INDEX IF NOT EXISTS post_tags_views ON post_tags (key_id, age, views, post_id) WHERE views > 0;
CREATE TRIGGER IF NOT EXISTS post_tags_made AFTER INSERT ON posts WHEN new.tags <> '' AND new.status = 'published' BEGIN
  INSERT INTO tag_keys (name) SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0
  WHERE true ON CONFLICT DO NOTHING;
  INSERT INTO post_tags (post_id, key_id, hot, score, controversy, comments, views, created_at, age)
  SELECT new.id, k.id, new.hot, new.score, new.controversy, new.comments, new.views, new.created_at, new.age FROM (
    SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0) n CROSS JOIN tag_keys k ON k.name = n.name;
  UPDATE tag_keys SET posts = posts + 1, heat = iif(posts = 0, new.created_at / 172800000.0,
    max(heat, new.created_at / 172800000.0) + ln(1.0 + exp(-abs(heat - new.created_at / 172800000.0))))
  WHERE name IN (SELECT value FROM json_each('["' || replace(new.tags, ' ', '","') || '"]'));
END;
CREATE TRIGGER IF NOT EXISTS post_tags_changed AFTER UPDATE OF status, tags ON posts
WHEN (old.tags <> '' OR new.tags <> '') AND (old.tags <> new.tags OR (old.status = 'published') <> (new.status = 'published')) BEGIN
  DELETE FROM post_tags WHERE post_id = old.id;
  UPDATE tag_keys SET posts = posts - 1, heat = CASE
    WHEN heat - old.created_at / 172800000.0 > 30 THEN heat
    WHEN heat - old.created_at / 172800000.0 > 0.001 THEN old.created_at / 172800000.0 + ln(exp(heat - old.created_at / 172800000.0) - 1.0)
    ELSE coalesce((SELECT max(n.at) / 172800000.0 + ln(sum(exp((n.at - (SELECT max(t.created_at) FROM post_tags t WHERE t.key_id = tag_keys.id)) / 172800000.0)))
      FROM (SELECT t.created_at AS at FROM post_tags t WHERE t.key_id = tag_keys.id ORDER BY t.created_at DESC LIMIT 50) n), 0.0) END
  WHERE name IN (SELECT value FROM json_each('["' || replace(old.tags, ' ', '","') || '"]')) AND old.status = 'published';
  INSERT INTO tag_keys (name) SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0
  WHERE new.tags <> '' AND new.status = 'published' ON CONFLICT DO NOTHING;
  INSERT INTO post_tags (post_id, key_id, hot, score, controversy, comments, views, created_at, age)
  SELECT new.id, k.id, new.hot, new.score, new.controversy, new.comments, new.views, new.created_at, new.age FROM (
    SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0) n CROSS JOIN tag_keys k ON k.name = n.name WHERE new.tags <> '' AND new.status = 'published';
  UPDATE tag_keys SET posts = posts + 1, heat = iif(posts = 0, new.created_at / 172800000.0,
    max(heat, new.created_at / 172800000.0) + ln(1.0 + exp(-abs(heat - new.created_at / 172800000.0))))
  WHERE name IN (SELECT value FROM json_each('["' || replace(new.tags, ' ', '","') || '"]')) AND new.tags <> '' AND new.status = 'published';
END;
CREATE TRIGGER IF NOT EXISTS post_tags_sorted AFTER UPDATE OF hot, score, controversy, comments, views, created_at, age ON posts
WHEN new.tags <> '' AND new.status = 'published' AND (old.hot, old.score, old.controversy, old.comments, old.views, old.created_at, old.age)
  IS NOT (new.hot, new.score, new.controversy, new.comments, new.views, new.created_at, new.age) BEGIN
  UPDATE post_tags SET hot = new.hot, score = new.score, controversy = new.controversy, comments = new.comments, views = new.views, created_at = new.created_at, age = new.age WHERE post_id = new.id;
END;
