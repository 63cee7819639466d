-- The tables as they were when databases began to remember their steps. schema.sql says what they are for.

CREATE TABLE IF NOT EXISTS users (
  id            INTEGER PRIMARY KEY,
  username      TEXT    NOT NULL,
  username_key  TEXT    NOT NULL UNIQUE,
  email         TEXT    NOT NULL DEFAULT '',
  email_key     TEXT,
  password_hash TEXT    NOT NULL,
  status        TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'banned')),
  admin         INTEGER NOT NULL DEFAULT 0,
  bio           TEXT    NOT NULL DEFAULT '',
  bio_html      TEXT    NOT NULL DEFAULT '',
  followers     INTEGER NOT NULL DEFAULT 0,
  following     INTEGER NOT NULL DEFAULT 0,
  unread        INTEGER NOT NULL DEFAULT 0,
  created_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS users_email ON users (email_key) WHERE email_key IS NOT NULL;

CREATE TABLE IF NOT EXISTS sign_in_networks (
  user_id INTEGER NOT NULL,
  network TEXT    NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sign_in_networks_seen ON sign_in_networks (seen_at);

CREATE TABLE IF NOT EXISTS limits (
  name       TEXT    NOT NULL,
  bucket     INTEGER NOT NULL CHECK (bucket BETWEEN 0 AND 65535),
  window     INTEGER NOT NULL,
  count      INTEGER NOT NULL,
  before     INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (name, bucket)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS limits_expiry ON limits (expires_at);

CREATE TABLE IF NOT EXISTS revocations (
  subject    INTEGER PRIMARY KEY,
  before     INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS revocations_expiry ON revocations (expires_at);

CREATE TABLE IF NOT EXISTS subscriptions (
  user_id      INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (user_id, community_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS subscriptions_community ON subscriptions (community_id, user_id);
CREATE INDEX IF NOT EXISTS subscriptions_age ON subscriptions (created_at);

CREATE TABLE IF NOT EXISTS weeks (
  what  TEXT    PRIMARY KEY CHECK (what IN ('members', 'posts')),
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER IF NOT EXISTS subscriptions_added AFTER INSERT ON subscriptions BEGIN
  UPDATE communities SET members = members + 1,
    growth = growth + (new.created_at > coalesce((SELECT since FROM weeks WHERE what = 'members'), 0))
  WHERE id = new.community_id;
END;
CREATE TRIGGER IF NOT EXISTS subscriptions_ended AFTER DELETE ON subscriptions BEGIN
  UPDATE communities SET members = members - 1,
    growth = growth - (old.created_at > coalesce((SELECT since FROM weeks WHERE what = 'members'), 0))
  WHERE id = old.community_id;
END;

CREATE TABLE IF NOT EXISTS follows (
  follower_id INTEGER NOT NULL,
  followee_id INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (follower_id, followee_id),
  CHECK (follower_id <> followee_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS follows_followee ON follows (followee_id, follower_id);
CREATE TRIGGER IF NOT EXISTS follows_begun AFTER INSERT ON follows BEGIN
  UPDATE users SET following = following + 1 WHERE id = new.follower_id;
  UPDATE users SET followers = followers + 1 WHERE id = new.followee_id;
END;
CREATE TRIGGER IF NOT EXISTS follows_ended AFTER DELETE ON follows BEGIN
  UPDATE users SET following = following - 1 WHERE id = old.follower_id;
  UPDATE users SET followers = followers - 1 WHERE id = old.followee_id;
END;

CREATE TABLE IF NOT EXISTS moderators (
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  username     TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (community_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS moderators_user ON moderators (user_id, community_id);

CREATE TABLE IF NOT EXISTS dead_letters (
  id          INTEGER PRIMARY KEY,
  queue       TEXT    NOT NULL,
  body        TEXT    NOT NULL,
  message_id  TEXT    NOT NULL,
  failed_at   INTEGER NOT NULL,
  last_at     INTEGER NOT NULL,
  replayed_at INTEGER,
  UNIQUE (queue, body)
) STRICT;
CREATE INDEX IF NOT EXISTS dead_letters_waiting ON dead_letters (id) WHERE replayed_at IS NULL;
CREATE INDEX IF NOT EXISTS dead_letters_age ON dead_letters (last_at);

CREATE TABLE IF NOT EXISTS communities (
  id           INTEGER PRIMARY KEY,
  name         TEXT    NOT NULL,
  name_key     TEXT    NOT NULL UNIQUE,
  title        TEXT    NOT NULL,
  description  TEXT    NOT NULL DEFAULT '',
  sidebar      TEXT    NOT NULL DEFAULT '',
  sidebar_html TEXT    NOT NULL DEFAULT '',
  rules        TEXT    NOT NULL DEFAULT '[]',
  colour       TEXT    NOT NULL,
  creator_id   INTEGER,
  members      INTEGER NOT NULL DEFAULT 0,
  growth       INTEGER NOT NULL DEFAULT 0,
  revision     INTEGER,
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS communities_members ON communities (members);
CREATE INDEX IF NOT EXISTS communities_growth ON communities (growth);
CREATE INDEX IF NOT EXISTS communities_new ON communities (created_at);
CREATE UNIQUE INDEX IF NOT EXISTS communities_revision ON communities (revision) WHERE revision IS NOT NULL;

CREATE TABLE IF NOT EXISTS made (
  author_id  INTEGER NOT NULL,
  key        TEXT    NOT NULL,
  digest     TEXT    NOT NULL,
  made_id    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (author_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS made_age ON made (created_at);

CREATE TABLE IF NOT EXISTS posts (
  id             INTEGER PRIMARY KEY,
  community_id   INTEGER NOT NULL,
  community_name TEXT    NOT NULL,
  author_id      INTEGER,
  author_name    TEXT    NOT NULL,
  slug           TEXT    NOT NULL,
  kind           TEXT    NOT NULL CHECK (kind IN ('text', 'link', 'image')),
  title          TEXT    NOT NULL,
  link           TEXT    NOT NULL DEFAULT '',
  image          TEXT    NOT NULL DEFAULT '',
  image_width    INTEGER NOT NULL DEFAULT 0,
  image_height   INTEGER NOT NULL DEFAULT 0,
  domain         TEXT    NOT NULL DEFAULT '',
  excerpt        TEXT    NOT NULL DEFAULT '',
  status         TEXT    NOT NULL DEFAULT 'published'
                 CHECK (status IN ('draft', 'scheduled', 'published', 'archived', 'removed', 'deleted')),
  locked         INTEGER NOT NULL DEFAULT 0,
  nsfw           INTEGER NOT NULL DEFAULT 0,
  spoiler        INTEGER NOT NULL DEFAULT 0,
  base_ups       INTEGER NOT NULL DEFAULT 0,
  base_downs     INTEGER NOT NULL DEFAULT 0,
  ups            INTEGER NOT NULL DEFAULT 0,
  downs          INTEGER NOT NULL DEFAULT 0,
  score          INTEGER NOT NULL DEFAULT 0,
  hot            REAL    NOT NULL,
  controversy    REAL    NOT NULL DEFAULT 0,
  comments       INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL,
  age            INTEGER NOT NULL DEFAULT 0 CHECK (age BETWEEN 0 AND 5),
  edited_at      INTEGER,
  link_key       TEXT    NOT NULL DEFAULT '',
  crosspost_of   INTEGER,
  crosspost      TEXT,
  publish_at     INTEGER,
  source         TEXT    UNIQUE,
  UNIQUE (community_id, slug)
) STRICT;
CREATE INDEX IF NOT EXISTS posts_hot ON posts (community_id, hot) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_new ON posts (community_id, created_at) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_site_hot ON posts (hot) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_site_new ON posts (created_at) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_same ON posts (link_key, created_at) WHERE link_key <> '';
CREATE INDEX IF NOT EXISTS posts_scheduled ON posts (publish_at) WHERE status = 'scheduled';
CREATE INDEX IF NOT EXISTS posts_unpublished ON posts (author_id, coalesce(edited_at, created_at))
  WHERE status IN ('draft', 'scheduled');
CREATE INDEX IF NOT EXISTS posts_top ON posts (community_id, age, score) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_site_top ON posts (age, score) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_controversial ON posts (community_id, age, controversy)
  WHERE status = 'published' AND controversy > 0;
CREATE INDEX IF NOT EXISTS posts_site_controversial ON posts (age, controversy)
  WHERE status = 'published' AND controversy > 0;
CREATE INDEX IF NOT EXISTS posts_comments ON posts (community_id, age, comments)
  WHERE status = 'published' AND comments > 0;
CREATE INDEX IF NOT EXISTS posts_site_comments ON posts (age, comments)
  WHERE status = 'published' AND comments > 0;
CREATE INDEX IF NOT EXISTS posts_aging ON posts (age, created_at) WHERE age < 5;
CREATE INDEX IF NOT EXISTS posts_author ON posts (author_name COLLATE NOCASE, created_at)
  WHERE status = 'published' AND author_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS post_texts (
  post_id INTEGER PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  text    TEXT NOT NULL,
  html    TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS deleted_drafts (
  post_id        INTEGER PRIMARY KEY,
  author_id      INTEGER NOT NULL,
  community_name TEXT    NOT NULL,
  deleted_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS deleted_drafts_age ON deleted_drafts (deleted_at);

CREATE TABLE IF NOT EXISTS link_previews (
  url         TEXT    PRIMARY KEY,
  title       TEXT    NOT NULL DEFAULT '',
  description TEXT    NOT NULL DEFAULT '',
  site_name   TEXT    NOT NULL DEFAULT '',
  image       TEXT    NOT NULL DEFAULT '',
  reason      TEXT    NOT NULL DEFAULT '',
  fetched_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS outbox (
  subject_id INTEGER NOT NULL,
  work       TEXT    NOT NULL,
  queued_at  INTEGER NOT NULL,
  attempts   INTEGER NOT NULL DEFAULT 0,
  due_at     INTEGER NOT NULL,
  PRIMARY KEY (subject_id, work)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS outbox_due ON outbox (due_at);

CREATE TABLE IF NOT EXISTS community_stats (
  community_id INTEGER PRIMARY KEY,
  posts        INTEGER NOT NULL DEFAULT 0,
  week_posts   INTEGER NOT NULL DEFAULT 0,
  cases        INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS community_stats_cases ON community_stats (cases) WHERE cases > 0;
CREATE TRIGGER IF NOT EXISTS posts_published AFTER INSERT ON posts WHEN new.status = 'published' BEGIN
  INSERT INTO community_stats (community_id, posts, week_posts)
  VALUES (new.community_id, 1, new.created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0))
  ON CONFLICT (community_id) DO UPDATE SET posts = posts + 1, week_posts = week_posts + excluded.week_posts;
END;
CREATE TRIGGER IF NOT EXISTS posts_status_changed AFTER UPDATE OF status ON posts
WHEN (old.status = 'published') <> (new.status = 'published') BEGIN
  INSERT INTO community_stats (community_id, posts, week_posts)
  SELECT new.community_id, d, d * (new.created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0))
  FROM (SELECT (new.status = 'published') - (old.status = 'published') AS d) WHERE true
  ON CONFLICT (community_id) DO UPDATE SET posts = posts + excluded.posts, week_posts = week_posts + excluded.week_posts;
END;

CREATE TABLE IF NOT EXISTS comments (
  id          INTEGER PRIMARY KEY,
  post_id     INTEGER NOT NULL,
  parent_id   INTEGER NOT NULL DEFAULT 0,
  path        TEXT    NOT NULL,
  depth       INTEGER NOT NULL,
  author_id   INTEGER,
  author_name TEXT    NOT NULL,
  op          INTEGER NOT NULL DEFAULT 0,
  body        TEXT    NOT NULL,
  body_html   TEXT    NOT NULL,
  status      TEXT    NOT NULL DEFAULT 'published' CHECK (status IN ('published', 'removed', 'deleted')),
  base_ups    INTEGER NOT NULL DEFAULT 0,
  base_downs  INTEGER NOT NULL DEFAULT 0,
  ups         INTEGER NOT NULL DEFAULT 0,
  downs       INTEGER NOT NULL DEFAULT 0,
  score       INTEGER NOT NULL DEFAULT 0,
  best        REAL    NOT NULL DEFAULT 0,
  controversy REAL    NOT NULL DEFAULT 0,
  qa          REAL    NOT NULL DEFAULT 0,
  replies     INTEGER NOT NULL DEFAULT 0,
  descendants INTEGER NOT NULL DEFAULT 0,
  created_at  INTEGER NOT NULL,
  edited_at   INTEGER
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS comments_path ON comments (post_id, path);
CREATE INDEX IF NOT EXISTS comments_siblings ON comments (post_id, parent_id);
CREATE INDEX IF NOT EXISTS comments_best ON comments (post_id, parent_id, best);
CREATE INDEX IF NOT EXISTS comments_top ON comments (post_id, parent_id, score);
CREATE INDEX IF NOT EXISTS comments_controversial ON comments (post_id, parent_id, controversy);
CREATE INDEX IF NOT EXISTS comments_qa ON comments (post_id, parent_id, qa);
CREATE INDEX IF NOT EXISTS comments_long ON comments (id) WHERE octet_length(body_html) > 512;
CREATE INDEX IF NOT EXISTS comments_answers ON comments (parent_id, best, length(body))
  WHERE op = 1 AND status = 'published';
CREATE INDEX IF NOT EXISTS comments_author ON comments (author_name COLLATE NOCASE, id DESC)
  WHERE status = 'published' AND author_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS votes (
  target_id  INTEGER NOT NULL,
  user_id    INTEGER NOT NULL,
  value      INTEGER NOT NULL CHECK (value IN (-1, 0, 1)),
  status     INTEGER NOT NULL DEFAULT 0 CHECK (status IN (0, 1, 2)),
  updated_at INTEGER NOT NULL,
  asked_at   INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (target_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS vote_deltas (
  seq        INTEGER PRIMARY KEY,
  target_id  INTEGER NOT NULL,
  user_id    INTEGER NOT NULL,
  ups        INTEGER NOT NULL,
  downs      INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS vote_deltas_target ON vote_deltas (target_id, user_id);
CREATE TRIGGER IF NOT EXISTS votes_cast AFTER INSERT ON votes WHEN new.value <> 0 AND new.status = 0 BEGIN
  INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at)
  VALUES (new.target_id, new.user_id, new.value = 1, new.value = -1, new.updated_at);
END;
CREATE TRIGGER IF NOT EXISTS votes_changed AFTER UPDATE OF value, status ON votes
WHEN new.value * (new.status = 0) <> old.value * (old.status = 0) BEGIN
  INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at)
  VALUES (new.target_id, new.user_id,
    (new.value = 1 AND new.status = 0) - (old.value = 1 AND old.status = 0),
    (new.value = -1 AND new.status = 0) - (old.value = -1 AND old.status = 0), new.updated_at);
END;

CREATE TABLE IF NOT EXISTS ballots (
  part       INTEGER NOT NULL,
  target_id  INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  user_id    INTEGER NOT NULL,
  value      INTEGER NOT NULL,
  network    TEXT    NOT NULL,
  referrer   TEXT    NOT NULL,
  PRIMARY KEY (part, target_id, created_at, user_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS votes_replaced AFTER UPDATE OF value ON votes WHEN new.value <> old.value BEGIN
  DELETE FROM ballots WHERE part = old.updated_at / 43200000 AND target_id = old.target_id
    AND created_at = old.updated_at AND user_id = old.user_id;
END;

CREATE TABLE IF NOT EXISTS voter_ages (
  community_id INTEGER PRIMARY KEY,
  week         INTEGER NOT NULL,
  votes        INTEGER NOT NULL,
  young        INTEGER NOT NULL,
  votes_before INTEGER NOT NULL DEFAULT 0,
  young_before INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS quarantines (
  id           INTEGER PRIMARY KEY,
  target_id    INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  direction    INTEGER NOT NULL CHECK (direction IN (-1, 1)),
  evidence     TEXT    NOT NULL,
  votes        INTEGER NOT NULL DEFAULT 0,
  status       TEXT    NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'released', 'dropped')),
  created_at   INTEGER NOT NULL,
  decided_at   INTEGER,
  decided_by   INTEGER,
  decided_name TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS quarantines_open ON quarantines (target_id, direction) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS quarantines_released ON quarantines (target_id, direction, decided_at) WHERE status = 'released';
CREATE INDEX IF NOT EXISTS quarantines_waiting ON quarantines (community_id, id DESC) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS quarantines_decided ON quarantines (community_id, id DESC) WHERE status <> 'open';
CREATE INDEX IF NOT EXISTS quarantines_newest ON quarantines (status) WHERE status = 'open';
CREATE TRIGGER IF NOT EXISTS quarantines_found AFTER INSERT ON quarantines WHEN new.status = 'open' BEGIN
  INSERT INTO community_stats (community_id, cases) VALUES (new.community_id, 1)
  ON CONFLICT (community_id) DO UPDATE SET cases = cases + 1;
END;
CREATE TRIGGER IF NOT EXISTS quarantines_settled AFTER UPDATE OF status ON quarantines
WHEN (old.status = 'open') <> (new.status = 'open') BEGIN
  UPDATE community_stats SET cases = cases + (new.status = 'open') - (old.status = 'open') WHERE community_id = new.community_id;
END;

CREATE TABLE IF NOT EXISTS quarantined_votes (
  quarantine_id INTEGER NOT NULL,
  user_id       INTEGER NOT NULL,
  PRIMARY KEY (quarantine_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS saves (
  user_id    INTEGER NOT NULL,
  target_id  INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, target_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS saves_listed ON saves (user_id, target_id & 1, created_at, target_id);

CREATE TABLE IF NOT EXISTS hides (
  user_id    INTEGER NOT NULL,
  post_id    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS hides_listed ON hides (user_id, created_at, post_id);

CREATE TABLE IF NOT EXISTS count_deltas (
  seq        INTEGER PRIMARY KEY,
  post_id    INTEGER NOT NULL,
  parent_id  INTEGER NOT NULL,
  path       TEXT    NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS count_deltas_post ON count_deltas (post_id);
CREATE TRIGGER IF NOT EXISTS comments_added AFTER INSERT ON comments BEGIN
  INSERT INTO count_deltas (post_id, parent_id, path, created_at)
  VALUES (new.post_id, new.parent_id, new.path, new.created_at);
END;
CREATE TRIGGER IF NOT EXISTS comments_answered AFTER INSERT ON comments WHEN new.op = 1 AND new.parent_id <> 0 BEGIN
  UPDATE comments SET qa = coalesce((
    SELECT 1.0 + floor((comments.best + a.best + log10(max(length(comments.body) + length(a.body), 1)) / 5.0) * 1e7 + 0.5) / 1e7
    FROM comments a WHERE a.parent_id = comments.id AND a.op = 1 AND a.status = 'published'
    ORDER BY a.best DESC, length(a.body) DESC LIMIT 1), best)
  WHERE id = new.parent_id;
END;
CREATE TRIGGER IF NOT EXISTS comments_changed AFTER UPDATE OF body, status ON comments
WHEN new.qa >= 1 OR new.op = 1 AND new.parent_id <> 0 BEGIN
  UPDATE comments SET qa = coalesce((
    SELECT 1.0 + floor((comments.best + a.best + log10(max(length(comments.body) + length(a.body), 1)) / 5.0) * 1e7 + 0.5) / 1e7
    FROM comments a WHERE a.parent_id = comments.id AND a.op = 1 AND a.status = 'published'
    ORDER BY a.best DESC, length(a.body) DESC LIMIT 1), best)
  WHERE id = new.id AND qa >= 1 OR id = new.parent_id AND new.op = 1;
END;

CREATE TABLE IF NOT EXISTS author_karma (
  author_id INTEGER PRIMARY KEY,
  name_key  TEXT    NOT NULL UNIQUE,
  posts     INTEGER NOT NULL DEFAULT 0,
  comments  INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS health (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  tried_at INTEGER NOT NULL
) STRICT;
