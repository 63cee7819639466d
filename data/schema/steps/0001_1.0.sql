-- What schema.sql makes and explains, but for schema_steps.
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
  created_at    INTEGER NOT NULL,
  email_confirmed_at INTEGER,
  links         TEXT    NOT NULL DEFAULT '[]',
  avatar        TEXT    NOT NULL DEFAULT '',
  revision      INTEGER NOT NULL DEFAULT 0,
  choices       TEXT    NOT NULL DEFAULT '',
  filters       TEXT    NOT NULL DEFAULT '',
  told          INTEGER NOT NULL DEFAULT 0,
  credentials   INTEGER NOT NULL DEFAULT 0,
  seen_at       INTEGER NOT NULL DEFAULT 0,
  loud_to       INTEGER,
  blocked       TEXT    NOT NULL DEFAULT '',
  renamed_at    INTEGER,
  renaming      TEXT    NOT NULL DEFAULT '',
  repainting    INTEGER NOT NULL DEFAULT 0,
  suspended_until INTEGER,
  suspension    INTEGER,
  invite_id     INTEGER,
  waiting       TEXT,
  karma         INTEGER NOT NULL DEFAULT 0,
  karma_turn    INTEGER NOT NULL DEFAULT 0,
  birth_year    INTEGER,
  terms         INTEGER NOT NULL DEFAULT 0,
  terms_at      INTEGER,
  origin        TEXT,
  unclaimed     INTEGER NOT NULL DEFAULT 0,
  views         INTEGER NOT NULL DEFAULT 0,
  week_views    INTEGER NOT NULL DEFAULT 0,
  views_week    INTEGER NOT NULL DEFAULT 0,
  words         TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS users_origin ON users (origin) WHERE origin IS NOT NULL;
CREATE INDEX IF NOT EXISTS users_waiting ON users (status) WHERE waiting IS NOT NULL;
CREATE INDEX IF NOT EXISTS users_invited ON users (invite_id) WHERE invite_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS users_listed ON users (status) WHERE username <> '';
CREATE INDEX IF NOT EXISTS users_rated ON users (status, karma) WHERE username <> '';
CREATE INDEX IF NOT EXISTS users_suspended ON users (suspended_until) WHERE suspended_until IS NOT NULL;
CREATE INDEX IF NOT EXISTS users_told ON users (told) WHERE told > 1000;
CREATE INDEX IF NOT EXISTS users_admins ON users (admin) WHERE admin = 1;
CREATE UNIQUE INDEX IF NOT EXISTS users_confirmed_email ON users (email_key) WHERE email_confirmed_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS users_look ON users (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(username_key,
  '-', ''), '_', ''), '0', 'o'), '1', 'i'), 'l', 'i'), '3', 'e'), '4', 'a'), '5', 's'), '7', 't'), 'rn', 'm'), 'vv', 'w'));

CREATE TABLE IF NOT EXISTS mail_links (
  hash        TEXT    PRIMARY KEY,
  kind        TEXT    NOT NULL,
  user_id     INTEGER NOT NULL,
  about       TEXT    NOT NULL,
  credentials INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  used_by     INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mail_links_expiry ON mail_links (expires_at);

CREATE TABLE IF NOT EXISTS former_names (
  name_key TEXT    PRIMARY KEY,
  user_id  INTEGER NOT NULL,
  left_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS former_names_user ON former_names (user_id);

CREATE TABLE IF NOT EXISTS sign_in_networks (
  user_id INTEGER NOT NULL,
  network TEXT    NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sign_in_networks_seen ON sign_in_networks (seen_at);

CREATE TABLE IF NOT EXISTS passkeys (
  id         TEXT    PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  public_key TEXT    NOT NULL,
  sign_count INTEGER NOT NULL,
  last_use   TEXT    NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  used_at    INTEGER,
  copied_at  INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS passkeys_user ON passkeys (user_id, created_at, id);

CREATE TABLE IF NOT EXISTS identities (
  id         INTEGER PRIMARY KEY,
  issuer     TEXT    NOT NULL,
  subject    TEXT    NOT NULL,
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  used_at    INTEGER,
  UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX IF NOT EXISTS identities_user ON identities (user_id, id);

CREATE TABLE IF NOT EXISTS totp (
  user_id    INTEGER PRIMARY KEY,
  secret     TEXT    NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS recovery_codes (
  user_id INTEGER NOT NULL,
  hash    TEXT    NOT NULL,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS departures (
  user_id  INTEGER PRIMARY KEY,
  username TEXT    NOT NULL,
  name_key TEXT    NOT NULL,
  content  TEXT    NOT NULL CHECK (content IN ('keep', 'delete')),
  asked_at INTEGER NOT NULL,
  begin_at INTEGER NOT NULL,
  left_at  INTEGER,
  due_at   INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS departures_name ON departures (name_key);
CREATE INDEX IF NOT EXISTS departures_due ON departures (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS departures_left ON departures (left_at) WHERE left_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS spent (
  token      TEXT    PRIMARY KEY,
  spender    TEXT    NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS spent_expiry ON spent (expires_at);

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

CREATE TABLE IF NOT EXISTS sessions (
  id         INTEGER PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  issued_at  INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL,
  device     TEXT    NOT NULL,
  network    TEXT    NOT NULL,
  way        TEXT    NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS sessions_user ON sessions (user_id, seen_at);
CREATE INDEX IF NOT EXISTS sessions_seen ON sessions (seen_at);

CREATE TABLE IF NOT EXISTS tokens (
  id         INTEGER PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  hash       TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  scopes     TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS tokens_user ON tokens (user_id, id);
CREATE INDEX IF NOT EXISTS tokens_expiry ON tokens (expires_at);

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
  loud        INTEGER NOT NULL DEFAULT 0 CHECK (loud IN (0, 1)),
  unfilled    INTEGER NOT NULL DEFAULT 0 CHECK (unfilled IN (0, 1)),
  PRIMARY KEY (follower_id, followee_id),
  CHECK (follower_id <> followee_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS follows_followee ON follows (followee_id, follower_id);
CREATE INDEX IF NOT EXISTS follows_loud ON follows (follower_id, created_at) WHERE loud = 1;
CREATE INDEX IF NOT EXISTS follows_unfilled ON follows (follower_id) WHERE unfilled = 1;
CREATE TRIGGER IF NOT EXISTS follows_begun AFTER INSERT ON follows BEGIN
  UPDATE users SET following = following + 1 WHERE id = new.follower_id;
  UPDATE users SET followers = followers + 1 WHERE id = new.followee_id;
END;
CREATE TRIGGER IF NOT EXISTS follows_ended AFTER DELETE ON follows BEGIN
  UPDATE users SET following = following - 1 WHERE id = old.follower_id;
  UPDATE users SET followers = followers - 1 WHERE id = old.followee_id;
END;

CREATE TABLE IF NOT EXISTS tag_follows (
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS timeline (
  user_id   INTEGER NOT NULL,
  posted_at INTEGER NOT NULL,
  post_id   INTEGER NOT NULL,
  author_id INTEGER NOT NULL,
  PRIMARY KEY (user_id, posted_at, post_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS moderators (
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  username     TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  role         TEXT    NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'moderator', 'approver')),
  PRIMARY KEY (community_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS moderators_user ON moderators (user_id, community_id);
CREATE TRIGGER IF NOT EXISTS moderators_owner_gone AFTER DELETE ON moderators WHEN old.role = 'owner' BEGIN
  UPDATE moderators SET role = 'owner' WHERE community_id = old.community_id AND user_id = (SELECT m.user_id FROM moderators m
    WHERE m.community_id = old.community_id AND m.role = 'moderator' ORDER BY m.created_at, m.user_id LIMIT 1)
    AND NOT EXISTS (SELECT 1 FROM moderators o WHERE o.community_id = old.community_id AND o.role = 'owner');
END;

CREATE TABLE IF NOT EXISTS moderator_invitations (
  user_id      INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  role         TEXT    NOT NULL CHECK (role IN ('owner', 'moderator', 'approver')),
  inviter_id   INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (user_id, community_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS moderator_invitations_community ON moderator_invitations (community_id);

CREATE TABLE IF NOT EXISTS wiki_pages (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  slug         TEXT    NOT NULL,
  title        TEXT    NOT NULL,
  revision     INTEGER NOT NULL,
  deleted_at   INTEGER,
  text         TEXT    NOT NULL,
  html         TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS wiki_pages_slug ON wiki_pages (community_id, slug);
CREATE INDEX IF NOT EXISTS wiki_pages_deleted ON wiki_pages (community_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS wiki_revisions (
  page_id    INTEGER NOT NULL REFERENCES wiki_pages (id) ON DELETE CASCADE,
  number     INTEGER NOT NULL,
  author_id  INTEGER,
  created_at INTEGER NOT NULL,
  restored   INTEGER,
  title      TEXT    NOT NULL,
  text       TEXT    NOT NULL,
  PRIMARY KEY (page_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS wiki_revisions_author ON wiki_revisions (author_id) WHERE author_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS invites (
  id         INTEGER PRIMARY KEY,
  code       TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL,
  uses       INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS invites_user ON invites (user_id, expires_at);

CREATE TABLE IF NOT EXISTS branch_decisions (
  id         INTEGER PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  actor_id   INTEGER NOT NULL,
  action     TEXT    NOT NULL,
  rule       TEXT    NOT NULL,
  note       TEXT    NOT NULL,
  until      INTEGER
) STRICT;

CREATE TABLE IF NOT EXISTS branch_members (
  decision_id INTEGER NOT NULL,
  user_id     INTEGER NOT NULL,
  PRIMARY KEY (decision_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS mails (
  id       INTEGER PRIMARY KEY,
  key      TEXT    NOT NULL UNIQUE,
  kind     TEXT    NOT NULL,
  user_id  INTEGER NOT NULL,
  address  TEXT    NOT NULL,
  about    TEXT    NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  left_at  INTEGER NOT NULL,
  due_at   INTEGER,
  given_up INTEGER NOT NULL DEFAULT 0,
  counted_for TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX IF NOT EXISTS mails_due ON mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS mails_counted ON mails (counted_for, id) WHERE counted_for <> '';

CREATE TABLE IF NOT EXISTS inbox (
  id             INTEGER PRIMARY KEY,
  user_id        INTEGER NOT NULL,
  kind           TEXT    NOT NULL CHECK (kind IN ('answer', 'mention', 'thread')),
  subject_id     INTEGER NOT NULL,
  post_id        INTEGER NOT NULL,
  community_name TEXT    NOT NULL,
  slug           TEXT    NOT NULL,
  title          TEXT    NOT NULL,
  author_id      INTEGER,
  excerpt        TEXT    NOT NULL,
  unread         INTEGER NOT NULL DEFAULT 1,
  created_at     INTEGER NOT NULL,
  notice         TEXT    NOT NULL DEFAULT '',
  about_id       INTEGER NOT NULL DEFAULT 0,
  read_to        INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS inbox_subject ON inbox (post_id, subject_id, user_id);
CREATE INDEX IF NOT EXISTS inbox_listed ON inbox (user_id, kind);
CREATE INDEX IF NOT EXISTS inbox_notices ON inbox (user_id) WHERE notice <> '';
CREATE INDEX IF NOT EXISTS inbox_unread ON inbox (user_id, subject_id) WHERE unread = 1;
CREATE TRIGGER IF NOT EXISTS inbox_came AFTER INSERT ON inbox BEGIN
  UPDATE users SET unread = unread + new.unread, told = told + 1 WHERE id = new.user_id;
END;
CREATE TRIGGER IF NOT EXISTS inbox_read AFTER UPDATE OF unread ON inbox WHEN new.unread <> old.unread BEGIN
  UPDATE users SET unread = unread + new.unread - old.unread WHERE id = new.user_id;
END;
CREATE TRIGGER IF NOT EXISTS inbox_gone AFTER DELETE ON inbox BEGIN
  UPDATE users SET unread = unread - old.unread, told = told - 1 WHERE id = old.user_id;
END;
CREATE TRIGGER IF NOT EXISTS inbox_last_gone AFTER DELETE ON inbox WHEN old.id > coalesce((SELECT max(id) FROM inbox), 0) BEGIN
  INSERT INTO inbox (id, user_id, kind, subject_id, post_id, community_name, slug, title, excerpt, unread, created_at)
  VALUES (old.id, 0, 'thread', old.id, 0, '', '', '', '', 0, CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER));
END;

CREATE TABLE IF NOT EXISTS conversations (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  subject      TEXT    NOT NULL,
  about        TEXT    NOT NULL,
  status       TEXT    NOT NULL CHECK (status IN ('open', 'answered', 'closed')),
  taken_by     INTEGER,
  said_at      INTEGER NOT NULL,
  decision_id  INTEGER NOT NULL DEFAULT 0,
  decider_id   INTEGER NOT NULL DEFAULT 0,
  verdict      TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS conversations_decision ON conversations (decision_id) WHERE decision_id <> 0;
CREATE INDEX IF NOT EXISTS conversations_status ON conversations (community_id, status, said_at);
CREATE INDEX IF NOT EXISTS conversations_taken ON conversations (taken_by, community_id, said_at) WHERE status <> 'closed';
CREATE INDEX IF NOT EXISTS conversations_user ON conversations (user_id, said_at);
CREATE INDEX IF NOT EXISTS conversations_about ON conversations (about) WHERE about <> '';

CREATE TABLE IF NOT EXISTS conversation_messages (
  id              INTEGER PRIMARY KEY,
  conversation_id INTEGER NOT NULL,
  author_id       INTEGER NOT NULL,
  side            TEXT    NOT NULL CHECK (side IN ('member', 'moderators', 'note')),
  body            TEXT    NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS conversation_messages_of ON conversation_messages (conversation_id);
CREATE INDEX IF NOT EXISTS conversation_messages_author ON conversation_messages (author_id);
CREATE TRIGGER IF NOT EXISTS conversation_messages_stay BEFORE UPDATE ON conversation_messages BEGIN
  SELECT raise(ABORT, 'messages are never changed');
END;
CREATE TRIGGER IF NOT EXISTS conversations_appealed AFTER INSERT ON conversations WHEN new.decision_id <> 0 BEGIN
  INSERT INTO transparency (half, what, kind, ground, found, within, n)
  SELECT strftime('%Y', x.at / 1000, 'unixepoch') * 10 + 1 + (strftime('%m', x.at / 1000, 'unixepoch') > '06'),
    'appeal', '', '', '', 0, 1
  FROM (SELECT ((new.id >> 22) + 1767225600000) AS at) x WHERE true ON CONFLICT (half, what, kind, ground, found, within) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER IF NOT EXISTS conversations_judged AFTER UPDATE OF verdict ON conversations WHEN old.verdict = '' AND new.verdict <> '' BEGIN
  INSERT INTO transparency (half, what, kind, ground, found, within, n)
  SELECT strftime('%Y', x.at / 1000, 'unixepoch') * 10 + 1 + (strftime('%m', x.at / 1000, 'unixepoch') > '06'),
    'appeal', new.verdict, '', '', (SELECT min(j.value) FROM json_each('[1, 2, 4, 8, 12, 24, 48, 72, 168, 336, 720, 1000]') j WHERE j.value = 1000 OR x.took <= j.value * 3600000), 1
  FROM (SELECT (m.id >> 22) + 1767225600000 AS at, (m.id >> 22) - (new.id >> 22) AS took FROM conversation_messages m
    WHERE m.conversation_id = new.id ORDER BY m.id DESC LIMIT 1) x WHERE true ON CONFLICT (half, what, kind, ground, found, within) DO UPDATE SET n = n + 1;
END;

CREATE TABLE IF NOT EXISTS watches (
  user_id    INTEGER NOT NULL,
  post_id    INTEGER NOT NULL,
  path       TEXT    NOT NULL,
  muted      INTEGER NOT NULL CHECK (muted IN (0, 1)),
  created_at INTEGER NOT NULL,
  quiet_from INTEGER,
  quiet_to   INTEGER,
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS watches_path ON watches (user_id, path);
CREATE INDEX IF NOT EXISTS watches_followed ON watches (post_id, user_id) WHERE muted = 0;
CREATE INDEX IF NOT EXISTS watches_muted ON watches (post_id) WHERE muted = 1;
CREATE INDEX IF NOT EXISTS watches_ended ON watches (quiet_to) WHERE muted = 1 AND quiet_to IS NOT NULL;

CREATE TABLE IF NOT EXISTS mail_choices (
  user_id   INTEGER PRIMARY KEY,
  answers   TEXT    NOT NULL CHECK (answers IN ('now', 'digest', 'none')),
  mentions  TEXT    NOT NULL CHECK (mentions IN ('now', 'digest', 'none')),
  threads   TEXT    NOT NULL CHECK (threads IN ('now', 'digest', 'none')),
  days      INTEGER NOT NULL CHECK (days IN (1, 7)),
  digest_at INTEGER,
  digest_to INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS mail_choices_due ON mail_choices (digest_at) WHERE digest_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS thread_mails (
  user_id   INTEGER NOT NULL,
  post_id   INTEGER NOT NULL,
  due_at    INTEGER,
  mailed_to INTEGER NOT NULL,
  mailed_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS thread_mails_due ON thread_mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS thread_mails_age ON thread_mails (mailed_at) WHERE due_at IS NULL;

CREATE TABLE IF NOT EXISTS devices (
  id         INTEGER PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  endpoint   TEXT    NOT NULL,
  public_key TEXT    NOT NULL,
  secret     TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  told_at    INTEGER
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS devices_endpoint ON devices (endpoint);
CREATE INDEX IF NOT EXISTS devices_user ON devices (user_id, id);
CREATE INDEX IF NOT EXISTS devices_session ON devices (session_id);
CREATE TRIGGER IF NOT EXISTS devices_signed_out AFTER DELETE ON sessions BEGIN
  DELETE FROM devices WHERE session_id = old.id;
END;

CREATE TABLE IF NOT EXISTS push_choices (
  user_id  INTEGER PRIMARY KEY,
  answers  INTEGER NOT NULL CHECK (answers IN (0, 1)),
  mentions INTEGER NOT NULL CHECK (mentions IN (0, 1)),
  threads  INTEGER NOT NULL CHECK (threads IN (0, 1))
) STRICT;

CREATE TABLE IF NOT EXISTS pushes (
  id        INTEGER PRIMARY KEY,
  device_id INTEGER NOT NULL,
  post_id   INTEGER NOT NULL,
  since     INTEGER NOT NULL,
  upto      INTEGER NOT NULL,
  came_at   INTEGER NOT NULL,
  attempts  INTEGER NOT NULL DEFAULT 0,
  asked     INTEGER NOT NULL DEFAULT 0,
  due_at    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS pushes_thread ON pushes (device_id, post_id);
CREATE INDEX IF NOT EXISTS pushes_due ON pushes (due_at);
CREATE TRIGGER IF NOT EXISTS devices_gone AFTER DELETE ON devices BEGIN
  DELETE FROM pushes WHERE device_id = old.id;
END;
CREATE TRIGGER IF NOT EXISTS inbox_pushed AFTER INSERT ON inbox WHEN new.unread = 1 BEGIN
  INSERT INTO pushes (device_id, post_id, since, upto, came_at, due_at)
  SELECT d.id, new.post_id, new.id - 1, new.id, new.created_at, new.created_at FROM devices d LEFT JOIN push_choices c ON c.user_id = d.user_id
  WHERE d.user_id = new.user_id AND CASE iif(new.notice = '', new.kind, 'answer') WHEN 'answer' THEN coalesce(c.answers, 1) WHEN 'mention' THEN coalesce(c.mentions, 1) ELSE coalesce(c.threads, 1) END
  ON CONFLICT (device_id, post_id) DO UPDATE SET upto = excluded.upto, came_at = excluded.came_at;
END;

CREATE TABLE IF NOT EXISTS pictures (
  sum        TEXT    PRIMARY KEY,
  type       TEXT    NOT NULL,
  width      INTEGER NOT NULL,
  height     INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,
  small      INTEGER NOT NULL CHECK (small IN (0, 1)),
  colour     TEXT    NOT NULL,
  hash       INTEGER,
  user_id    INTEGER,
  created_at INTEGER NOT NULL,
  state      TEXT    NOT NULL CHECK (state IN ('coming', 'kept', 'going')),
  check_at   INTEGER,
  taken      TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS pictures_new ON pictures (created_at);
CREATE INDEX IF NOT EXISTS pictures_user ON pictures (user_id, created_at) WHERE user_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_large ON pictures (bytes);
CREATE INDEX IF NOT EXISTS pictures_check ON pictures (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_like0 ON pictures (hash >> 48 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_like1 ON pictures (hash >> 32 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_like2 ON pictures (hash >> 16 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_like3 ON pictures (hash >> 0 & 65535) WHERE hash IS NOT NULL;
CREATE TABLE IF NOT EXISTS picture_totals (
  user_id  INTEGER PRIMARY KEY,
  pictures INTEGER NOT NULL,
  bytes    INTEGER NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS pictures_added AFTER INSERT ON pictures BEGIN
  INSERT INTO picture_totals (user_id, pictures, bytes) SELECT 0, 1, new.bytes UNION ALL SELECT new.user_id, 1, new.bytes WHERE new.user_id > 0
  ON CONFLICT (user_id) DO UPDATE SET pictures = pictures + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER IF NOT EXISTS pictures_gone AFTER DELETE ON pictures BEGIN
  UPDATE picture_totals SET pictures = pictures - 1, bytes = bytes - old.bytes WHERE user_id = 0;
  UPDATE picture_totals SET pictures = pictures - 1, bytes = bytes - old.bytes WHERE user_id = old.user_id;
END;
CREATE TRIGGER IF NOT EXISTS pictures_unnamed AFTER UPDATE OF user_id ON pictures WHEN old.user_id IS NOT NULL AND new.user_id IS NULL BEGIN
  UPDATE picture_totals SET pictures = pictures - 1, bytes = bytes - old.bytes WHERE user_id = old.user_id;
END;

CREATE TABLE IF NOT EXISTS picture_blocks (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  sum          TEXT    NOT NULL,
  hash         INTEGER,
  target_id    INTEGER NOT NULL,
  rule         TEXT    NOT NULL,
  actor_id     INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS picture_blocks_sum ON picture_blocks (sum, community_id);
CREATE INDEX IF NOT EXISTS picture_blocks_new ON picture_blocks (community_id);
CREATE INDEX IF NOT EXISTS picture_blocks_target ON picture_blocks (target_id) WHERE target_id <> 0;
CREATE INDEX IF NOT EXISTS picture_blocks_like0 ON picture_blocks (hash >> 48 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS picture_blocks_like1 ON picture_blocks (hash >> 32 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS picture_blocks_like2 ON picture_blocks (hash >> 16 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS picture_blocks_like3 ON picture_blocks (hash >> 0 & 65535) WHERE hash IS NOT NULL;
CREATE TABLE IF NOT EXISTS notices (
  id         INTEGER PRIMARY KEY,
  target_id  INTEGER NOT NULL,
  kind       TEXT    NOT NULL CHECK (kind IN ('illegal', 'rights', 'personal')),
  text       TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  email      TEXT    NOT NULL,
  mailbox    TEXT    NOT NULL,
  language   TEXT    NOT NULL DEFAULT '',
  status     TEXT    NOT NULL CHECK (status IN ('unconfirmed', 'open', 'decided', 'objected', 'closed')),
  decision   TEXT    NOT NULL DEFAULT '',
  decided_at INTEGER,
  checked_at INTEGER NOT NULL DEFAULT 0,
  objected_at INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS notices_target ON notices (target_id);
CREATE INDEX IF NOT EXISTS notices_unconfirmed ON notices (id) WHERE status = 'unconfirmed';
CREATE INDEX IF NOT EXISTS notices_mailbox ON notices (mailbox, id) WHERE status = 'unconfirmed';
CREATE INDEX IF NOT EXISTS notices_waiting ON notices (checked_at) WHERE status IN ('open', 'objected');
CREATE INDEX IF NOT EXISTS notices_old ON notices (decided_at) WHERE decided_at IS NOT NULL AND status IN ('decided', 'closed');
CREATE TRIGGER IF NOT EXISTS notices_counted AFTER UPDATE OF status ON notices WHEN old.status <> new.status BEGIN
  INSERT INTO transparency (half, what, kind, ground, found, within, n)
  SELECT strftime('%Y', x.at / 1000, 'unixepoch') * 10 + 1 + (strftime('%m', x.at / 1000, 'unixepoch') > '06'),
    iif(new.status IN ('open', 'decided'), 'notice', 'objection'), iif(new.status IN ('open', 'objected'), '', new.decision), new.kind, '', iif(new.status IN ('open', 'objected'), 0, (SELECT min(j.value) FROM json_each('[1, 2, 4, 8, 12, 24, 48, 72, 168, 336, 720, 1000]') j WHERE j.value = 1000 OR x.took <= j.value * 3600000)), 1
  FROM (SELECT coalesce(iif(new.status IN ('open', 'objected'), new.checked_at, new.decided_at), new.checked_at) AS at,
    new.decided_at - iif(new.status = 'decided', ((new.id >> 22) + 1767225600000), coalesce(new.objected_at, old.decided_at)) AS took) x WHERE true ON CONFLICT (half, what, kind, ground, found, within) DO UPDATE SET n = n + 1;
END;
CREATE TABLE IF NOT EXISTS slots (
  slot  INTEGER PRIMARY KEY CHECK (slot BETWEEN 0 AND 1023),
  shard INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  moved INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS slots_epoch ON slots (epoch);
CREATE INDEX IF NOT EXISTS slots_moved ON slots (moved) WHERE moved > 0;
CREATE TABLE IF NOT EXISTS slot_moves (
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  slot   INTEGER NOT NULL,
  source INTEGER NOT NULL,
  target INTEGER NOT NULL,
  community_name TEXT NOT NULL,
  step   TEXT    NOT NULL,
  place  TEXT    NOT NULL DEFAULT '',
  holder TEXT    NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS hidden_slots (
  slot INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE IF NOT EXISTS closed_slots (
  slot INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE IF NOT EXISTS slot_holder (
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  holder TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS slot_changes (
  name  TEXT    NOT NULL,
  row   TEXT    NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (name, row)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS slot_karma (
  author_id INTEGER PRIMARY KEY,
  posts     INTEGER NOT NULL,
  comments  INTEGER NOT NULL
) STRICT;
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
  kind         TEXT    NOT NULL DEFAULT 'community' CHECK (kind IN ('community', 'profile')),
  title        TEXT    NOT NULL,
  description  TEXT    NOT NULL DEFAULT '',
  sidebar      TEXT    NOT NULL DEFAULT '',
  sidebar_html TEXT    NOT NULL DEFAULT '',
  rules        TEXT    NOT NULL DEFAULT '[]',
  colour       TEXT    NOT NULL,
  icon         TEXT    NOT NULL DEFAULT '',
  banner       TEXT    NOT NULL DEFAULT '',
  comment_pictures TEXT NOT NULL DEFAULT '',
  creator_id   INTEGER,
  members      INTEGER NOT NULL DEFAULT 0,
  growth       INTEGER NOT NULL DEFAULT 0,
  revision     INTEGER,
  created_at   INTEGER NOT NULL,
  waiting      INTEGER NOT NULL DEFAULT 0,
  words        TEXT    NOT NULL DEFAULT '',
  about_words  TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX IF NOT EXISTS communities_members ON communities (members) WHERE kind = 'community';
CREATE INDEX IF NOT EXISTS communities_growth ON communities (growth) WHERE kind = 'community';
CREATE INDEX IF NOT EXISTS communities_new ON communities (created_at) WHERE kind = 'community';
CREATE UNIQUE INDEX IF NOT EXISTS communities_revision ON communities (revision) WHERE revision IS NOT NULL;
CREATE INDEX IF NOT EXISTS communities_waiting ON communities (waiting) WHERE waiting > 0;
CREATE INDEX IF NOT EXISTS communities_creator ON communities (creator_id) WHERE creator_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS blocks (
  blocker_id INTEGER NOT NULL,
  blocked_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id),
  CHECK (blocker_id <> blocked_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS blocks_begun AFTER INSERT ON blocks BEGIN
  UPDATE users SET blocked = (SELECT group_concat(blocked_id) FROM blocks WHERE blocker_id = new.blocker_id) WHERE id = new.blocker_id;
END;
CREATE TRIGGER IF NOT EXISTS blocks_ended AFTER DELETE ON blocks BEGIN
  UPDATE users SET blocked = coalesce((SELECT group_concat(blocked_id) FROM blocks WHERE blocker_id = old.blocker_id), '') WHERE id = old.blocker_id;
END;

CREATE TABLE IF NOT EXISTS made (
  author_id  INTEGER NOT NULL,
  key        TEXT    NOT NULL,
  digest     TEXT    NOT NULL,
  made_id    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (author_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS made_account ON made (made_id) WHERE author_id = 0;

CREATE TABLE IF NOT EXISTS names (
  user_id INTEGER PRIMARY KEY,
  name    TEXT    NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS avatars (
  user_id  INTEGER PRIMARY KEY,
  avatar   TEXT    NOT NULL,
  revision INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS moderation_log (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  action       TEXT    NOT NULL,
  target_id    INTEGER NOT NULL,
  author_id    INTEGER,
  rule         TEXT    NOT NULL DEFAULT '',
  note         TEXT    NOT NULL DEFAULT '',
  until        INTEGER,
  actor_id     INTEGER NOT NULL,
  actor_name   TEXT    NOT NULL,
  undone_by    INTEGER,
  clear_from   INTEGER,
  found        TEXT    NOT NULL DEFAULT 'person' CHECK (found IN ('person', 'report', 'notice', 'rule'))
) STRICT;
CREATE INDEX IF NOT EXISTS moderation_log_community ON moderation_log (community_id);
CREATE INDEX IF NOT EXISTS moderation_log_house ON moderation_log (community_id) WHERE action IN ('owner', 'moderator', 'approver', 'dismiss', 'resign', 'settings', 'block-picture', 'unblock-picture', 'page-new', 'page-edit', 'page-delete', 'page-restore', 'page-erase');
CREATE INDEX IF NOT EXISTS moderation_log_target ON moderation_log (target_id, action);
CREATE INDEX IF NOT EXISTS moderation_log_author ON moderation_log (author_id, community_id) WHERE author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS moderation_log_actor ON moderation_log (actor_id) WHERE actor_name <> '';
CREATE TRIGGER IF NOT EXISTS moderation_log_told AFTER INSERT ON moderation_log
WHEN new.action IN ('remove', 'approve', 'ban', 'unban', 'mute', 'unmute', 'suspend', 'ban-site', 'restore', 'erase', 'title') AND new.author_id <> new.actor_id AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO outbox (subject_id, work, queued_at, due_at) VALUES (new.id, 'decided', 0, (new.id >> 22) + 1767225660000) ON CONFLICT DO NOTHING;
END;

CREATE TABLE IF NOT EXISTS moderation_counts (
  community_id INTEGER NOT NULL,
  month        INTEGER NOT NULL,
  actor_id     INTEGER NOT NULL,
  action       TEXT    NOT NULL,
  made         INTEGER NOT NULL,
  undone       INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (community_id, month, actor_id, action)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS moderation_log_counted AFTER INSERT ON moderation_log WHEN NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO moderation_counts (community_id, month, actor_id, action, made)
  VALUES (new.community_id, CAST(strftime('%Y%m', (new.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER), new.actor_id, new.action, 1)
  ON CONFLICT (community_id, month, actor_id, action) DO UPDATE SET made = made + 1;
END;
CREATE TRIGGER IF NOT EXISTS moderation_log_undone AFTER UPDATE OF undone_by ON moderation_log WHEN old.undone_by IS NULL AND new.undone_by IS NOT NULL AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  UPDATE moderation_counts SET undone = undone + 1 WHERE community_id = new.community_id
    AND month = CAST(strftime('%Y%m', (new.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER) AND actor_id = new.actor_id AND action = new.action;
END;
CREATE TABLE IF NOT EXISTS transparency (
  half   INTEGER NOT NULL,
  what   TEXT    NOT NULL CHECK (what IN ('decision', 'queue', 'notice', 'objection', 'appeal')),
  kind   TEXT    NOT NULL,
  ground TEXT    NOT NULL,
  found  TEXT    NOT NULL,
  within INTEGER NOT NULL,
  n      INTEGER NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (half, what, kind, ground, found, within)
) STRICT;
CREATE TRIGGER IF NOT EXISTS moderation_log_found AFTER INSERT ON moderation_log WHEN NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  UPDATE moderation_log SET found = CASE WHEN new.actor_id = 0 AND new.community_id <> 0 THEN 'rule'
    WHEN EXISTS (SELECT 1 FROM reports r WHERE r.target_id = new.target_id AND r.reporter_id < 0) THEN 'notice' ELSE 'report' END
  WHERE id = new.id AND (new.actor_id = 0 AND new.community_id <> 0 OR EXISTS (SELECT 1 FROM reports r WHERE r.target_id = new.target_id));
  INSERT INTO transparency (half, what, kind, ground, found, within, n)
  SELECT strftime('%Y', x.at / 1000, 'unixepoch') * 10 + 1 + (strftime('%m', x.at / 1000, 'unixepoch') > '06'),
    'decision', new.action, CASE WHEN new.rule IN ('Breaks the law', 'Sexual content with minors', 'Illegal content', 'Personal data', 'Rights of others', 'Order of an authority') THEN new.rule WHEN new.rule <> '' THEN 'rule' ELSE '' END, l.found, 0, 1
  FROM (SELECT ((new.id >> 22) + 1767225600000) AS at) x CROSS JOIN moderation_log l ON l.id = new.id WHERE true ON CONFLICT (half, what, kind, ground, found, within) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER IF NOT EXISTS moderation_log_reversed AFTER UPDATE OF undone_by ON moderation_log WHEN old.undone_by IS NULL AND new.undone_by IS NOT NULL AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  UPDATE transparency SET undone = undone + 1 WHERE half = (SELECT strftime('%Y', x.at / 1000, 'unixepoch') * 10 + 1 + (strftime('%m', x.at / 1000, 'unixepoch') > '06') FROM (SELECT ((new.id >> 22) + 1767225600000) AS at) x)
    AND what = 'decision' AND kind = new.action AND ground = CASE WHEN new.rule IN ('Breaks the law', 'Sexual content with minors', 'Illegal content', 'Personal data', 'Rights of others', 'Order of an authority') THEN new.rule WHEN new.rule <> '' THEN 'rule' ELSE '' END
    AND found = new.found AND within = 0;
END;

CREATE TABLE IF NOT EXISTS bans (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  kind         TEXT    NOT NULL CHECK (kind IN ('ban', 'mute')),
  username     TEXT    NOT NULL,
  until        INTEGER NOT NULL,
  UNIQUE (community_id, user_id)
) STRICT;
CREATE INDEX IF NOT EXISTS bans_listed ON bans (community_id, until);
CREATE INDEX IF NOT EXISTS bans_named ON bans (community_id, username COLLATE NOCASE);
CREATE INDEX IF NOT EXISTS bans_user ON bans (user_id);
CREATE INDEX IF NOT EXISTS bans_ended ON bans (until) WHERE until < 4503599627370496;

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

  comments_step  INTEGER NOT NULL DEFAULT 0,
  commented_at   INTEGER,
  active         INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL,
  age            INTEGER NOT NULL DEFAULT 0 CHECK (age BETWEEN 0 AND 5),
  edited_at      INTEGER,
  link_key       TEXT    NOT NULL DEFAULT '',
  crosspost_of   INTEGER,
  crosspost      TEXT,
  publish_at     INTEGER,
  source         TEXT,
  pinned_at      INTEGER,
  author_avatar  TEXT    NOT NULL DEFAULT '',
  held           INTEGER NOT NULL DEFAULT 0,
  answer         TEXT    NOT NULL DEFAULT '',
  flair_id       INTEGER,
  tags           TEXT    NOT NULL DEFAULT '',
  views          INTEGER NOT NULL DEFAULT 0,
  week_views     INTEGER NOT NULL DEFAULT 0,
  views_week     INTEGER NOT NULL DEFAULT 0,
  pictures       TEXT    NOT NULL DEFAULT '',
  words          TEXT    NOT NULL DEFAULT '',
  UNIQUE (community_id, slug)
) STRICT;
CREATE INDEX IF NOT EXISTS posts_hot ON posts (community_id, hot) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_new ON posts (community_id, created_at) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_site_hot ON posts (hot) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_site_new ON posts (created_at) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_active ON posts (community_id, active) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_site_active ON posts (active) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_flair_hot ON posts (flair_id, hot) WHERE status = 'published' AND flair_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_flair_new ON posts (flair_id, created_at) WHERE status = 'published' AND flair_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_flair_top ON posts (flair_id, age, score) WHERE status = 'published' AND flair_id IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS posts_source ON posts (source) WHERE source IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_pinned ON posts (community_id, pinned_at) WHERE pinned_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_same ON posts (link_key, created_at) WHERE link_key <> '';
CREATE INDEX IF NOT EXISTS posts_crossposts ON posts (crosspost_of) WHERE crosspost_of IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_scheduled ON posts (publish_at) WHERE status = 'scheduled';
CREATE INDEX IF NOT EXISTS posts_own ON posts (author_id, status, coalesce(edited_at, created_at))
  WHERE status IN ('draft', 'scheduled', 'removed');
CREATE INDEX IF NOT EXISTS posts_top ON posts (community_id, age, score) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_site_top ON posts (age, score) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_controversial ON posts (community_id, age, controversy)
  WHERE status = 'published' AND controversy > 0;
CREATE INDEX IF NOT EXISTS posts_site_controversial ON posts (age, controversy)
  WHERE status = 'published' AND controversy > 0;
CREATE INDEX IF NOT EXISTS posts_comments ON posts (community_id, age, comments_step)
  WHERE status = 'published' AND comments_step > 0;
CREATE INDEX IF NOT EXISTS posts_site_comments ON posts (age, comments_step)
  WHERE status = 'published' AND comments_step > 0;
CREATE INDEX IF NOT EXISTS posts_views ON posts (community_id, age, views)
  WHERE status = 'published' AND views > 0;
CREATE INDEX IF NOT EXISTS posts_site_views ON posts (age, views)
  WHERE status = 'published' AND views > 0;
CREATE INDEX IF NOT EXISTS posts_aging ON posts (age, created_at) WHERE age < 5;
CREATE INDEX IF NOT EXISTS posts_author ON posts (author_name COLLATE NOCASE, created_at)
  WHERE status = 'published' AND author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_author_top ON posts (author_name COLLATE NOCASE, score)
  WHERE status = 'published' AND author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_author_views ON posts (author_name COLLATE NOCASE, views)
  WHERE status = 'published' AND author_id IS NOT NULL AND views > 0;
CREATE INDEX IF NOT EXISTS posts_by ON posts (author_id, created_at) WHERE status = 'published' AND author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_gone ON posts (author_id) WHERE status <> 'published' AND author_name <> '';

CREATE TABLE IF NOT EXISTS flairs (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  place        INTEGER NOT NULL,
  text         TEXT    NOT NULL,
  colour       TEXT    NOT NULL,
  restricted   INTEGER NOT NULL,
  of_members   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS flairs_listed ON flairs (community_id, of_members, place);

CREATE TABLE IF NOT EXISTS flair_sets (
  community_id INTEGER PRIMARY KEY,
  revision     INTEGER NOT NULL,
  required     INTEGER NOT NULL,
  members      TEXT    NOT NULL DEFAULT 'listed' CHECK (members IN ('given', 'listed', 'own'))
) STRICT;
CREATE TABLE IF NOT EXISTS member_flairs (
  user_id      INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  flair_id     INTEGER,
  text         TEXT    NOT NULL,
  colour       TEXT    NOT NULL,
  fixed        INTEGER NOT NULL,
  PRIMARY KEY (user_id, community_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS tag_keys (
  id    INTEGER PRIMARY KEY,
  name  TEXT    NOT NULL UNIQUE,
  posts INTEGER NOT NULL DEFAULT 0,
  heat  REAL    NOT NULL DEFAULT 0,
  digits    INTEGER NOT NULL DEFAULT 0,
  heat_step INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS tag_keys_begin ON tag_keys (digits, name) WHERE digits > 0;
CREATE INDEX IF NOT EXISTS tag_keys_heat ON tag_keys (heat_step) WHERE digits > 0;
CREATE VIEW IF NOT EXISTS tag_counters AS SELECT name, posts, heat, digits, heat_step, id FROM tag_keys;
CREATE TRIGGER IF NOT EXISTS tag_counters_moved INSTEAD OF UPDATE ON tag_counters
WHEN old.digits <> iif(new.posts > 0, length(new.posts), 0) OR old.heat_step <> CAST(floor(new.heat) AS INTEGER) BEGIN
  UPDATE tag_keys SET posts = new.posts, heat = new.heat, digits = iif(new.posts > 0, length(new.posts), 0), heat_step = CAST(floor(new.heat) AS INTEGER)
  WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS tag_counters_counted INSTEAD OF UPDATE ON tag_counters
WHEN old.digits = iif(new.posts > 0, length(new.posts), 0) AND old.heat_step = CAST(floor(new.heat) AS INTEGER) BEGIN
  UPDATE tag_keys SET posts = new.posts, heat = new.heat WHERE id = new.id;
END;

CREATE TABLE IF NOT EXISTS post_tags (
  key_id     INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  post_id    INTEGER NOT NULL,
  PRIMARY KEY (key_id, created_at, post_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS post_tags_made AFTER INSERT ON posts WHEN new.tags <> '' AND new.status = 'published' BEGIN
  INSERT INTO tag_keys (name) SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0
  WHERE true ON CONFLICT DO NOTHING;
  INSERT INTO post_tags (key_id, created_at, post_id) SELECT k.id, new.created_at, new.id FROM (
    SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0) n CROSS JOIN tag_keys k ON k.name = n.name;
  UPDATE tag_counters SET posts = posts + 1, heat = iif(posts = 0, new.created_at / 172800000.0,
    max(heat, new.created_at / 172800000.0) + ln(1.0 + exp(-abs(heat - new.created_at / 172800000.0))))
  WHERE name IN (SELECT value FROM json_each('["' || replace(new.tags, ' ', '","') || '"]'));
END;
CREATE TRIGGER IF NOT EXISTS post_tags_changed AFTER UPDATE OF status, tags, created_at ON posts
WHEN (old.tags <> '' OR new.tags <> '') AND (old.tags <> new.tags OR (old.status = 'published') <> (new.status = 'published')
  OR new.status = 'published' AND old.created_at <> new.created_at) BEGIN
  DELETE FROM post_tags WHERE old.status = 'published' AND post_id = old.id AND created_at = old.created_at AND key_id IN (SELECT k.id FROM (
    SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(old.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(old.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(old.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0) n CROSS JOIN tag_keys k ON k.name = n.name);
  UPDATE tag_counters SET posts = posts - 1, heat = CASE
    WHEN heat - old.created_at / 172800000.0 > 30 THEN heat
    WHEN heat - old.created_at / 172800000.0 > 0.001 THEN old.created_at / 172800000.0 + ln(exp(heat - old.created_at / 172800000.0) - 1.0)
    ELSE coalesce((SELECT max(n.at) / 172800000.0 + ln(sum(exp((n.at - (SELECT max(t.created_at) FROM post_tags t WHERE t.key_id = tag_counters.id)) / 172800000.0)))
      FROM (SELECT t.created_at AS at FROM post_tags t WHERE t.key_id = tag_counters.id ORDER BY t.created_at DESC LIMIT 50) n), 0.0) END
  WHERE name IN (SELECT value FROM json_each('["' || replace(old.tags, ' ', '","') || '"]')) AND old.status = 'published';
  INSERT INTO tag_keys (name) SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0
  WHERE new.tags <> '' AND new.status = 'published' ON CONFLICT DO NOTHING;
  INSERT INTO post_tags (key_id, created_at, post_id) SELECT k.id, new.created_at, new.id FROM (
    SELECT trim(a.value || ' ' || b.value || ' ' || c.value) AS name FROM json_each('["","' || replace(new.tags, ' ', '","') || '"]') c
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') b ON b.key < c.key
    CROSS JOIN json_each('["","' || replace(new.tags, ' ', '","') || '"]') a ON a.key < b.key OR a.key = 0 AND b.key = 0) n CROSS JOIN tag_keys k ON k.name = n.name WHERE new.tags <> '' AND new.status = 'published' ON CONFLICT DO NOTHING;
  UPDATE tag_counters SET posts = posts + 1, heat = iif(posts = 0, new.created_at / 172800000.0,
    max(heat, new.created_at / 172800000.0) + ln(1.0 + exp(-abs(heat - new.created_at / 172800000.0))))
  WHERE name IN (SELECT value FROM json_each('["' || replace(new.tags, ' ', '","') || '"]')) AND new.tags <> '' AND new.status = 'published';
END;
CREATE TABLE IF NOT EXISTS post_texts (
  post_id INTEGER PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  text    TEXT NOT NULL,
  html    TEXT NOT NULL,
  words   TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE IF NOT EXISTS picture_uses (
  sum        TEXT    NOT NULL,
  kind       TEXT    NOT NULL CHECK (kind IN ('post', 'comment', 'avatar', 'icon', 'banner')),
  subject_id INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  PRIMARY KEY (sum, kind, subject_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS picture_uses_subject ON picture_uses (subject_id, kind);
CREATE TABLE IF NOT EXISTS picture_losses (
  sum TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS picture_uses_ended AFTER DELETE ON picture_uses BEGIN
  INSERT INTO picture_losses (sum) VALUES (old.sum) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS posts_pictured AFTER INSERT ON posts WHEN new.pictures <> '' BEGIN
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT j.value ->> 'sum', 'post', new.id, j.key FROM json_each(new.pictures) j;
END;
CREATE TRIGGER IF NOT EXISTS posts_repictured AFTER UPDATE OF pictures ON posts WHEN old.pictures <> new.pictures BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind = 'post';
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT j.value ->> 'sum', 'post', new.id, j.key
  FROM json_each(iif(new.pictures = '', '[]', new.pictures)) j;
END;
CREATE TRIGGER IF NOT EXISTS posts_unpictured AFTER DELETE ON posts WHEN old.pictures <> '' BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind = 'post';
END;
CREATE TRIGGER IF NOT EXISTS users_pictured AFTER UPDATE OF avatar ON users WHEN old.avatar <> new.avatar BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind = 'avatar';
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT substr(new.avatar, instr(new.avatar, '/') + 1), 'avatar', new.id, 0
  WHERE instr(new.avatar, '/') > 0;
END;
CREATE TRIGGER IF NOT EXISTS communities_pictured AFTER INSERT ON communities WHEN new.icon <> '' OR new.banner <> '' BEGIN
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT new.icon, 'icon', new.id, 0 WHERE new.icon <> ''
  UNION ALL SELECT new.banner, 'banner', new.id, 0 WHERE new.banner <> '';
END;
CREATE TRIGGER IF NOT EXISTS communities_repictured AFTER UPDATE OF icon, banner ON communities
WHEN old.icon <> new.icon OR old.banner <> new.banner BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind IN ('icon', 'banner');
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT new.icon, 'icon', new.id, 0 WHERE new.icon <> ''
  UNION ALL SELECT new.banner, 'banner', new.id, 0 WHERE new.banner <> '';
END;
CREATE TRIGGER IF NOT EXISTS communities_unpictured AFTER DELETE ON communities WHEN old.icon <> '' OR old.banner <> '' BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind IN ('icon', 'banner');
END;

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
  PRIMARY KEY (work, subject_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS outbox_due ON outbox (due_at) WHERE work NOT IN ('notify', 'timeline');

CREATE TABLE IF NOT EXISTS mentions (
  subject_id INTEGER NOT NULL,
  name_key   TEXT    NOT NULL,
  PRIMARY KEY (subject_id, name_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS visits (
  user_id INTEGER NOT NULL,
  post_id INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  since   INTEGER,
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS visits_age ON visits (seen_at);

CREATE TABLE IF NOT EXISTS community_stats (
  community_id INTEGER PRIMARY KEY,
  posts        INTEGER NOT NULL DEFAULT 0,
  week_posts   INTEGER NOT NULL DEFAULT 0,
  cases        INTEGER NOT NULL DEFAULT 0,
  waiting      INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS community_stats_cases ON community_stats (cases) WHERE cases > 0;
CREATE INDEX IF NOT EXISTS community_stats_waiting ON community_stats (waiting) WHERE waiting > 0;
CREATE TRIGGER IF NOT EXISTS posts_published AFTER INSERT ON posts WHEN new.status = 'published' AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO community_stats (community_id, posts, week_posts)
  VALUES (new.community_id, 1, new.created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0))
  ON CONFLICT (community_id) DO UPDATE SET posts = posts + 1, week_posts = week_posts + excluded.week_posts;
END;
CREATE TRIGGER IF NOT EXISTS posts_status_changed AFTER UPDATE OF status ON posts
WHEN (old.status = 'published') <> (new.status = 'published') AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO community_stats (community_id, posts, week_posts)
  SELECT new.community_id, d, d * (new.created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0))
  FROM (SELECT (new.status = 'published') - (old.status = 'published') AS d) WHERE true
  ON CONFLICT (community_id) DO UPDATE SET posts = posts + excluded.posts, week_posts = week_posts + excluded.week_posts;
END;

CREATE TABLE IF NOT EXISTS post_days (
  day   INTEGER PRIMARY KEY,
  posts INTEGER NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS post_days_made AFTER INSERT ON posts WHEN new.status = 'published' BEGIN
  INSERT INTO post_days (day, posts) VALUES (new.created_at / 86400000, 1) ON CONFLICT (day) DO UPDATE SET posts = posts + 1;
END;
CREATE TRIGGER IF NOT EXISTS post_days_changed AFTER UPDATE OF status, created_at ON posts
WHEN (old.status = 'published') <> (new.status = 'published') OR new.status = 'published' AND old.created_at <> new.created_at BEGIN
  UPDATE post_days SET posts = posts - 1 WHERE old.status = 'published' AND day = old.created_at / 86400000;
  INSERT INTO post_days (day, posts) SELECT new.created_at / 86400000, 1 WHERE new.status = 'published'
  ON CONFLICT (day) DO UPDATE SET posts = posts + 1;
END;

CREATE TABLE IF NOT EXISTS standings (
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  posts        INTEGER NOT NULL DEFAULT 0,
  comments     INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (community_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS standings_post AFTER INSERT ON posts WHEN new.status = 'published' AND new.author_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO standings (community_id, user_id, posts) VALUES (new.community_id, new.author_id, 1)
  ON CONFLICT (community_id, user_id) DO UPDATE SET posts = posts + 1;
END;
CREATE TRIGGER IF NOT EXISTS standings_post_changed AFTER UPDATE OF status ON posts
WHEN new.author_id IS NOT NULL AND (old.status IN ('published', 'archived')) <> (new.status IN ('published', 'archived')) AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO standings (community_id, user_id, posts) VALUES (new.community_id, new.author_id, iif(new.status IN ('published', 'archived'), 1, -1))
  ON CONFLICT (community_id, user_id) DO UPDATE SET posts = posts + excluded.posts;
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
  edited_at   INTEGER,
  author_avatar TEXT  NOT NULL DEFAULT '',
  held        INTEGER NOT NULL DEFAULT 0,
  answer      TEXT    NOT NULL DEFAULT '',
  pictures    TEXT    NOT NULL DEFAULT '',
  words       TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS comments_path ON comments (post_id, path);
CREATE INDEX IF NOT EXISTS comments_siblings ON comments (post_id, parent_id) WHERE held = 0;
CREATE INDEX IF NOT EXISTS comments_best ON comments (post_id, parent_id, best) WHERE held = 0;
CREATE INDEX IF NOT EXISTS comments_top ON comments (post_id, parent_id, score) WHERE held = 0;
CREATE INDEX IF NOT EXISTS comments_controversial ON comments (post_id, parent_id, controversy) WHERE held = 0 AND controversy > 0;
CREATE INDEX IF NOT EXISTS comments_qa ON comments (post_id, parent_id, qa) WHERE held = 0 AND qa >= 1;
CREATE INDEX IF NOT EXISTS comments_last ON comments (post_id, op, created_at) WHERE status = 'published' AND held = 0;
CREATE INDEX IF NOT EXISTS comments_long ON comments (id) WHERE octet_length(body_html) + octet_length(pictures) > 512;
CREATE INDEX IF NOT EXISTS comments_answers ON comments (parent_id, best, length(body))
  WHERE op = 1 AND status = 'published';
CREATE INDEX IF NOT EXISTS comments_held ON comments (author_id, post_id) WHERE held = 1;
CREATE INDEX IF NOT EXISTS comments_gone ON comments (author_id) WHERE status <> 'published' AND author_name <> '';
CREATE INDEX IF NOT EXISTS comments_author ON comments (author_name COLLATE NOCASE, id DESC)
  WHERE status = 'published' AND author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS comments_author_top ON comments (author_name COLLATE NOCASE, score)
  WHERE status = 'published' AND author_id IS NOT NULL AND score <> 1;
CREATE INDEX IF NOT EXISTS comments_author_controversial ON comments (author_name COLLATE NOCASE, controversy)
  WHERE status = 'published' AND author_id IS NOT NULL AND controversy > 0;
CREATE TRIGGER IF NOT EXISTS comments_pictured AFTER INSERT ON comments WHEN new.pictures <> '' BEGIN
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT j.value ->> 'sum', 'comment', new.id, j.key FROM json_each(new.pictures) j;
END;
CREATE TRIGGER IF NOT EXISTS comments_repictured AFTER UPDATE OF pictures ON comments WHEN old.pictures <> new.pictures BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind = 'comment';
  INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT j.value ->> 'sum', 'comment', new.id, j.key
  FROM json_each(iif(new.pictures = '', '[]', new.pictures)) j;
END;
CREATE TRIGGER IF NOT EXISTS comments_unpictured AFTER DELETE ON comments WHEN old.pictures <> '' BEGIN
  DELETE FROM picture_uses WHERE subject_id = old.id AND kind = 'comment';
END;

CREATE TABLE IF NOT EXISTS comment_sources (
  source     TEXT    PRIMARY KEY,
  comment_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS votes (
  target_id  INTEGER NOT NULL,
  user_id    INTEGER NOT NULL,
  value      INTEGER NOT NULL CHECK (value IN (-1, 0, 1)),
  status     INTEGER NOT NULL DEFAULT 0 CHECK (status IN (0, 1, 2)),
  updated_at INTEGER NOT NULL,
  asked_at   INTEGER NOT NULL DEFAULT 0,
  automatic  INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (target_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS votes_user ON votes (user_id, target_id) WHERE automatic = 0;
CREATE TRIGGER IF NOT EXISTS votes_automatic_changed AFTER UPDATE OF value ON votes
WHEN new.automatic = 1 AND new.value <> old.value AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  UPDATE votes SET automatic = 0 WHERE target_id = new.target_id AND user_id = new.user_id;
END;

CREATE TABLE IF NOT EXISTS vote_deltas (
  target_id  INTEGER NOT NULL,
  user_id    INTEGER NOT NULL,
  ups        INTEGER NOT NULL,
  downs      INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (target_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS votes_cast AFTER INSERT ON votes WHEN new.value <> 0 AND new.status = 0 AND (new.automatic = 0 OR new.target_id % 2 = 0) AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at)
  VALUES (new.target_id, new.user_id, new.value = 1 AND new.automatic = 0, new.value = -1, new.updated_at)
  ON CONFLICT (target_id, user_id) DO UPDATE SET ups = ups + excluded.ups, downs = downs + excluded.downs;
END;
CREATE TRIGGER IF NOT EXISTS votes_changed AFTER UPDATE OF value, status ON votes
WHEN new.value * (new.status = 0) <> old.value * (old.status = 0) AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at)
  VALUES (new.target_id, new.user_id,
    (new.value = 1 AND new.status = 0) - (old.value = 1 AND old.status = 0),
    (new.value = -1 AND new.status = 0) - (old.value = -1 AND old.status = 0), new.updated_at)
  ON CONFLICT (target_id, user_id) DO UPDATE SET ups = ups + excluded.ups, downs = downs + excluded.downs;
END;
CREATE VIEW IF NOT EXISTS post_counters AS SELECT id, ups, downs, score, hot, controversy, created_at FROM posts;
CREATE TRIGGER IF NOT EXISTS post_counters_moved INSTEAD OF UPDATE ON post_counters
WHEN abs(new.score - old.score) * 32 > abs(old.score) OR abs(new.controversy - old.controversy) * 32 > old.controversy BEGIN
  UPDATE posts SET ups = new.ups, downs = new.downs, score = new.score, hot = new.hot, controversy = new.controversy WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS post_counters_counted INSTEAD OF UPDATE ON post_counters
WHEN NOT (abs(new.score - old.score) * 32 > abs(old.score) OR abs(new.controversy - old.controversy) * 32 > old.controversy) BEGIN
  UPDATE posts SET ups = new.ups, downs = new.downs WHERE id = new.id;
END;
CREATE VIEW IF NOT EXISTS comment_counters AS SELECT id, ups, downs, score, best, controversy, qa, body FROM comments;
CREATE TRIGGER IF NOT EXISTS comment_counters_moved INSTEAD OF UPDATE ON comment_counters
WHEN abs(new.score - old.score) * 32 > abs(old.score) OR abs(new.best - old.best) * 32 > min(old.best, 1 - old.best)
  OR abs(new.controversy - old.controversy) * 32 > old.controversy BEGIN
  UPDATE comments SET ups = new.ups, downs = new.downs, score = new.score, best = new.best, controversy = new.controversy, qa = new.qa WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS comment_counters_counted INSTEAD OF UPDATE ON comment_counters
WHEN NOT (abs(new.score - old.score) * 32 > abs(old.score) OR abs(new.best - old.best) * 32 > min(old.best, 1 - old.best)
  OR abs(new.controversy - old.controversy) * 32 > old.controversy) BEGIN
  UPDATE comments SET ups = new.ups, downs = new.downs WHERE id = new.id;
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
CREATE TRIGGER IF NOT EXISTS votes_replaced AFTER UPDATE OF value ON votes WHEN new.value <> old.value AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  DELETE FROM ballots WHERE part = old.updated_at / 43200000 AND target_id = old.target_id
    AND created_at = old.updated_at AND user_id = old.user_id;
END;

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
  decided_name TEXT    NOT NULL DEFAULT '',
  told_to      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS quarantines_open ON quarantines (target_id, direction) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS quarantines_released ON quarantines (target_id, direction, decided_at) WHERE status = 'released';
CREATE INDEX IF NOT EXISTS quarantines_waiting ON quarantines (community_id, id DESC) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS quarantines_decided ON quarantines (community_id, id DESC) WHERE status <> 'open';
CREATE INDEX IF NOT EXISTS quarantines_decider ON quarantines (decided_by) WHERE decided_name <> '';
CREATE INDEX IF NOT EXISTS quarantines_newest ON quarantines (status) WHERE status = 'open';
CREATE TRIGGER IF NOT EXISTS quarantines_found AFTER INSERT ON quarantines WHEN new.status = 'open' AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO community_stats (community_id, cases) VALUES (new.community_id, 1)
  ON CONFLICT (community_id) DO UPDATE SET cases = cases + 1;
END;
CREATE TRIGGER IF NOT EXISTS quarantines_settled AFTER UPDATE OF status ON quarantines
WHEN (old.status = 'open') <> (new.status = 'open') AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  UPDATE community_stats SET cases = cases + (new.status = 'open') - (old.status = 'open') WHERE community_id = new.community_id;
END;

CREATE TABLE IF NOT EXISTS quarantined_votes (
  quarantine_id INTEGER NOT NULL,
  user_id       INTEGER NOT NULL,
  PRIMARY KEY (quarantine_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reports (
  target_id    INTEGER NOT NULL,
  reporter_id  INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  reason       TEXT    NOT NULL,
  text         TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  weight       INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (target_id, reporter_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reports_said ON reports (target_id, created_at) WHERE text <> '';
CREATE INDEX IF NOT EXISTS reports_reporter ON reports (reporter_id);

CREATE TABLE IF NOT EXISTS queue_items (
  target_id    INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  reports      INTEGER NOT NULL,
  came_at      INTEGER NOT NULL,
  status       TEXT    NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'decided')),
  decision     TEXT    NOT NULL DEFAULT '',
  decided_by   INTEGER,
  decided_at   INTEGER,
  held         INTEGER NOT NULL DEFAULT 0,
  hits         INTEGER NOT NULL DEFAULT 0,
  weight       INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS queue_items_new ON queue_items (community_id, came_at) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_most ON queue_items (community_id, weight) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_all_new ON queue_items (came_at) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_all_most ON queue_items (weight) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_reported ON queue_items (community_id, came_at) WHERE status = 'open' AND reports > 0;
CREATE INDEX IF NOT EXISTS queue_items_all_reported ON queue_items (came_at) WHERE status = 'open' AND reports > 0;
CREATE INDEX IF NOT EXISTS queue_items_held ON queue_items (community_id, came_at) WHERE status = 'open' AND held = 1;
CREATE INDEX IF NOT EXISTS queue_items_all_held ON queue_items (came_at) WHERE status = 'open' AND held = 1;
CREATE INDEX IF NOT EXISTS queue_items_hit ON queue_items (community_id, came_at) WHERE status = 'open' AND hits > 0;
CREATE INDEX IF NOT EXISTS queue_items_all_hit ON queue_items (came_at) WHERE status = 'open' AND hits > 0;
CREATE INDEX IF NOT EXISTS queue_items_old ON queue_items (coalesce(decided_at, came_at)) WHERE status = 'decided' AND (decision <> 'ignore' OR reports > 0);

CREATE TABLE IF NOT EXISTS report_reasons (
  target_id INTEGER NOT NULL,
  reason    TEXT    NOT NULL,
  reports   INTEGER NOT NULL,
  PRIMARY KEY (target_id, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS report_outcomes (
  target_id  INTEGER NOT NULL,
  decided_at INTEGER NOT NULL,
  decision   TEXT    NOT NULL,
  decided_by INTEGER,
  came_at    INTEGER NOT NULL,
  PRIMARY KEY (target_id, decided_at)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS reports_made AFTER INSERT ON reports WHEN NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, weight) VALUES (new.target_id, new.community_id, 1, new.created_at, new.weight)
  ON CONFLICT (target_id) DO UPDATE SET reports = iif(status = 'open', reports + 1, 1), weight = iif(status = 'open', weight + new.weight, new.weight), came_at = iif(status = 'open', came_at, excluded.came_at),
    status = 'open', decision = '', decided_by = NULL, decided_at = NULL, held = iif(status = 'open', held, 0), hits = iif(status = 'open', hits, 0) WHERE decision <> 'ignore';
  INSERT INTO report_reasons (target_id, reason, reports)
  SELECT new.target_id, new.reason, 1 FROM queue_items q WHERE q.target_id = new.target_id AND q.status = 'open'
  ON CONFLICT (target_id, reason) DO UPDATE SET reports = reports + 1;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_decided AFTER UPDATE OF status ON queue_items WHEN old.status = 'open' AND new.status <> 'open' AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  DELETE FROM report_reasons WHERE target_id = new.target_id;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_told AFTER UPDATE OF status ON queue_items
WHEN old.status = 'open' AND new.status = 'decided' AND new.decision IN ('remove', 'approve', 'ignore') AND new.reports > 0 AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO report_outcomes (target_id, decided_at, decision, decided_by, came_at) VALUES (new.target_id, new.decided_at, new.decision, new.decided_by, new.came_at) ON CONFLICT DO NOTHING;
  INSERT INTO outbox (subject_id, work, queued_at, due_at) VALUES (new.target_id, 'reported', new.decided_at, new.decided_at + 60000)
  ON CONFLICT (subject_id, work) DO UPDATE SET queued_at = max(excluded.queued_at, queued_at + 1), attempts = 0, due_at = excluded.due_at;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_timed AFTER UPDATE OF status ON queue_items
WHEN old.status = 'open' AND new.status = 'decided' AND new.decision IN ('remove', 'approve', 'ignore') AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO transparency (half, what, kind, ground, found, within, n)
  SELECT strftime('%Y', x.at / 1000, 'unixepoch') * 10 + 1 + (strftime('%m', x.at / 1000, 'unixepoch') > '06'),
    'queue', new.decision, '', iif(old.held = 1, 'held', iif(new.reports > 0, 'report', 'rule')), (SELECT min(j.value) FROM json_each('[1, 2, 4, 8, 12, 24, 48, 72, 168, 336, 720, 1000]') j WHERE j.value = 1000 OR x.took <= j.value * 3600000), 1
  FROM (SELECT new.decided_at AS at, new.decided_at - new.came_at AS took) x WHERE true ON CONFLICT (half, what, kind, ground, found, within) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_opened AFTER INSERT ON queue_items WHEN new.status = 'open' AND new.community_id <> 0 AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO community_stats (community_id, waiting) VALUES (new.community_id, 1) ON CONFLICT (community_id) DO UPDATE SET waiting = waiting + 1;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_counted AFTER UPDATE OF status ON queue_items WHEN (old.status = 'open') <> (new.status = 'open') AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  UPDATE community_stats SET waiting = waiting + (new.status = 'open') - (old.status = 'open') WHERE community_id = new.community_id;
END;
CREATE TRIGGER IF NOT EXISTS community_stats_counted AFTER UPDATE OF waiting, cases ON community_stats WHEN new.waiting + new.cases <> old.waiting + old.cases AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  UPDATE communities SET waiting = new.waiting + new.cases WHERE id = new.community_id;
END;
CREATE TRIGGER IF NOT EXISTS community_stats_begun AFTER INSERT ON community_stats WHEN new.waiting + new.cases > 0 AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  UPDATE communities SET waiting = new.waiting + new.cases WHERE id = new.community_id;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_post_made AFTER INSERT ON posts WHEN new.held = 1 AND new.status = 'removed' AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, held) VALUES (new.id, new.community_id, 0, new.created_at, 1) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_post_due AFTER UPDATE OF status ON posts WHEN new.held = 1 AND new.status = 'removed' AND old.status IN ('draft', 'scheduled') AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, held) VALUES (new.id, new.community_id, 0, new.created_at, 1) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_comment_made AFTER INSERT ON comments WHEN new.held = 1 AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, held)
  SELECT new.id, p.community_id, 0, new.created_at, 1 FROM posts p WHERE p.id = new.post_id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS queue_items_post_deleted AFTER UPDATE OF status ON posts WHEN new.status = 'deleted' AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  UPDATE queue_items SET status = 'decided', decision = 'deleted' WHERE target_id = new.id AND status = 'open';
END;
CREATE TRIGGER IF NOT EXISTS queue_items_comment_deleted AFTER UPDATE OF status ON comments WHEN new.status = 'deleted' AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  UPDATE queue_items SET status = 'decided', decision = 'deleted' WHERE target_id = new.id AND status = 'open';
END;

CREATE TABLE IF NOT EXISTS rules (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  title        TEXT    NOT NULL,
  text         TEXT    NOT NULL,
  active       INTEGER NOT NULL,
  changed_by   INTEGER NOT NULL,
  changed_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS rules_community ON rules (community_id, active);

CREATE TABLE IF NOT EXISTS rule_hits (
  target_id    INTEGER NOT NULL,
  rule_id      INTEGER NOT NULL,
  site         INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  title        TEXT    NOT NULL,
  answer       TEXT    NOT NULL,
  queued       INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  later        INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (target_id, rule_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rule_hits_age ON rule_hits (created_at);

CREATE TABLE IF NOT EXISTS rule_counts (
  site    INTEGER NOT NULL,
  rule_id INTEGER NOT NULL,
  hits    INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (site, rule_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS rule_hits_counted AFTER INSERT ON rule_hits WHEN new.later = 0 AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO rule_counts (site, rule_id, hits, last_at) VALUES (new.site, new.rule_id, 1, new.created_at)
  ON CONFLICT (site, rule_id) DO UPDATE SET hits = hits + 1, last_at = excluded.last_at;
END;
CREATE TRIGGER IF NOT EXISTS rule_hits_queued AFTER INSERT ON rule_hits WHEN new.queued = 1 AND new.later = 0 AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO queue_items (target_id, community_id, reports, came_at, hits) VALUES (new.target_id, new.community_id, 0, new.created_at, 1)
  ON CONFLICT (target_id) DO UPDATE SET hits = iif(status = 'open', hits + 1, 1), reports = iif(status = 'open', reports, 0), weight = iif(status = 'open', weight, 0),
    came_at = iif(status = 'open', came_at, excluded.came_at), held = iif(status = 'open', held, 0),
    status = 'open', decision = '', decided_by = NULL, decided_at = NULL WHERE decision <> 'ignore';
END;

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

CREATE TABLE IF NOT EXISTS bulk_writes (
  id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;

CREATE TABLE IF NOT EXISTS copied_writes (
  id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;
CREATE TABLE IF NOT EXISTS count_deltas (
  post_id    INTEGER NOT NULL,
  parent_id  INTEGER NOT NULL,
  path       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (post_id, path)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS comments_added AFTER INSERT ON comments WHEN new.held = 0 AND NOT EXISTS (SELECT 1 FROM bulk_writes) AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO count_deltas (post_id, parent_id, path, created_at)
  VALUES (new.post_id, new.parent_id, new.path, new.created_at) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS comments_shown AFTER UPDATE OF held ON comments WHEN old.held <> 0 AND new.held = 0 AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO count_deltas (post_id, parent_id, path, created_at)
  VALUES (new.post_id, new.parent_id, new.path, new.created_at) ON CONFLICT DO NOTHING;
END;
CREATE VIEW IF NOT EXISTS post_activity AS SELECT id, comments, comments_step, commented_at, active, created_at FROM posts;
CREATE TRIGGER IF NOT EXISTS post_activity_moved INSTEAD OF UPDATE ON post_activity WHEN new.active <> old.active AND new.comments_step <> old.comments_step BEGIN
  UPDATE posts SET comments = new.comments, comments_step = new.comments_step, commented_at = new.commented_at, active = new.active WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS post_activity_active INSTEAD OF UPDATE ON post_activity WHEN new.active <> old.active AND new.comments_step = old.comments_step BEGIN
  UPDATE posts SET comments = new.comments, commented_at = new.commented_at, active = new.active WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS post_activity_step INSTEAD OF UPDATE ON post_activity WHEN new.active = old.active AND new.comments_step <> old.comments_step BEGIN
  UPDATE posts SET comments = new.comments, comments_step = new.comments_step, commented_at = new.commented_at WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS post_activity_counted INSTEAD OF UPDATE ON post_activity WHEN new.active = old.active AND new.comments_step = old.comments_step BEGIN
  UPDATE posts SET comments = new.comments, commented_at = new.commented_at WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS comments_activity_changed AFTER UPDATE OF status, held ON comments
WHEN (old.status = 'published' AND old.held = 0) <> (new.status = 'published' AND new.held = 0) AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  UPDATE posts SET commented_at = n.at, active = max(created_at, coalesce(min(n.others, (created_at + n.others)/2 + 86400000), 0)) FROM (
    SELECT nullif(max(coalesce(o.at, 0), coalesce(a.at, 0)), 0)/60000*60000 AS at, o.at/60000*60000 AS others
    FROM (SELECT (SELECT max(c.created_at) FROM comments c WHERE c.post_id = new.post_id AND c.op = 0 AND c.status = 'published' AND c.held = 0) AS at) o, (SELECT (SELECT max(c.created_at) FROM comments c WHERE c.post_id = new.post_id AND c.op = 1 AND c.status = 'published' AND c.held = 0) AS at) a) n
  WHERE id = new.post_id AND (commented_at, active) IS NOT (n.at, max(created_at, coalesce(min(n.others, (created_at + n.others)/2 + 86400000), 0)));
END;
CREATE TRIGGER IF NOT EXISTS standings_comment_changed AFTER UPDATE OF status, held ON comments
WHEN new.author_id IS NOT NULL AND (new.status = 'published' AND new.held = 0) - (old.status = 'published' AND old.held = 0) <> (old.held <> 0 AND new.held = 0) AND NOT EXISTS (SELECT 1 FROM copied_writes) BEGIN
  INSERT INTO standings (community_id, user_id, comments)
  SELECT p.community_id, new.author_id, (new.status = 'published' AND new.held = 0) - (old.status = 'published' AND old.held = 0) - (old.held <> 0 AND new.held = 0)
  FROM posts p WHERE p.id = new.post_id
  ON CONFLICT (community_id, user_id) DO UPDATE SET comments = comments + excluded.comments;
END;

CREATE TABLE IF NOT EXISTS member_notes (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  author_id    INTEGER NOT NULL,
  body         TEXT    NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS member_notes_listed ON member_notes (user_id, community_id);
CREATE INDEX IF NOT EXISTS member_notes_author ON member_notes (author_id);

CREATE TABLE IF NOT EXISTS author_karma (
  author_id INTEGER PRIMARY KEY,
  name_key  TEXT    NOT NULL UNIQUE,
  posts     INTEGER NOT NULL DEFAULT 0,
  comments  INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS karma_changed (
  author_id INTEGER PRIMARY KEY
) STRICT;
CREATE TRIGGER IF NOT EXISTS author_karma_begun AFTER INSERT ON author_karma WHEN new.posts + new.comments <> 0 BEGIN
  INSERT INTO karma_changed (author_id) VALUES (new.author_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS author_karma_moved AFTER UPDATE OF posts, comments ON author_karma WHEN new.posts + new.comments <> old.posts + old.comments BEGIN
  INSERT INTO karma_changed (author_id) VALUES (new.author_id) ON CONFLICT DO NOTHING;
END;
CREATE TABLE IF NOT EXISTS site_settings (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  archive  INTEGER NOT NULL,
  body     TEXT    NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS site_pages (
  name     TEXT    PRIMARY KEY,
  revision INTEGER NOT NULL,
  body     TEXT    NOT NULL,
  body_html TEXT   NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS contact_messages (
  id          INTEGER PRIMARY KEY,
  name        TEXT    NOT NULL,
  member      INTEGER NOT NULL,
  email       TEXT    NOT NULL,
  body        TEXT    NOT NULL,
  answered_at INTEGER,
  user_id     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS contact_messages_open ON contact_messages (id) WHERE answered_at IS NULL;
CREATE INDEX IF NOT EXISTS contact_messages_answered ON contact_messages (id) WHERE answered_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS contact_messages_age ON contact_messages (answered_at) WHERE answered_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS contact_messages_user ON contact_messages (user_id) WHERE user_id <> 0;
CREATE VIRTUAL TABLE IF NOT EXISTS search_posts USING fts5 (title, body, facets, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '4');
CREATE VIRTUAL TABLE IF NOT EXISTS search_comments USING fts5 (body, facets, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '4');
CREATE VIRTUAL TABLE IF NOT EXISTS search_communities USING fts5 (name, about, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
CREATE VIRTUAL TABLE IF NOT EXISTS search_people USING fts5 (name, about, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');

CREATE TABLE IF NOT EXISTS search_due (
  first_id INTEGER PRIMARY KEY,
  last_id  INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS search_purges (
  about TEXT    PRIMARY KEY CHECK (about IN ('search_posts', 'search_comments')),
  begun INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS search_common (
  about TEXT    NOT NULL,
  word  TEXT    NOT NULL,
  found INTEGER NOT NULL,
  PRIMARY KEY (about, word)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS search_posts_terms USING fts5vocab (search_posts, row);
CREATE VIRTUAL TABLE IF NOT EXISTS search_comments_terms USING fts5vocab (search_comments, row);
CREATE VIEW IF NOT EXISTS post_words AS
SELECT p.id, iif(p.words = '', p.title, p.words) AS title,
  coalesce(iif(t.words = '', t.text, t.words), '') || ' ' || p.domain || iif(p.link_key = '' OR p.link_key GLOB 'post:*', '', ' ' || p.link_key)
    AS body,
  'c' || p.community_id || coalesce(' u' || p.author_id, '') || ' k' || p.kind || coalesce((WITH RECURSIVE above (d) AS (SELECT p.domain
    UNION ALL SELECT substr(d, instr(d, '.') + 1) FROM above WHERE instr(d, '.') > 0)
    SELECT group_concat(' d' || hex(d), '') FROM above WHERE d = p.domain AND d <> '' OR instr(d, '.') > 0), '')
    || iif(p.link_key = '' OR p.link_key GLOB 'post:*', '', ' l' || hex(substr(p.link_key, -20))) || iif(p.score < 10, '', ' s' || length(p.score))
    || coalesce((SELECT group_concat(' t' || hex(j.value), '') FROM json_each(iif(p.tags = '', '[]', '["' || replace(p.tags, ' ', '","') || '"]')) j), '') AS facets
FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id WHERE p.status IN ('published', 'archived');
CREATE VIEW IF NOT EXISTS comment_words AS
SELECT c.id, iif(c.words = '', c.body, c.words) AS body,
  'c' || p.community_id || coalesce(' u' || c.author_id, '') || iif(c.score < 10, '', ' s' || length(c.score)) AS facets
FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.status = 'published' AND c.held = 0;
CREATE VIEW IF NOT EXISTS community_words AS
SELECT c.id, c.name || ' ' || iif(c.words = '', c.title, c.words) AS name, iif(c.about_words = '', c.description, c.about_words) AS about
FROM communities c WHERE c.kind = 'community';
CREATE VIEW IF NOT EXISTS person_words AS
SELECT u.id, u.username AS name, iif(u.words = '', u.bio, u.words) AS about
FROM users u WHERE u.status = 'active' AND u.username <> '' AND u.waiting IS NULL;
CREATE TRIGGER IF NOT EXISTS search_posts_made AFTER INSERT ON posts WHEN new.status IN ('published', 'archived') AND new.excerpt = '' BEGIN
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_posts_changed AFTER UPDATE OF status, title, words, kind, domain, link_key, author_id, score, tags ON posts
WHEN (new.status IN ('published', 'archived') OR old.status IN ('published', 'archived')) AND (new.status <> old.status OR new.title <> old.title OR new.words <> old.words OR new.kind <> old.kind
  OR new.domain <> old.domain OR new.link_key <> old.link_key OR new.tags <> old.tags OR new.author_id IS NOT old.author_id OR length(max(new.score, 0)) <> length(max(old.score, 0))) BEGIN
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
CREATE TRIGGER IF NOT EXISTS search_texts_changed AFTER UPDATE OF text, words ON post_texts WHEN new.text <> old.text OR new.words <> old.words BEGIN
  DELETE FROM search_posts WHERE rowid = new.post_id;
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = new.post_id;
END;
CREATE TRIGGER IF NOT EXISTS search_texts_gone AFTER DELETE ON post_texts WHEN old.text <> '' BEGIN
  DELETE FROM search_posts WHERE rowid = old.post_id;
  INSERT INTO search_posts (rowid, title, body, facets) SELECT id, title, body, facets FROM post_words WHERE id = old.post_id;
END;
CREATE TRIGGER IF NOT EXISTS search_comments_made AFTER INSERT ON comments WHEN new.status = 'published' AND new.held = 0 AND NOT EXISTS (SELECT 1 FROM bulk_writes) BEGIN
  INSERT INTO search_comments (rowid, body, facets) SELECT id, body, facets FROM comment_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_comments_changed AFTER UPDATE OF body, words, status, held, author_id, score ON comments
WHEN new.body <> old.body OR new.words <> old.words OR new.status <> old.status OR new.held <> old.held OR new.author_id IS NOT old.author_id
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
CREATE TRIGGER IF NOT EXISTS search_communities_changed AFTER UPDATE OF name, title, description, words, about_words ON communities
WHEN new.name <> old.name OR new.title <> old.title OR new.description <> old.description OR new.words <> old.words
  OR new.about_words <> old.about_words BEGIN
  DELETE FROM search_communities WHERE rowid = new.id;
  INSERT INTO search_communities (rowid, name, about) SELECT id, name, about FROM community_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_communities_gone AFTER DELETE ON communities BEGIN
  DELETE FROM search_communities WHERE rowid = old.id;
END;
CREATE TRIGGER IF NOT EXISTS search_people_made AFTER INSERT ON users BEGIN
  INSERT INTO search_people (rowid, name, about) SELECT id, name, about FROM person_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_people_changed AFTER UPDATE OF username, bio, words, status, waiting ON users
WHEN new.username <> old.username OR new.bio <> old.bio OR new.words <> old.words OR new.status <> old.status OR new.waiting IS NOT old.waiting BEGIN
  DELETE FROM search_people WHERE rowid = new.id;
  INSERT INTO search_people (rowid, name, about) SELECT id, name, about FROM person_words WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS search_people_gone AFTER DELETE ON users BEGIN
  DELETE FROM search_people WHERE rowid = old.id;
END;

CREATE TABLE IF NOT EXISTS health (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  tried_at INTEGER NOT NULL
) STRICT;

-- What the site did: five minutes of an instance, five minutes of the whole site, an hour or a day (data/site/metrics). Directory only.
CREATE TABLE IF NOT EXISTS metrics (
  span     TEXT    NOT NULL CHECK (span IN ('instance', 'minutes', 'hour', 'day')),
  at       INTEGER NOT NULL,                  -- when the time began
  instance INTEGER NOT NULL,                  -- who has counted; 0: the whole site
  body     TEXT    NOT NULL,                  -- JSON of metrics.Batch
  PRIMARY KEY (span, at, instance)
) STRICT, WITHOUT ROWID;
