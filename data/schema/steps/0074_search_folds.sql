-- Greek and Cyrillic letters are searched without their marks. The next four steps put what was there before into the indexes anew.
DROP VIEW IF EXISTS post_words;
CREATE VIEW IF NOT EXISTS post_words AS
SELECT id,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(title, 'Ί', 'ι'), 'Ό', 'ο'),
    'Ύ', 'υ'), 'Ώ', 'ω'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ё', 'е'), 'Ё', 'е'), 'ѐ', 'е'), 'Ѐ', 'е'), 'ѝ', 'и'), 'Ѝ', 'и') AS title,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(body, 'Ί', 'ι'), 'Ό', 'ο'),
    'Ύ', 'υ'), 'Ώ', 'ω'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ё', 'е'), 'Ё', 'е'), 'ѐ', 'е'), 'Ѐ', 'е'), 'ѝ', 'и'), 'Ѝ', 'и') AS body, facets FROM (
SELECT id,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(title, 'ή', 'η'), 'ί', 'ι'),
    'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ΐ', 'ι'), 'ΰ', 'υ'), 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η') AS title,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(body, 'ή', 'η'), 'ί', 'ι'),
    'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ΐ', 'ι'), 'ΰ', 'υ'), 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η') AS body, facets FROM (
SELECT p.id,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(p.title, char(1080, 774), 'й'),
    char(1048, 774), 'й'), char(1110, 776), 'ї'), char(1030, 776), 'ї'), char(1091, 774), 'ў'), char(1059, 774), 'ў'),
    char(1082, 769), 'ќ'), char(1050, 769), 'ќ'), char(1075, 769), 'ѓ'), char(1043, 769), 'ѓ'), 'ά', 'α'), 'έ', 'ε') AS title,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(coalesce(t.text, '') || ' ' || p.domain,
    char(1080, 774), 'й'), char(1048, 774), 'й'), char(1110, 776), 'ї'), char(1030, 776), 'ї'), char(1091, 774), 'ў'),
    char(1059, 774), 'ў'), char(1082, 769), 'ќ'), char(1050, 769), 'ќ'), char(1075, 769), 'ѓ'), char(1043, 769), 'ѓ'), 'ά', 'α'),
    'έ', 'ε') AS body,
  'c' || p.community_id || coalesce(' u' || p.author_id, '') || ' k' || p.kind || iif(p.domain = '', '', ' d' || hex(p.domain)) || iif(p.score < 10, '', ' s' || length(p.score))
    || coalesce((SELECT group_concat(' t' || hex(j.value), '') FROM json_each(iif(p.tags = '', '[]', '["' || replace(p.tags, ' ', '","') || '"]')) j), '') AS facets
FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id WHERE p.status IN ('published', 'archived')));
DROP VIEW IF EXISTS comment_words;
CREATE VIEW IF NOT EXISTS comment_words AS
SELECT id,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(body, 'Ί', 'ι'), 'Ό', 'ο'),
    'Ύ', 'υ'), 'Ώ', 'ω'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ё', 'е'), 'Ё', 'е'), 'ѐ', 'е'), 'Ѐ', 'е'), 'ѝ', 'и'), 'Ѝ', 'и') AS body, facets FROM (
SELECT id,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(body, 'ή', 'η'), 'ί', 'ι'),
    'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ΐ', 'ι'), 'ΰ', 'υ'), 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η') AS body, facets FROM (
SELECT c.id,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(c.body, char(1080, 774), 'й'),
    char(1048, 774), 'й'), char(1110, 776), 'ї'), char(1030, 776), 'ї'), char(1091, 774), 'ў'), char(1059, 774), 'ў'),
    char(1082, 769), 'ќ'), char(1050, 769), 'ќ'), char(1075, 769), 'ѓ'), char(1043, 769), 'ѓ'), 'ά', 'α'), 'έ', 'ε') AS body,
  'c' || p.community_id || coalesce(' u' || c.author_id, '') || iif(c.score < 10, '', ' s' || length(c.score)) AS facets
FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.status = 'published' AND c.held = 0));
DROP VIEW IF EXISTS community_words;
CREATE VIEW IF NOT EXISTS community_words AS
SELECT id,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(name, 'Ί', 'ι'), 'Ό', 'ο'),
    'Ύ', 'υ'), 'Ώ', 'ω'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ё', 'е'), 'Ё', 'е'), 'ѐ', 'е'), 'Ѐ', 'е'), 'ѝ', 'и'), 'Ѝ', 'и') AS name,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(about, 'Ί', 'ι'), 'Ό', 'ο'),
    'Ύ', 'υ'), 'Ώ', 'ω'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ё', 'е'), 'Ё', 'е'), 'ѐ', 'е'), 'Ѐ', 'е'), 'ѝ', 'и'), 'Ѝ', 'и') AS about FROM (
SELECT id,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(name, 'ή', 'η'), 'ί', 'ι'),
    'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ΐ', 'ι'), 'ΰ', 'υ'), 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η') AS name,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(about, 'ή', 'η'), 'ί', 'ι'),
    'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ΐ', 'ι'), 'ΰ', 'υ'), 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η') AS about FROM (
SELECT c.id,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(c.name || ' ' || c.title,
    char(1080, 774), 'й'), char(1048, 774), 'й'), char(1110, 776), 'ї'), char(1030, 776), 'ї'), char(1091, 774), 'ў'),
    char(1059, 774), 'ў'), char(1082, 769), 'ќ'), char(1050, 769), 'ќ'), char(1075, 769), 'ѓ'), char(1043, 769), 'ѓ'), 'ά', 'α'),
    'έ', 'ε') AS name,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(c.description,
    char(1080, 774), 'й'), char(1048, 774), 'й'), char(1110, 776), 'ї'), char(1030, 776), 'ї'), char(1091, 774), 'ў'),
    char(1059, 774), 'ў'), char(1082, 769), 'ќ'), char(1050, 769), 'ќ'), char(1075, 769), 'ѓ'), char(1043, 769), 'ѓ'), 'ά', 'α'),
    'έ', 'ε') AS about
FROM communities c WHERE c.created_at > 0));
DROP VIEW IF EXISTS person_words;
CREATE VIEW IF NOT EXISTS person_words AS
SELECT id, name,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(about, 'Ί', 'ι'), 'Ό', 'ο'),
    'Ύ', 'υ'), 'Ώ', 'ω'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ё', 'е'), 'Ё', 'е'), 'ѐ', 'е'), 'Ѐ', 'е'), 'ѝ', 'и'), 'Ѝ', 'и') AS about FROM (
SELECT id, name,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(about, 'ή', 'η'), 'ί', 'ι'),
    'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ΐ', 'ι'), 'ΰ', 'υ'), 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η') AS about FROM (
SELECT u.id, u.username AS name,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(u.bio, char(1080, 774), 'й'),
    char(1048, 774), 'й'), char(1110, 776), 'ї'), char(1030, 776), 'ї'), char(1091, 774), 'ў'), char(1059, 774), 'ў'),
    char(1082, 769), 'ќ'), char(1050, 769), 'ќ'), char(1075, 769), 'ѓ'), char(1043, 769), 'ѓ'), 'ά', 'α'), 'έ', 'ε') AS about
FROM users u WHERE u.status = 'active' AND u.username <> '' AND u.waiting IS NULL));
