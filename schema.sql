-- Plaza's tables and indexes. `plaza migrate` makes them in every database. Triggers and views are in triggers.sql. Until 1.0 is released
-- this is step 1 of the schema (data/schema/steps.go). After that each change here is also a step.
--
-- A database is the directory (people, communities, follows), a thread shard (posts, comments and votes of some communities), or, by
-- default, both at once. No statement joins a directory table with a shard table, except `communities`, of which each shard has a copy of
-- its own.
--
-- Ids are 64-bit snowflakes (data/id.go). Times are milliseconds since 1970 UTC.
-- Only markdown.Render writes the texts in *_html.

-- ---------------------------------------------------------------- directory

-- A person who signed up. The keys are the name and the address in lower case, so that Ann and ann are one person. Several accounts may
-- have the same address; one of them can confirm it.
CREATE TABLE IF NOT EXISTS users (
  id            INTEGER PRIMARY KEY,
  username      TEXT    NOT NULL,
  username_key  TEXT    NOT NULL UNIQUE,
  email         TEXT    NOT NULL DEFAULT '',  -- optional: only needed to recover the account
  email_key     TEXT,                         -- NULL without an address
  password_hash TEXT    NOT NULL,             -- PHC string, Argon2id; empty without a password
  status        TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'banned')),
  admin         INTEGER NOT NULL DEFAULT 0,
  bio           TEXT    NOT NULL DEFAULT '',
  bio_html      TEXT    NOT NULL DEFAULT '',
  followers     INTEGER NOT NULL DEFAULT 0,
  following     INTEGER NOT NULL DEFAULT 0,
  unread        INTEGER NOT NULL DEFAULT 0,   -- unread rows of inbox, and told all rows; triggers update both
  created_at    INTEGER NOT NULL,
  email_confirmed_at INTEGER,                 -- when the address in email was confirmed; NULL: it was not
  links         TEXT    NOT NULL DEFAULT '[]', -- JSON array of {label, url}
  avatar        TEXT    NOT NULL DEFAULT '',   -- colour, letter and picture, such as '#00695cK/' and the sum; a missing part is derived from the name
  revision      INTEGER NOT NULL DEFAULT 0,    -- of the settings
  choices       TEXT    NOT NULL DEFAULT '',   -- display settings: JSON of accounts.Choices; '': defaults
  filters       TEXT    NOT NULL DEFAULT '',   -- what lists leave out: JSON of accounts.Filter; '': nothing
  inbox_size    INTEGER NOT NULL DEFAULT 0,    -- rows of inbox; triggers keep it and unread
  credentials   INTEGER NOT NULL DEFAULT 0,    -- counts the changes of password and address; links that were mailed before a change are void
  seen_at       INTEGER NOT NULL DEFAULT 0,    -- when they last opened a page, to a day
  -- Set for an author with too many followers for a fan-out (data/lists/timelines): the follows of followers with ids up to this one are
  -- marked. NULL for all others.
  on_read_to    INTEGER,
  blocked       TEXT    NOT NULL DEFAULT '',   -- members whom the member blocks, see blocks: comma-separated ids
  renamed_at    INTEGER,                       -- when they took their present name; NULL: at sign-up
  renaming      TEXT    NOT NULL DEFAULT '',   -- the previous name, while copies still have it (data/accounts/name_copies.go)
  repainting    INTEGER NOT NULL DEFAULT 0,    -- 1: copies may have the previous avatar
  suspended_until INTEGER,                     -- when a suspension ends; NULL: it does not, or there is none
  suspension    INTEGER,                       -- the entry of moderation_log of the last suspension or ban
  invite_id     INTEGER,                       -- the row of invites that they used; NULL: none
  waiting       TEXT,                          -- their answer at sign-up, until administrators have approved them; NULL: not waiting
  karma         INTEGER NOT NULL DEFAULT 0,    -- copy: the sum of author_karma in all shards (data/accounts/karma.go)
  karma_turn    INTEGER NOT NULL DEFAULT 0,    -- counts the copies
  birth_year    INTEGER,                       -- as stated, if the site has a minimum age; NULL: not asked
  terms         INTEGER NOT NULL DEFAULT 0,    -- the last version of the terms that they accepted; 0: none
  terms_at      INTEGER,                       -- when they did
  origin        TEXT,                          -- account of another site that this one stands for, such as reddit:ann; NULL: none
  unclaimed     INTEGER NOT NULL DEFAULT 0,    -- 1: imported, can't be logged in to until it is claimed
  views         INTEGER NOT NULL DEFAULT 0,    -- of the profile; this and the next two as in posts
  week_views    INTEGER NOT NULL DEFAULT 0,
  views_week    INTEGER NOT NULL DEFAULT 0,
  -- The words of bio for the search index; '': the same as in bio (data/searchwords).
  words         TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS users_origin ON users (origin) WHERE origin IS NOT NULL;
CREATE INDEX IF NOT EXISTS users_waiting ON users (status) WHERE waiting IS NOT NULL;
-- Members who signed up by an invitation.
CREATE INDEX IF NOT EXISTS users_invited ON users (invite_id) WHERE invite_id IS NOT NULL;
-- Members by status, the newest at the end.
CREATE INDEX IF NOT EXISTS users_listed ON users (status) WHERE username <> '';
-- The same by karma. The last column is implicitly the id (see posts_hot).
CREATE INDEX IF NOT EXISTS users_rated ON users (status, karma) WHERE username <> '';
CREATE INDEX IF NOT EXISTS users_suspended ON users (suspended_until) WHERE suspended_until IS NOT NULL;
-- Members whose oldest rows of inbox have to be purged.
CREATE INDEX IF NOT EXISTS users_inbox_size ON users (inbox_size) WHERE inbox_size > 1000;
CREATE INDEX IF NOT EXISTS users_admins ON users (admin) WHERE admin = 1;
-- Members in the order in which they were here, for the job that makes their editions.
CREATE INDEX IF NOT EXISTS users_seen ON users (seen_at);
CREATE UNIQUE INDEX IF NOT EXISTS users_confirmed_email ON users (email_key) WHERE email_confirmed_at IS NOT NULL;
-- Names that look similar (names.SkeletonOf).
CREATE INDEX IF NOT EXISTS users_look ON users (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(username_key,
  '-', ''), '_', ''), '0', 'o'), '1', 'i'), 'l', 'i'), '3', 'e'), '4', 'a'), '5', 's'), '7', 't'), 'rn', 'm'), 'vv', 'w'));

-- Links in mails that log a member in. It has only the token's hash, so a reader of the database can't make the link. A link is void when
-- users.credentials has changed.
CREATE TABLE IF NOT EXISTS mail_links (
  hash        TEXT    PRIMARY KEY,            -- SHA-256 of the token, base64
  kind        TEXT    NOT NULL,
  user_id     INTEGER NOT NULL,
  about       TEXT    NOT NULL,               -- JSON object of texts
  credentials INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  used_by     INTEGER NOT NULL DEFAULT 0      -- the request that used it; 0: none
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mail_links_expiry ON mail_links (expires_at);

-- Former names of members: they redirect to their last member, and other members can't take them for 90 days.
CREATE TABLE IF NOT EXISTS former_names (
  name_key TEXT    PRIMARY KEY,               -- as in users.username_key
  user_id  INTEGER NOT NULL,
  left_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- A member's former names, which are deleted with the account.
CREATE INDEX IF NOT EXISTS former_names_user ON former_names (user_id);

-- Networks from which members have logged in (a keyed hash of each). Wrong passwords by others don't block logins from there.
CREATE TABLE IF NOT EXISTS sign_in_networks (
  user_id INTEGER NOT NULL,
  network TEXT    NOT NULL,
  seen_at INTEGER NOT NULL,                   -- the last time, to a day
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sign_in_networks_seen ON sign_in_networks (seen_at);

-- Passkeys: Web Authentication credentials of members (data/accounts/passkeys).
CREATE TABLE IF NOT EXISTS passkeys (
  id         TEXT    PRIMARY KEY,             -- the credential's, base64url
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,                -- the member's name for it
  public_key TEXT    NOT NULL,                -- COSE_Key, base64url
  sign_count INTEGER NOT NULL,                -- the last one
  last_use   TEXT    NOT NULL DEFAULT '',     -- used_by of the last challenge
  created_at INTEGER NOT NULL,
  used_at    INTEGER,
  copied_at  INTEGER                          -- when sign_count did not grow; it is refused since then
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS passkeys_user ON passkeys (user_id, created_at, id);

-- Members' accounts at other sites to log in with: OpenID Connect's issuer and subject (data/accounts/identities).
CREATE TABLE IF NOT EXISTS identities (
  id         INTEGER PRIMARY KEY,
  issuer     TEXT    NOT NULL,
  subject    TEXT    NOT NULL,
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,                -- the name there, to distinguish several
  created_at INTEGER NOT NULL,
  used_at    INTEGER,
  UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX IF NOT EXISTS identities_user ON identities (user_id, id);

-- Second factors: the secret that a member's authenticator app shares with the site (data/accounts/twofactor), and hashes of the unused
-- recovery codes.
CREATE TABLE IF NOT EXISTS totp (
  user_id    INTEGER PRIMARY KEY,
  secret     TEXT    NOT NULL,                -- base 32
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS recovery_codes (
  user_id INTEGER NOT NULL,
  hash    TEXT    NOT NULL,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

-- Members who have asked for the deletion of their account. A consumer deletes it in steps after begin_at, unless the member logs in before
-- (data/accounts/deletion). The row of users stays, empty except for its id, because votes and posts refer to it. This row reserves the
-- name, and is deleted 90 days later.
CREATE TABLE IF NOT EXISTS account_deletions (
  user_id  INTEGER PRIMARY KEY,
  username TEXT    NOT NULL,
  name_key TEXT    NOT NULL,
  content  TEXT    NOT NULL CHECK (content IN ('keep', 'delete')), -- posts and comments
  asked_at INTEGER NOT NULL,
  begin_at INTEGER NOT NULL,
  left_at  INTEGER,                           -- when the account was emptied; NULL: the deletion can still be cancelled
  due_at   INTEGER                            -- when the retry job sends the message of its steps; NULL: all are done
) STRICT;
CREATE INDEX IF NOT EXISTS account_deletions_name ON account_deletions (name_key);
CREATE INDEX IF NOT EXISTS account_deletions_due ON account_deletions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS account_deletions_left ON account_deletions (left_at) WHERE left_at IS NOT NULL;

-- Used one-time tokens: challenges of passkeys, states of a login at another site, codes (data/accounts/onetime). used_by is the request
-- that used the token. Rows are deleted when the token has expired by itself.
CREATE TABLE IF NOT EXISTS used_nonces (
  token      TEXT    PRIMARY KEY,
  used_by    TEXT    NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS used_nonces_expiry ON used_nonces (expires_at);

-- Calls counted while Redis is down, for the limits of logging in and signing up (data/site/ratelimit/limit.go). window is the number of
-- the time window; before is the count of the previous one.
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

-- Sessions are signed cookies without a look-up; this table has the exceptions, in every database, so that any write can check them in its
-- own statement. subject is the id of a session (logged out), of an API token, or of a user (suspended, password changed): sessions and
-- tokens that were issued before `before` are void. Rows are deleted when all such cookies and tokens have expired.
CREATE TABLE IF NOT EXISTS revocations (
  subject    INTEGER PRIMARY KEY,
  before     INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS revocations_expiry ON revocations (expires_at);

-- Sessions that members can see and end. A session is valid by its signed cookie and revocations, not by this list
-- (data/accounts/sessions/session.go). A row is deleted when the session is ended, and some time after it has expired.
CREATE TABLE IF NOT EXISTS sessions (
  id         INTEGER PRIMARY KEY,             -- the cookie's
  user_id    INTEGER NOT NULL,
  started_at INTEGER NOT NULL,                -- when the member logged in
  issued_at  INTEGER NOT NULL,                -- the cookie's, which revocations are compared with
  seen_at    INTEGER NOT NULL,                -- the start of its last day of use, UTC
  device     TEXT    NOT NULL,                -- such as Firefox on Linux
  network    TEXT    NOT NULL,                -- at the login, as ranking.NetworkOf; '' unknown
  way        TEXT    NOT NULL                 -- how the member logged in: password, passkey, mail, the label of a provider; '' not known
) STRICT;
CREATE INDEX IF NOT EXISTS sessions_user ON sessions (user_id, seen_at);
CREATE INDEX IF NOT EXISTS sessions_seen ON sessions (seen_at);

-- API tokens, by which programs act for members (data/accounts/sessions/token.go). It has only a hash, so a reader of the database can't
-- make the token. A row is deleted when its token has ended or expired.
CREATE TABLE IF NOT EXISTS tokens (
  id         INTEGER PRIMARY KEY,             -- in revocations, like a session's
  user_id    INTEGER NOT NULL,
  hash       TEXT    NOT NULL,                -- SHA-256 of the token, base64
  name       TEXT    NOT NULL,                -- the member's name for it
  scopes     TEXT    NOT NULL,                -- permissions: names of sessions.Scope, space separated
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER                          -- the start of its last day of use, UTC; NULL: never
) STRICT;
CREATE INDEX IF NOT EXISTS tokens_user ON tokens (user_id, id);
CREATE INDEX IF NOT EXISTS tokens_expiry ON tokens (expires_at);

-- Members' subscriptions to communities.
CREATE TABLE IF NOT EXISTS subscriptions (
  user_id      INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (user_id, community_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS subscriptions_community ON subscriptions (community_id, user_id);
CREATE INDEX IF NOT EXISTS subscriptions_age ON subscriptions (created_at);

-- Rows later than since count as new: subscriptions in the directory (communities.growth), posts in a shard (community_stats.week_posts). A
-- job of each minute moves since towards a week ago and subtracts the rows that it passes from the counts, so the counts are always exact
-- for since. Without a row since is 0.
CREATE TABLE IF NOT EXISTS weeks (
  what  TEXT    PRIMARY KEY CHECK (what IN ('members', 'posts')),
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who follows whom; triggers update users.followers and users.following.
CREATE TABLE IF NOT EXISTS follows (
  follower_id INTEGER NOT NULL,
  followee_id INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  on_read     INTEGER NOT NULL DEFAULT 0 CHECK (on_read IN (0, 1)),  -- 1: their posts are merged when the timeline is read
  backfill    INTEGER NOT NULL DEFAULT 0 CHECK (backfill IN (0, 1)), -- 1: their newest posts are not yet written into the timeline
  PRIMARY KEY (follower_id, followee_id),
  CHECK (follower_id <> followee_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS follows_followee ON follows (followee_id, follower_id);
CREATE INDEX IF NOT EXISTS follows_on_read ON follows (follower_id, created_at) WHERE on_read = 1;
CREATE INDEX IF NOT EXISTS follows_backfill ON follows (follower_id) WHERE backfill = 1;

-- The tags that members follow. Their posts are merged when a timeline is read (data/lists/listings/home_tags.go).
CREATE TABLE IF NOT EXISTS tag_follows (
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

-- Timelines, as members read them at /home: posts of the members they follow, written here when they are published (data/lists/timelines).
-- Deleted and removed posts stay until newer ones replace them, and are skipped on read.
CREATE TABLE IF NOT EXISTS timeline (
  user_id   INTEGER NOT NULL,
  posted_at INTEGER NOT NULL,                 -- posts.created_at
  post_id   INTEGER NOT NULL,
  author_id INTEGER NOT NULL,
  PRIMARY KEY (user_id, posted_at, post_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS moderators (
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  username     TEXT    NOT NULL,              -- copy
  created_at   INTEGER NOT NULL,
  -- The default is the role of a community's creator.
  role         TEXT    NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'moderator', 'approver')),
  PRIMARY KEY (community_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS moderators_user ON moderators (user_id, community_id);

-- Open invitations to moderate a community.
CREATE TABLE IF NOT EXISTS moderator_invitations (
  user_id      INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  role         TEXT    NOT NULL CHECK (role IN ('owner', 'moderator', 'approver')),
  inviter_id   INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (user_id, community_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS moderator_invitations_community ON moderator_invitations (community_id);

-- Pages that moderators of a community write (data/content/wiki): their present content. wiki_revisions has that too, and the history.
CREATE TABLE IF NOT EXISTS wiki_pages (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  slug         TEXT    NOT NULL,              -- of the address; made from the first title, and stays
  title        TEXT    NOT NULL,
  revision     INTEGER NOT NULL,              -- wiki_revisions.number of this content
  deleted_at   INTEGER,                       -- NULL: it is public
  text         TEXT    NOT NULL,              -- Markdown as typed. The long columns come last: lists don't read them
  html         TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS wiki_pages_slug ON wiki_pages (community_id, slug);
CREATE INDEX IF NOT EXISTS wiki_pages_deleted ON wiki_pages (community_id, deleted_at) WHERE deleted_at IS NOT NULL;
-- The revisions of pages, with their authors.
CREATE TABLE IF NOT EXISTS wiki_revisions (
  page_id    INTEGER NOT NULL REFERENCES wiki_pages (id) ON DELETE CASCADE,
  number     INTEGER NOT NULL,                -- in the page, from 1; the oldest are deleted
  author_id  INTEGER,                         -- NULL: imported
  created_at INTEGER NOT NULL,
  restored   INTEGER,                         -- number of the revision that it restored; NULL: none
  title      TEXT    NOT NULL,
  text       TEXT    NOT NULL,
  PRIMARY KEY (page_id, number)
) STRICT, WITHOUT ROWID;
-- An author's revisions, for the export of their data.
CREATE INDEX IF NOT EXISTS wiki_revisions_author ON wiki_revisions (author_id) WHERE author_id IS NOT NULL;

-- Invitations to sign up. Used ones stay, for the tree of invitations.
CREATE TABLE IF NOT EXISTS invites (
  id         INTEGER PRIMARY KEY,
  code       TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL,  -- the inviting member
  uses       INTEGER NOT NULL,  -- how many users may sign up by it
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS invites_user ON invites (user_id, expires_at);
-- Administrators' decisions about all members below one in the tree of invitations, until they are applied
-- (data/accounts/suspensions/invite_tree.go); and the members who are not decided yet.
CREATE TABLE IF NOT EXISTS branch_decisions (
  id         INTEGER PRIMARY KEY,
  user_id    INTEGER NOT NULL,                -- the root of the tree
  actor_id   INTEGER NOT NULL,
  action     TEXT    NOT NULL,                -- as in moderation_log
  rule       TEXT    NOT NULL,
  note       TEXT    NOT NULL,
  until      INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS branch_members (
  decision_id INTEGER NOT NULL,
  user_id     INTEGER NOT NULL,
  PRIMARY KEY (decision_id, user_id)
) STRICT, WITHOUT ROWID;

-- Mails to send, until they are sent or given up. key identifies the mail, so that it is enqueued once; a row stays for a week for that. It
-- goes to address, or to the confirmed address of user_id. When it is sent or given up, due_at is NULL and address and about are empty.
CREATE TABLE IF NOT EXISTS mails (
  id       INTEGER PRIMARY KEY,
  key      TEXT    NOT NULL UNIQUE,
  kind     TEXT    NOT NULL,
  user_id  INTEGER NOT NULL,                  -- 0: it concerns an address alone
  address  TEXT    NOT NULL,
  about    TEXT    NOT NULL,                  -- JSON object of texts
  attempts INTEGER NOT NULL DEFAULT 0,
  queued_at INTEGER NOT NULL,
  due_at   INTEGER,                           -- when the retry job sends its message again; NULL when it was sent or is given up
  given_up INTEGER NOT NULL DEFAULT 0,        -- 1: it was never sent
  counted_for TEXT NOT NULL DEFAULT ''        -- the kind and keyed hashes of mailbox and requester, for mails that visitors can request (worker/request/mail_bound.go)
) STRICT;
CREATE INDEX IF NOT EXISTS mails_due ON mails (due_at) WHERE due_at IS NOT NULL;
-- The recent mails to a mailbox.
CREATE INDEX IF NOT EXISTS mails_counted ON mails (counted_for, id) WHERE counted_for <> '';

-- Notifications: a row for each member and post or comment, written by consumers of outbox jobs (data/events/inbox). Ids ascend in the
-- order of notifications, and are never used again, because mails and pages store the last id that they included. So when the row with the
-- last id is deleted, a row of user 0 with that id replaces it. (AUTOINCREMENT does the same, but writes one more row for each.) Rows are
-- deleted after 180 days, and a member's oldest beyond 1,000.
CREATE TABLE IF NOT EXISTS inbox (
  id             INTEGER PRIMARY KEY,
  user_id        INTEGER NOT NULL,
  kind           TEXT    NOT NULL CHECK (kind IN ('reply', 'mention', 'thread')), -- why: the first of these that applies; thread for an event
  subject_id     INTEGER NOT NULL,            -- the post or comment; for an event the entry of moderation_log, or a number that replaces it (inbox.SyntheticSubject)
  post_id        INTEGER NOT NULL,            -- its thread; another number for an event without a thread
  community_name TEXT    NOT NULL,            -- copies of the thread's
  slug           TEXT    NOT NULL,
  title          TEXT    NOT NULL,
  author_id      INTEGER,                     -- who wrote the post or comment
  excerpt        TEXT    NOT NULL,            -- its first words, plain
  unread         INTEGER NOT NULL DEFAULT 1,
  created_at     INTEGER NOT NULL,            -- by the database's clock
  event          TEXT    NOT NULL DEFAULT '', -- what happened (inbox.Event); '' for what others wrote
  about_id       INTEGER NOT NULL DEFAULT 0,  -- for an event: the post, comment or member of the decision
  read_to        INTEGER NOT NULL DEFAULT 0   -- set when everything up to this row was marked as read, which can be undone; else 0
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS inbox_subject ON inbox (post_id, subject_id, user_id);
CREATE INDEX IF NOT EXISTS inbox_listed ON inbox (user_id, kind);
CREATE INDEX IF NOT EXISTS inbox_events ON inbox (user_id) WHERE event <> '';
CREATE INDEX IF NOT EXISTS inbox_unread ON inbox (user_id, subject_id) WHERE unread = 1;

-- A conversation between a member and the moderators of a community, or the administrators (data/moderation/modmail). Its messages never
-- change.
CREATE TABLE IF NOT EXISTS conversations (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,              -- 0: with the administrators
  user_id      INTEGER NOT NULL,              -- the member
  subject      TEXT    NOT NULL,
  about        TEXT    NOT NULL,              -- address of its post or comment; '' none
  status       TEXT    NOT NULL CHECK (status IN ('open', 'answered', 'closed')), -- open: moderators have to reply
  taken_by     INTEGER,                       -- the moderator with the last message
  said_at      INTEGER NOT NULL,              -- when the last message was written
  decision_id  INTEGER NOT NULL DEFAULT 0,    -- the entry of moderation_log that it appeals against; 0 none
  decider_id   INTEGER NOT NULL DEFAULT 0,    -- who has made that decision
  verdict      TEXT    NOT NULL DEFAULT ''    -- upheld or overturned; '' while the appeal is open
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
  side            TEXT    NOT NULL CHECK (side IN ('member', 'moderators', 'note')), -- note: only moderators see it
  body            TEXT    NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS conversation_messages_of ON conversation_messages (conversation_id);
CREATE INDEX IF NOT EXISTS conversation_messages_author ON conversation_messages (author_id);

-- Threads that members follow, to be notified of every comment, or have muted, to be notified of none. The time of a comment decides: a
-- member who has ended a mute is not notified of comments from before that, so the row stays for a day.
CREATE TABLE IF NOT EXISTS watches (
  user_id    INTEGER NOT NULL,
  post_id    INTEGER NOT NULL,
  path       TEXT    NOT NULL,                -- communities.name_key/posts.slug, for the look-up by the thread's page
  muted      INTEGER NOT NULL CHECK (muted IN (0, 1)), -- 0: followed
  created_at INTEGER NOT NULL,                -- since when, by the database's clock
  quiet_from INTEGER,                         -- when it was last muted; NULL: never
  quiet_to   INTEGER,                         -- when that ended; NULL: it did not. With muted 1 the row has no other meaning any more
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS watches_path ON watches (user_id, path);
CREATE INDEX IF NOT EXISTS watches_followed ON watches (post_id, user_id) WHERE muted = 0;
CREATE INDEX IF NOT EXISTS watches_muted ON watches (post_id) WHERE muted = 1;
CREATE INDEX IF NOT EXISTS watches_ended ON watches (quiet_to) WHERE muted = 1 AND quiet_to IS NOT NULL;

-- Members' choices of mails about notifications: at once, in a digest, or not. Without a row: replies and mentions at once
-- (data/events/inbox/mail.go).
CREATE TABLE IF NOT EXISTS mail_choices (
  user_id   INTEGER PRIMARY KEY,
  replies   TEXT    NOT NULL CHECK (replies IN ('now', 'digest', 'none')),
  mentions  TEXT    NOT NULL CHECK (mentions IN ('now', 'digest', 'none')),
  threads   TEXT    NOT NULL CHECK (threads IN ('now', 'digest', 'none')),
  days      INTEGER NOT NULL CHECK (days IN (1, 7)), -- between two digests
  digest_at INTEGER,                          -- when the next is due; NULL: no digest
  digest_to INTEGER NOT NULL                  -- the last row of inbox in the last digest
) STRICT;
CREATE INDEX IF NOT EXISTS mail_choices_due ON mail_choices (digest_at) WHERE digest_at IS NOT NULL;

-- Mails about threads: those to enqueue, and those of the last day.
CREATE TABLE IF NOT EXISTS thread_mails (
  user_id   INTEGER NOT NULL,
  post_id   INTEGER NOT NULL,
  due_at    INTEGER,                          -- NULL: there is nothing to mail
  mailed_to INTEGER NOT NULL,                 -- the last row of inbox in the last mail
  mailed_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS thread_mails_due ON thread_mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS thread_mails_age ON thread_mails (mailed_at) WHERE due_at IS NULL;

-- Devices that show their member's new notifications at once (Web Push, data/events/pushes). Each belongs to the session in which it was
-- added, and is deleted with it. endpoint is the address of the browser's push service; with it and the keys anyone can show messages
-- there.
CREATE TABLE IF NOT EXISTS devices (
  id         INTEGER PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  endpoint   TEXT    NOT NULL,
  public_key TEXT    NOT NULL,                -- p256dh and auth of the subscription, base64url
  secret     TEXT    NOT NULL,
  name       TEXT    NOT NULL,                -- such as "Firefox on Linux"
  created_at INTEGER NOT NULL,
  last_push_at INTEGER                        -- when its push service accepted the last message
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS devices_endpoint ON devices (endpoint);
CREATE INDEX IF NOT EXISTS devices_user ON devices (user_id, id);
CREATE INDEX IF NOT EXISTS devices_session ON devices (session_id);

-- Members' choices of what their devices show. Without a row: everything.
CREATE TABLE IF NOT EXISTS push_choices (
  user_id  INTEGER PRIMARY KEY,
  replies  INTEGER NOT NULL CHECK (replies IN (0, 1)),
  mentions INTEGER NOT NULL CHECK (mentions IN (0, 1)),
  threads  INTEGER NOT NULL CHECK (threads IN (0, 1))
) STRICT;

-- Messages to devices, one for each device and thread, until they are sent or given up. A message is about the rows of inbox after since,
-- up to upto. A row of inbox is added here once, when it is made.
CREATE TABLE IF NOT EXISTS pushes (
  id        INTEGER PRIMARY KEY,
  device_id INTEGER NOT NULL,
  post_id   INTEGER NOT NULL,
  since     INTEGER NOT NULL,
  upto      INTEGER NOT NULL,
  came_at   INTEGER NOT NULL,                 -- when upto was made
  attempts  INTEGER NOT NULL DEFAULT 0,
  asked     INTEGER NOT NULL DEFAULT 0,       -- 1: a message of the queue is on its way, and the first that arrives begins
  due_at    INTEGER NOT NULL                  -- when a message of the queue is sent, and sent again if it was lost
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS pushes_thread ON pushes (device_id, post_id);
CREATE INDEX IF NOT EXISTS pushes_due ON pushes (due_at);

-- Pictures that members have uploaded (data/content/pictures). Their bytes are in the bucket, under the sum. A row exists before the bytes
-- do, and as long as they do.
CREATE TABLE IF NOT EXISTS pictures (
  sum        TEXT    PRIMARY KEY,             -- SHA-256 of the bytes, hexadecimal
  type       TEXT    NOT NULL,                -- such as image/webp
  width      INTEGER NOT NULL,                -- in pixels, as it is shown
  height     INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,
  -- small, colour and hash come from the browser of user_id, and may be false. small and colour are used only for posts of that member.
  small      INTEGER NOT NULL CHECK (small IN (0, 1)), -- 1: the bucket has a small version, too
  colour     TEXT    NOT NULL,                -- the dominant colour, such as '#00695c'; '' not known
  hash       INTEGER,                         -- difference hash, 64 bits; NULL: not known
  user_id    INTEGER,                         -- who uploaded it first; NULL: a deleted account
  created_at INTEGER NOT NULL,
  -- uploading: the bytes may not be in the bucket yet; deleting: the job deletes them. In both states it can't get a new use.
  state      TEXT    NOT NULL CHECK (state IN ('uploading', 'stored', 'deleting')),
  check_at   INTEGER,                         -- when the job checks whether it is in use; NULL: it is
  taken      TEXT                             -- JSON array of [kind, subject_id] of the picture_uses that blocks have removed; NULL: none
) STRICT, WITHOUT ROWID;
-- The key, sum, is the last column of each.
CREATE INDEX IF NOT EXISTS pictures_new ON pictures (created_at);
CREATE INDEX IF NOT EXISTS pictures_user ON pictures (user_id, created_at) WHERE user_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_large ON pictures (bytes);
CREATE INDEX IF NOT EXISTS pictures_check ON pictures (check_at) WHERE check_at IS NOT NULL;
-- The four quarters of the hash, which find similar pictures (data/content/pictures/likeness.go).
CREATE INDEX IF NOT EXISTS pictures_like0 ON pictures (hash >> 48 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_like1 ON pictures (hash >> 32 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_like2 ON pictures (hash >> 16 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_like3 ON pictures (hash >> 0 & 65535) WHERE hash IS NOT NULL;
-- The number and bytes of the pictures that a member has uploaded first; with user_id 0 those of the whole site.
CREATE TABLE IF NOT EXISTS picture_totals (
  user_id  INTEGER PRIMARY KEY,
  pictures INTEGER NOT NULL,
  bytes    INTEGER NOT NULL
) STRICT;

-- Blocked pictures, on the site or in a community. Similar pictures are added to the queue (data/moderation/pictureblocks).
CREATE TABLE IF NOT EXISTS picture_blocks (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,              -- 0: on the whole site
  sum          TEXT    NOT NULL,              -- as in pictures
  hash         INTEGER,                       -- as in pictures, when it was blocked; NULL: not known
  target_id    INTEGER NOT NULL,              -- the post or comment whose removal blocked it; 0: none
  rule         TEXT    NOT NULL,              -- title of the rule that it violates
  actor_id     INTEGER NOT NULL               -- who has blocked it
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS picture_blocks_sum ON picture_blocks (sum, community_id);
CREATE INDEX IF NOT EXISTS picture_blocks_new ON picture_blocks (community_id);
CREATE INDEX IF NOT EXISTS picture_blocks_target ON picture_blocks (target_id) WHERE target_id <> 0;
-- As in pictures.
CREATE INDEX IF NOT EXISTS picture_blocks_like0 ON picture_blocks (hash >> 48 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS picture_blocks_like1 ON picture_blocks (hash >> 32 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS picture_blocks_like2 ON picture_blocks (hash >> 16 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS picture_blocks_like3 ON picture_blocks (hash >> 0 & 65535) WHERE hash IS NOT NULL;

-- Notices by people without an account about something on the site, such as that it is illegal (data/moderation/legalnotices). Rows are deleted
-- after two days if they are not confirmed, and 180 days after the decision.
CREATE TABLE IF NOT EXISTS legal_notices (
  id         INTEGER PRIMARY KEY,
  target_id  INTEGER NOT NULL,              -- id of a post, comment or member
  kind       TEXT    NOT NULL CHECK (kind IN ('illegal', 'rights', 'personal')),
  text       TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  email      TEXT    NOT NULL,
  mailbox    TEXT    NOT NULL,              -- the mailbox of email: credentials.Owner
  language   TEXT    NOT NULL DEFAULT '',   -- the tag of the sender's language, for mails; '': English
  status     TEXT    NOT NULL CHECK (status IN ('unconfirmed', 'open', 'decided', 'objected', 'closed')),  -- open: in the queue; objected: in the queue again
  decision   TEXT    NOT NULL DEFAULT '',   -- as in queue_items
  decided_at INTEGER,
  checked_at INTEGER NOT NULL DEFAULT 0,    -- the last check of the queue for it
  objected_at INTEGER                       -- when the sender objected to the decision; NULL: never
) STRICT;
CREATE INDEX IF NOT EXISTS legal_notices_target ON legal_notices (target_id);
CREATE INDEX IF NOT EXISTS legal_notices_unconfirmed ON legal_notices (id) WHERE status = 'unconfirmed';
CREATE INDEX IF NOT EXISTS legal_notices_mailbox ON legal_notices (mailbox, id) WHERE status = 'unconfirmed';
CREATE INDEX IF NOT EXISTS legal_notices_waiting ON legal_notices (checked_at) WHERE status IN ('open', 'objected');
CREATE INDEX IF NOT EXISTS legal_notices_old ON legal_notices (decided_at) WHERE decided_at IS NOT NULL AND status IN ('decided', 'closed');

-- The shards of the slots in ids (data/slot.go). All posts of a community are in one slot, and most communities have one of their own. A
-- slot without a row is on the shard with its number.
CREATE TABLE IF NOT EXISTS slots (
  slot  INTEGER PRIMARY KEY CHECK (slot BETWEEN 0 AND 1023),
  shard INTEGER NOT NULL,
  epoch INTEGER NOT NULL                      -- ascends with each change of a row, in one sequence for all
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS slots_epoch ON slots (epoch);
-- The moves of slots to other shards (ops/shards/mover), the last one with the highest id. Only that one can be in progress. Directory only.
CREATE TABLE IF NOT EXISTS slot_moves (
  id     INTEGER PRIMARY KEY,
  slot   INTEGER NOT NULL,
  source INTEGER NOT NULL,                    -- the shards
  target INTEGER NOT NULL,
  community_name TEXT NOT NULL,               -- a community of the slot, for messages
  run    INTEGER NOT NULL,                    -- the process that works on it: each that begins or continues a move has the next number
  begun_at INTEGER NOT NULL,
  ended_at INTEGER                            -- NULL: it is in progress
) STRICT;
-- The slot that moves from or to this shard. Triggers of the move refuse writes to its rows, and its jobs wait in the outbox.
CREATE TABLE IF NOT EXISTS frozen_slots (
  slot   INTEGER PRIMARY KEY CHECK (slot BETWEEN 0 AND 1023),
  run    INTEGER NOT NULL,                    -- slot_moves.run: other processes may not write for the move
  writes INTEGER NOT NULL DEFAULT 0,          -- 1 within a transaction of that process, which the triggers let through
  earned INTEGER NOT NULL DEFAULT 0           -- author_karma includes the karma of authors up to this id in the slot (ops/shards/mover/karma.go)
) STRICT;

-- Messages that no consumer could handle, stored for an administrator. queue is their first queue, to which a replay sends them again.
-- Messages only trigger jobs, so equal texts are one dead letter. Rows are deleted thirty days after the last failure.
CREATE TABLE IF NOT EXISTS dead_letters (
  id          INTEGER PRIMARY KEY,
  queue       TEXT    NOT NULL,
  body        TEXT    NOT NULL,
  message_id  TEXT    NOT NULL,               -- the platform's, of the last message
  failed_at   INTEGER NOT NULL,               -- the first time
  last_at     INTEGER NOT NULL,               -- the last time
  replayed_at INTEGER,                        -- the last replay since then; NULL: none
  UNIQUE (queue, body)
) STRICT;
CREATE INDEX IF NOT EXISTS dead_letters_waiting ON dead_letters (id) WHERE replayed_at IS NULL;
CREATE INDEX IF NOT EXISTS dead_letters_age ON dead_letters (last_at);

-- ------------------------------------------------------ directory and shard

-- A community. The directory's row is authoritative; the community's shard has a copy, by which its pages find the id for a name. The slot
-- in the id determines the shard. A member's profile is such a row, too (data/profile.go), with the name u- and the member's id. It has no
-- subscribers, and lists of communities leave it out.
CREATE TABLE IF NOT EXISTS communities (
  id           INTEGER PRIMARY KEY,
  name         TEXT    NOT NULL,
  name_key     TEXT    NOT NULL UNIQUE,
  kind         TEXT    NOT NULL DEFAULT 'community' CHECK (kind IN ('community', 'profile')),
  title        TEXT    NOT NULL,
  description  TEXT    NOT NULL DEFAULT '',
  sidebar      TEXT    NOT NULL DEFAULT '',
  sidebar_html TEXT    NOT NULL DEFAULT '',
  rules        TEXT    NOT NULL DEFAULT '[]', -- JSON array of {title, text}
  colour       TEXT    NOT NULL,
  icon         TEXT    NOT NULL DEFAULT '',   -- pictures.sum; '': a letter on the colour
  banner       TEXT    NOT NULL DEFAULT '',   -- pictures.sum; '': none
  comment_pictures TEXT NOT NULL DEFAULT '',  -- who may add pictures to comments here: '' for the site's setting, 'trusted' or 'nobody'
  creator_id   INTEGER,
  members      INTEGER NOT NULL DEFAULT 0,
  growth       INTEGER NOT NULL DEFAULT 0,    -- new members of this week, see weeks
  revision     INTEGER,                       -- of the settings, one sequence for all communities; NULL: never changed
  created_at   INTEGER NOT NULL,
  -- The number of open queue_items and quarantines, for the moderators' header. In the community's shard a trigger of community_stats
  -- updates it; a directory that is another database has a copy (data/moderation/reports/count.go).
  waiting      INTEGER NOT NULL DEFAULT 0,
  words        TEXT    NOT NULL DEFAULT '',   -- of title, as in users; only in the directory
  about_words  TEXT    NOT NULL DEFAULT ''    -- of description
) STRICT;
-- The orders of lists of communities, without profiles.
CREATE INDEX IF NOT EXISTS communities_members ON communities (members) WHERE kind = 'community';
CREATE INDEX IF NOT EXISTS communities_growth ON communities (growth) WHERE kind = 'community';
CREATE INDEX IF NOT EXISTS communities_new ON communities (created_at) WHERE kind = 'community';
CREATE UNIQUE INDEX IF NOT EXISTS communities_revision ON communities (revision) WHERE revision IS NOT NULL;
CREATE INDEX IF NOT EXISTS communities_waiting ON communities (waiting) WHERE waiting > 0;
-- A member's communities, for the export of their data.
CREATE INDEX IF NOT EXISTS communities_creator ON communities (creator_id) WHERE creator_id IS NOT NULL;

-- Who blocks whom: the blocker does not see texts of blocked members, and these can't reply to the blocker. The directory's rows are
-- authoritative; each shard has copies, by which statements refuse replies. Triggers update users.blocked, which every page of the blocker
-- reads; a shard has no users.
CREATE TABLE IF NOT EXISTS blocks (
  blocker_id INTEGER NOT NULL,
  blocked_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id),
  CHECK (blocker_id <> blocked_id)
) STRICT, WITHOUT ROWID;

-- The results of forms, so that a form that is sent again, or a transaction whose response was lost, makes nothing twice
-- (data/idempotency.go). In the database of the result. Rows are deleted after a day.
CREATE TABLE IF NOT EXISTS idempotency_keys (
  author_id  INTEGER NOT NULL,                -- 0: an account, which has no author
  key        TEXT    NOT NULL,                -- kind of form and its token
  digest     TEXT    NOT NULL,                -- of the form's content
  result_id  INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (author_id, key)
) STRICT, WITHOUT ROWID;
-- The record of a member's sign-up.
CREATE INDEX IF NOT EXISTS idempotency_keys_account ON idempotency_keys (result_id) WHERE author_id = 0;

-- The present names of members who have taken a new one, in every database. Statements that copy a name read it here, because a cookie may
-- have the former name.
CREATE TABLE IF NOT EXISTS names (
  user_id INTEGER PRIMARY KEY,
  name    TEXT    NOT NULL
) STRICT;

-- The avatars of members who have chosen one, in every database. Statements that copy an avatar read it here.
CREATE TABLE IF NOT EXISTS avatars (
  user_id  INTEGER PRIMARY KEY,
  avatar   TEXT    NOT NULL,                  -- as in users.avatar
  revision INTEGER NOT NULL                   -- users.revision of that time: an older avatar does not replace it
) STRICT;

-- Decisions of moderators and administrators, in the database of their targets: the site's own in the directory, a community's in its shard
-- (data/events/modlog). All except the notes is public.
CREATE TABLE IF NOT EXISTS moderation_log (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,              -- 0: the site's
  action       TEXT    NOT NULL,              -- modlog.Action
  target_id    INTEGER NOT NULL,              -- id of a post, a comment or a member; 0: none
  author_id    INTEGER,                       -- the author of the target, or the member; NULL: none
  rule         TEXT    NOT NULL DEFAULT '',   -- title of the cited rule, or text of a flair; '' none
  note         TEXT    NOT NULL DEFAULT '',   -- message to author_id, not public
  until        INTEGER,                       -- when it expires; NULL: never
  actor_id     INTEGER NOT NULL,
  actor_name   TEXT    NOT NULL,              -- copy
  undone_by    INTEGER,                       -- the entry that reverted it
  clear_from   INTEGER,                       -- for a ban or mute: the member's posts and comments since then are removed; NULL: they stay
  found        TEXT    NOT NULL DEFAULT 'person' CHECK (found IN ('person', 'report', 'notice', 'rule')) -- the origin of the decision
) STRICT;
CREATE INDEX IF NOT EXISTS moderation_log_community ON moderation_log (community_id);
-- Entries about communities in the directory: decisions about their moderators and settings.
CREATE INDEX IF NOT EXISTS moderation_log_house ON moderation_log (community_id) WHERE action IN ('owner', 'moderator', 'approver', 'dismiss', 'resign', 'settings', 'block-picture', 'unblock-picture', 'page-new', 'page-edit', 'page-delete', 'page-restore', 'page-erase');
CREATE INDEX IF NOT EXISTS moderation_log_target ON moderation_log (target_id, action);
CREATE INDEX IF NOT EXISTS moderation_log_author ON moderation_log (author_id, community_id) WHERE author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS moderation_log_actor ON moderation_log (actor_id) WHERE actor_name <> '';
-- How many entries of moderation_log each moderator has made in a month, and how many of those were reverted.
CREATE TABLE IF NOT EXISTS moderation_counts (
  community_id INTEGER NOT NULL,              -- as there
  month        INTEGER NOT NULL,              -- UTC; 202611 is November 2026
  actor_id     INTEGER NOT NULL,              -- as there
  action       TEXT    NOT NULL,
  entries      INTEGER NOT NULL,
  undone       INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (community_id, month, actor_id, action)
) STRICT, WITHOUT ROWID;

-- Counts of each half-year, for the page of numbers (data/moderation/transparency). Changes of the queue, legal notices and appeals are
-- counted here at once, so numbers stay when rows are deleted. A daily job counts the log.
CREATE TABLE IF NOT EXISTS transparency (
  half   INTEGER NOT NULL,                    -- UTC; 20262 is the second half of 2026
  what   TEXT    NOT NULL CHECK (what IN ('decision', 'queue', 'notice', 'objection', 'appeal')),
  kind   TEXT    NOT NULL,                    -- the decision; '': received
  ground TEXT    NOT NULL,                    -- for a decision: the legal ground, 'rule' or ''; for a notice and an objection: its kind
  found  TEXT    NOT NULL,                    -- as in moderation_log; for items that left the queue: report, rule or held
  within INTEGER NOT NULL,                    -- hours that it took at most, one of a few numbers, 1000: longer; 0: not measured
  n      INTEGER NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0,          -- of n
  PRIMARY KEY (half, what, kind, ground, found, within)
) STRICT;

-- -------------------------------------------------------------------- shard

-- Bans and mutes in communities (data/rights/bans): a banned member may only read, a muted one may also vote and report. The statements
-- that write in the community check them. A row that has ended has no effect, and is deleted.
CREATE TABLE IF NOT EXISTS bans (
  id           INTEGER PRIMARY KEY,           -- of the entry in moderation_log of that decision
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  kind         TEXT    NOT NULL CHECK (kind IN ('ban', 'mute')),
  username     TEXT    NOT NULL,              -- copy
  until        INTEGER NOT NULL,              -- when it ends; 2^52: never
  UNIQUE (community_id, user_id)
) STRICT;
-- The last column is implicitly the id (see posts_hot).
CREATE INDEX IF NOT EXISTS bans_listed ON bans (community_id, until);
CREATE INDEX IF NOT EXISTS bans_named ON bans (community_id, username COLLATE NOCASE);
-- A member's bans, which have their name.
CREATE INDEX IF NOT EXISTS bans_user ON bans (user_id);
CREATE INDEX IF NOT EXISTS bans_ended ON bans (until) WHERE until < 4503599627370496;

-- A post without its text, which only its own page reads. Ids are even (data/id.go).
CREATE TABLE IF NOT EXISTS posts (
  id             INTEGER PRIMARY KEY,
  community_id   INTEGER NOT NULL,
  community_name TEXT    NOT NULL,            -- copy
  author_id      INTEGER,                     -- NULL: imported, without an author
  author_name    TEXT    NOT NULL,            -- copy
  slug           TEXT    NOT NULL,
  kind           TEXT    NOT NULL CHECK (kind IN ('text', 'link', 'image')),
  title          TEXT    NOT NULL,
  link           TEXT    NOT NULL DEFAULT '', -- the linked page
  image          TEXT    NOT NULL DEFAULT '', -- address of the picture that it shows
  image_width    INTEGER NOT NULL DEFAULT 0,  -- of that picture in pixels; 0 until it was fetched
  image_height   INTEGER NOT NULL DEFAULT 0,
  domain         TEXT    NOT NULL DEFAULT '', -- of link, else of image
  excerpt        TEXT    NOT NULL DEFAULT '', -- the text's first words, plain
  status         TEXT    NOT NULL DEFAULT 'published'
                 CHECK (status IN ('draft', 'scheduled', 'published', 'archived', 'removed', 'deleted')),
  locked         INTEGER NOT NULL DEFAULT 0,
  nsfw           INTEGER NOT NULL DEFAULT 0,
  spoiler        INTEGER NOT NULL DEFAULT 0,
  base_ups       INTEGER NOT NULL DEFAULT 0,  -- from the import; ups = base_ups + votes of 1
  base_downs     INTEGER NOT NULL DEFAULT 0,
  ups            INTEGER NOT NULL DEFAULT 0,
  downs          INTEGER NOT NULL DEFAULT 0,
  score          INTEGER NOT NULL DEFAULT 0,
  hot            REAL    NOT NULL,            -- ranking.Hot; post_counters says when votes update score, hot and controversy
  controversy    REAL    NOT NULL DEFAULT 0,  -- ranking.Controversy
  comments       INTEGER NOT NULL DEFAULT 0,
  -- The number of comments for sorting, off by at most a 32nd, so that most comments write no index entries.
  comments_step  INTEGER NOT NULL DEFAULT 0,
  -- When its last visible comment was written, to a minute; NULL: there is none. active is ranking.Active of the last one that was not
  -- written by the author of the post. The delta run updates both for new comments, a trigger when one is shown or removed.
  commented_at   INTEGER,
  active         INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL,
  -- The youngest window it is in: 0 hour, 1 day, 2 week, 3 month, 4 year, 5 none of them. A job raises it in time; it may be too low, never
  -- too high (data/content/posts/age.go).
  age            INTEGER NOT NULL DEFAULT 0 CHECK (age BETWEEN 0 AND 5),
  edited_at      INTEGER,
  -- What it is about: the key (weburl.Key) of link or image, or of a crosspost's original; else ''.
  link_key       TEXT    NOT NULL DEFAULT '',
  crosspost_of   INTEGER,                     -- the original of a crosspost, on any shard; NULL otherwise
  crosspost      TEXT,                       -- copy of that post's address, title and author: JSON of posts.Original
  publish_at     INTEGER,                     -- of a scheduled post
  source         TEXT,                        -- its id at the site it was imported from; NULL otherwise
  pinned_at      INTEGER,                     -- when a moderator pinned it; NULL: it is not pinned
  author_avatar  TEXT    NOT NULL DEFAULT '', -- copy; '' of a deleted post or one without a name
  -- 1: it waits for a moderator, 2: a moderator has removed it then. Only its author and the moderators have ever seen it, and its status
  -- is 'removed'. 0: everything else.
  held           INTEGER NOT NULL DEFAULT 0,
  auto_reply     TEXT    NOT NULL DEFAULT '', -- HTML: the reply of an automatic rule
  flair_id       INTEGER,                     -- NULL: none; the flair may have been deleted since
  tags           TEXT    NOT NULL DEFAULT '', -- as tags.Parse returns them: sorted, one space between them
  -- Its viewers, each counted once a week (data/lists/views). week_views are the part of the week views_week.
  views          INTEGER NOT NULL DEFAULT 0,
  week_views     INTEGER NOT NULL DEFAULT 0,
  views_week     INTEGER NOT NULL DEFAULT 0,
  pictures       TEXT    NOT NULL DEFAULT '', -- JSON array of pictures.Picture; '' none
  words          TEXT    NOT NULL DEFAULT '', -- of title, as in users
  -- When the counted comments were written: JSON, numbers of comments by their age (data/content/posts/comment_times.go).
  comment_times  TEXT    NOT NULL DEFAULT '{}',
  UNIQUE (community_id, slug)
) STRICT;
-- Indexes of listings end in the sort value and, implicitly, the id: the rowid in every index entry. All columns ascend, so that SQLite can
-- seek to a cursor's value and id; with DESC or an explicit id it would read through all ties (data/lists/listings/sql.go).
CREATE INDEX IF NOT EXISTS posts_hot ON posts (community_id, hot) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_new ON posts (community_id, created_at) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_site_hot ON posts (hot) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_site_new ON posts (created_at) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_active ON posts (community_id, active) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS posts_site_active ON posts (active) WHERE status = 'published';
-- Posts of one flair, which belongs to one community.
CREATE INDEX IF NOT EXISTS posts_flair_hot ON posts (flair_id, hot) WHERE status = 'published' AND flair_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_flair_new ON posts (flair_id, created_at) WHERE status = 'published' AND flair_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_flair_top ON posts (flair_id, age, score) WHERE status = 'published' AND flair_id IS NOT NULL;
-- Imported posts. Others have no entry.
CREATE UNIQUE INDEX IF NOT EXISTS posts_source ON posts (source) WHERE source IS NOT NULL;
-- The pinned posts of a community's first page, two at most.
CREATE INDEX IF NOT EXISTS posts_pinned ON posts (community_id, pinned_at) WHERE pinned_at IS NOT NULL;
-- Posts about the same thing, including a post's crossposts.
CREATE INDEX IF NOT EXISTS posts_same ON posts (link_key, created_at) WHERE link_key <> '';
-- The crossposts of a post, also of a deleted one, which has no link_key any more.
CREATE INDEX IF NOT EXISTS posts_crossposts ON posts (crosspost_of) WHERE crosspost_of IS NOT NULL;
-- Scheduled posts, in the order of publication.
CREATE INDEX IF NOT EXISTS posts_scheduled ON posts (publish_at) WHERE status = 'scheduled';
-- A member's own posts that others don't see, of one status, the last saved at the end.
CREATE INDEX IF NOT EXISTS posts_own ON posts (author_id, status, coalesce(edited_at, created_at))
  WHERE status IN ('draft', 'scheduled', 'removed');
-- A window's listing merges its ages, each in the order of its index.
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
-- Posts in the order in which they change their age.
CREATE INDEX IF NOT EXISTS posts_aging ON posts (age, created_at) WHERE age < 5;
-- By name, so that a profile needs no look-up of the id. Names are updated when they change.
CREATE INDEX IF NOT EXISTS posts_author ON posts (author_name COLLATE NOCASE, created_at)
  WHERE status = 'published' AND author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_author_top ON posts (author_name COLLATE NOCASE, score)
  WHERE status = 'published' AND author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_author_views ON posts (author_name COLLATE NOCASE, views)
  WHERE status = 'published' AND author_id IS NOT NULL AND views > 0;
-- An author's posts, the newest last.
CREATE INDEX IF NOT EXISTS posts_by ON posts (author_id, created_at) WHERE status = 'published' AND author_id IS NOT NULL;

-- Unpublished posts that still have an author's name.
CREATE INDEX IF NOT EXISTS posts_gone ON posts (author_id) WHERE status <> 'published' AND author_name <> '';

-- The flairs of a community (data/content/flair): labels that its posts and members can have. Posts show the text by the flair's id.
CREATE TABLE IF NOT EXISTS flairs (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  place        INTEGER NOT NULL,              -- the position in lists
  text         TEXT    NOT NULL,
  colour       TEXT    NOT NULL,              -- one of flair.Colours
  restricted   INTEGER NOT NULL,              -- 1: only moderators can give it
  of_members   INTEGER NOT NULL DEFAULT 0     -- 1: a flair of members, not of posts
) STRICT;
CREATE INDEX IF NOT EXISTS flairs_listed ON flairs (community_id, of_members, place);
-- One row for a community whose moderators have defined flairs.
CREATE TABLE IF NOT EXISTS flair_sets (
  community_id INTEGER PRIMARY KEY,
  revision     INTEGER NOT NULL,
  required     INTEGER NOT NULL,              -- 1: its posts must have one
  members      TEXT    NOT NULL DEFAULT 'listed' CHECK (members IN ('given', 'listed', 'own')) -- what members can choose: flair.Choice
) STRICT;
-- The flairs of members in communities (data/content/flair). Posts and comments read them.
CREATE TABLE IF NOT EXISTS member_flairs (
  user_id      INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  flair_id     INTEGER,                       -- NULL: none of the community's; it may have been deleted since
  text         TEXT    NOT NULL,              -- a text of the member's own, or of a moderator's; '' none
  colour       TEXT    NOT NULL,              -- of the text, one of flair.Colours
  fixed        INTEGER NOT NULL,              -- 1: the member can't change it
  PRIMARY KEY (user_id, community_id)
) STRICT, WITHOUT ROWID;

-- Tags and combinations that posts are listed by: each tag of this shard's posts, and each combination of two or three that a post has had,
-- in alphabetical order and separated by one space.
CREATE TABLE IF NOT EXISTS tag_keys (
  id    INTEGER PRIMARY KEY,
  name  TEXT    NOT NULL UNIQUE,
  posts INTEGER NOT NULL DEFAULT 0,           -- published posts with it; 0 for combinations
  -- How much it is used these days: the logarithm of the sum of e^(t / 2 days) over these posts, where t is when they were posted. So the
  -- order of two tags changes only with their posts, and not with the clock. If a post that is nearly all of the sum is removed, the newest
  -- 50 are summed again.
  heat  REAL    NOT NULL DEFAULT 0,
  -- The columns of the indexes of tags: the number of digits of posts, 0 for none, and the heat, rounded down. They change rarely, so that
  -- most posts write no index entries.
  digits    INTEGER NOT NULL DEFAULT 0,
  heat_step INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Tags by their first letters, the ones with more digits in their number of posts first (data/content/tags/store.go).
CREATE INDEX IF NOT EXISTS tag_keys_begin ON tag_keys (digits, name) WHERE digits > 0;
CREATE INDEX IF NOT EXISTS tag_keys_heat ON tag_keys (heat_step) WHERE digits > 0;
-- A row for each tag of a published post and for each combination of two or three of them, 25 at most, the newest post last. It does not
-- change with votes, comments or views: lists in other orders read the posts (data/lists/listings/tags.go).
CREATE TABLE IF NOT EXISTS post_tags (
  key_id     INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  post_id    INTEGER NOT NULL,
  PRIMARY KEY (key_id, created_at, post_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS post_texts (
  post_id INTEGER PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  text    TEXT NOT NULL,                      -- Markdown as typed
  html    TEXT NOT NULL,
  words   TEXT NOT NULL DEFAULT ''            -- of text, as in users
) STRICT;

-- Uses of pictures in this database: each element of posts.pictures and of comments.pictures, the picture in users.avatar, and
-- communities.icon and banner. Triggers write them.
CREATE TABLE IF NOT EXISTS picture_uses (
  sum        TEXT    NOT NULL,                -- pictures.sum
  kind       TEXT    NOT NULL CHECK (kind IN ('post', 'comment', 'avatar', 'icon', 'banner')),
  subject_id INTEGER NOT NULL,                -- id of the post, comment, member or community
  position   INTEGER NOT NULL,                -- among its pictures, from 0
  PRIMARY KEY (sum, kind, subject_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS picture_uses_subject ON picture_uses (subject_id, kind);
-- Pictures that lost a use here, until the directory has checked them (data/content/pictures/sweep.go).
CREATE TABLE IF NOT EXISTS picture_losses (
  sum TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Deleted drafts, whose rows are deleted: a repetition by the author returns the same, and other members get no information. Rows are
-- deleted after a day.
CREATE TABLE IF NOT EXISTS deleted_drafts (
  post_id        INTEGER PRIMARY KEY,
  author_id      INTEGER NOT NULL,
  community_name TEXT    NOT NULL,            -- copy
  deleted_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS deleted_drafts_age ON deleted_drafts (deleted_at);

-- Previews of linked pages, fetched in the background. The key is a post's link as it was typed: a page is fetched once a day however many
-- posts link to it, and a post whose link is edited shows no other page's preview.
CREATE TABLE IF NOT EXISTS link_previews (
  url         TEXT    PRIMARY KEY,
  title       TEXT    NOT NULL DEFAULT '',
  description TEXT    NOT NULL DEFAULT '',
  site_name   TEXT    NOT NULL DEFAULT '',
  image       TEXT    NOT NULL DEFAULT '',    -- address of a picture, checked to be public when it was stored
  reason      TEXT    NOT NULL DEFAULT '',    -- why the last fetch failed; '' if it succeeded
  fetched_at  INTEGER NOT NULL
) STRICT;

-- Jobs that a transaction of this database enqueues for a consumer of plaza-events. A row is deleted when its job is done. due_at is when
-- the retry job sends its message again: the first time because the first message may have been lost, later because an attempt has failed.
CREATE TABLE IF NOT EXISTS outbox (
  subject_id INTEGER NOT NULL,                -- its post or comment, or in the directory the member
  job        TEXT    NOT NULL,                -- link: fetch the preview of the post's link; the others are in data/events/outbox
  queued_at  INTEGER NOT NULL,                -- grows when the job is enqueued again, so that the end of the old one keeps the row
  attempts   INTEGER NOT NULL DEFAULT 0,
  due_at     INTEGER NOT NULL,
  PRIMARY KEY (job, subject_id)
) STRICT, WITHOUT ROWID;
-- Without the jobs of each comment and post: they are done within seconds, so there are few such rows, which are searched for due ones.
CREATE INDEX IF NOT EXISTS outbox_due ON outbox (due_at) WHERE job NOT IN ('notify', 'timeline');

-- Members whom a post or comment has mentioned, so that an edit does not notify them again.
CREATE TABLE IF NOT EXISTS mentions (
  subject_id INTEGER NOT NULL,                -- posts.id or comments.id
  name_key   TEXT    NOT NULL,                -- users.username_key, if the member exists
  PRIMARY KEY (subject_id, name_key)
) STRICT, WITHOUT ROWID;

-- Members' last visits of threads (data/lists/visits). Rows are deleted after 90 days.
CREATE TABLE IF NOT EXISTS visits (
  user_id INTEGER NOT NULL,
  post_id INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,                   -- the last page of the last visit, to a minute
  since   INTEGER,                            -- the same for the visit before; NULL: none; -1: the thread was not opened, only the post was marked as seen
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS visits_age ON visits (seen_at);

-- Counts of a community that are on its posts' shard.
CREATE TABLE IF NOT EXISTS community_stats (
  community_id INTEGER PRIMARY KEY,
  posts        INTEGER NOT NULL DEFAULT 0,
  week_posts   INTEGER NOT NULL DEFAULT 0,    -- see weeks
  cases        INTEGER NOT NULL DEFAULT 0,    -- open quarantines
  waiting      INTEGER NOT NULL DEFAULT 0     -- open queue_items
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS community_stats_cases ON community_stats (cases) WHERE cases > 0;
CREATE INDEX IF NOT EXISTS community_stats_waiting ON community_stats (waiting) WHERE waiting > 0;

-- How many published posts were made on each day, for sitemaps (data/lists/sitemaps). Triggers keep it.
CREATE TABLE IF NOT EXISTS post_days (
  day   INTEGER PRIMARY KEY,                  -- days since 1970, UTC
  posts INTEGER NOT NULL
) STRICT;

-- A member's numbers of visible posts and comments in a community, for their reputation (data/rights/reputation). The delta run adds
-- comments, from count_deltas; a trigger counts later changes of their status.
CREATE TABLE IF NOT EXISTS reputations (
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  posts        INTEGER NOT NULL DEFAULT 0,    -- published or archived
  comments     INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (community_id, user_id)
) STRICT, WITHOUT ROWID;

-- A comment. path is the parent's path and the id, 13 characters for each level, so that a subtree is one range of the path index. Ids are
-- odd (data/id.go).
CREATE TABLE IF NOT EXISTS comments (
  id          INTEGER PRIMARY KEY,
  post_id     INTEGER NOT NULL,
  parent_id   INTEGER NOT NULL DEFAULT 0,     -- 0: a reply to the post
  path        TEXT    NOT NULL,
  depth       INTEGER NOT NULL,               -- 0: a reply to the post
  author_id   INTEGER,
  author_name TEXT    NOT NULL,               -- copy
  op          INTEGER NOT NULL DEFAULT 0,     -- 1: written by the author of the post
  body        TEXT    NOT NULL,
  body_html   TEXT    NOT NULL,
  status      TEXT    NOT NULL DEFAULT 'published' CHECK (status IN ('published', 'removed', 'deleted')),
  base_ups    INTEGER NOT NULL DEFAULT 0,     -- from its creation; ups = base_ups + votes of 1
  base_downs  INTEGER NOT NULL DEFAULT 0,
  ups         INTEGER NOT NULL DEFAULT 0,
  downs       INTEGER NOT NULL DEFAULT 0,
  score       INTEGER NOT NULL DEFAULT 0,
  best        REAL    NOT NULL DEFAULT 0,     -- ranking.Wilson; comment_counters says when votes update score, best and controversy
  controversy REAL    NOT NULL DEFAULT 0,     -- ranking.Controversy
  qa          REAL    NOT NULL DEFAULT 0,     -- ranking.QARank: 1 and more if the post's author has replied
  replies     INTEGER NOT NULL DEFAULT 0,     -- direct
  descendants INTEGER NOT NULL DEFAULT 0,     -- all levels
  created_at  INTEGER NOT NULL,
  edited_at   INTEGER,
  author_avatar TEXT  NOT NULL DEFAULT '',    -- copy; '' of a deleted comment or one without a name
  held        INTEGER NOT NULL DEFAULT 0,     -- as in posts. While it is not 0, it is in no order of siblings, so that no thread finds it
  auto_reply  TEXT    NOT NULL DEFAULT '',    -- as in posts
  pictures    TEXT    NOT NULL DEFAULT '',    -- as in posts
  words       TEXT    NOT NULL DEFAULT ''     -- of body, as in users
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS comments_path ON comments (post_id, path);
-- The orders of siblings. Each ends in the sort value and, implicitly, the id, all ascending, so that SQLite can seek to a cursor's value
-- and id (see posts_hot). The orders new and old use only the id. Held comments are in none of them. Most comments have no controversy and
-- no reply by the post's author, in which case qa is best: they come from comments_siblings and comments_best
-- (data/content/comments/page_order.go). All are in comments_top, also those with only their author's vote: without them the order would
-- read past all siblings with other scores.
CREATE INDEX IF NOT EXISTS comments_siblings ON comments (post_id, parent_id) WHERE held = 0;
CREATE INDEX IF NOT EXISTS comments_best ON comments (post_id, parent_id, best) WHERE held = 0;
CREATE INDEX IF NOT EXISTS comments_top ON comments (post_id, parent_id, score) WHERE held = 0;
CREATE INDEX IF NOT EXISTS comments_controversial ON comments (post_id, parent_id, controversy) WHERE held = 0 AND controversy > 0;
CREATE INDEX IF NOT EXISTS comments_qa ON comments (post_id, parent_id, qa) WHERE held = 0 AND qa >= 1;
-- The last visible comment, by the author of the post (op) and by others, one row each.
CREATE INDEX IF NOT EXISTS comments_last ON comments (post_id, op, created_at) WHERE status = 'published' AND held = 0;
-- Comments that are long with their pictures, which limit a thread's page (data/content/comments/page_sql.go).
CREATE INDEX IF NOT EXISTS comments_long ON comments (id) WHERE octet_length(body_html) + octet_length(pictures) > 512;
-- The best reply of the post's author to a comment comes last.
CREATE INDEX IF NOT EXISTS comments_answers ON comments (parent_id, best, length(body))
  WHERE op = 1 AND status = 'published';
-- A member's own comments of a thread that wait for a moderator.
CREATE INDEX IF NOT EXISTS comments_held ON comments (author_id, post_id) WHERE held = 1;
CREATE INDEX IF NOT EXISTS comments_gone ON comments (author_id) WHERE status <> 'published' AND author_name <> '';
CREATE INDEX IF NOT EXISTS comments_author ON comments (author_name COLLATE NOCASE, id DESC)
  WHERE status = 'published' AND author_id IS NOT NULL;
-- Most comments have only their author's vote. The order top takes these from comments_author.
CREATE INDEX IF NOT EXISTS comments_author_top ON comments (author_name COLLATE NOCASE, score)
  WHERE status = 'published' AND author_id IS NOT NULL AND score <> 1;
CREATE INDEX IF NOT EXISTS comments_author_controversial ON comments (author_name COLLATE NOCASE, controversy)
  WHERE status = 'published' AND author_id IS NOT NULL AND controversy > 0;

-- Imported comments by their ids at the other site, as posts.source (importer).
CREATE TABLE IF NOT EXISTS comment_sources (
  source     TEXT    PRIMARY KEY,
  comment_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The authoritative votes: one row for each user and target. 0 is a withdrawn vote. Counters are the sums of votes of status 0. The others
-- are quarantined until a moderator decides, or were dropped by one, and counters don't reveal that to their voters (docs/moderation.md).
CREATE TABLE IF NOT EXISTS votes (
  target_id  INTEGER NOT NULL,                -- posts.id (even) or comments.id (odd)
  user_id    INTEGER NOT NULL,
  value      INTEGER NOT NULL CHECK (value IN (-1, 0, 1)),
  status     INTEGER NOT NULL DEFAULT 0 CHECK (status IN (0, 1, 2)), -- counted, quarantined, dropped
  updated_at INTEGER NOT NULL,                -- of the value, by the database's clock
  asked_at   INTEGER NOT NULL DEFAULT 0,      -- when its voter cast it, by an instance's clock; an older one changes nothing
  automatic  INTEGER NOT NULL DEFAULT 0,      -- 1: the author's automatic upvote of their post or comment, unchanged
  PRIMARY KEY (target_id, user_id)
) STRICT, WITHOUT ROWID;
-- A member's votes, for the export of their data. An automatic vote has no entry. If it is changed, it is no longer automatic, and gets its
-- entry then.
CREATE INDEX IF NOT EXISTS votes_user ON votes (user_id, target_id) WHERE automatic = 0;

-- Changes by votes that the counters don't include yet: a row for each voter and target. Triggers write it, so it is in the vote's own
-- transaction. The delta run sums rows and deletes exactly those. A post or comment is made with its author's own vote in its counters. For a
-- post that adds a row of zeros, which makes the delta run add the post to hot listings.
CREATE TABLE IF NOT EXISTS vote_deltas (
  target_id  INTEGER NOT NULL,
  user_id    INTEGER NOT NULL,
  ups        INTEGER NOT NULL,
  downs      INTEGER NOT NULL,
  created_at INTEGER NOT NULL,                -- of the first change that is not applied
  PRIMARY KEY (target_id, user_id)
) STRICT, WITHOUT ROWID;

-- The origins of recent votes, to detect brigades; deleted within 48 hours. One row for each present vote: created_at is the vote's
-- updated_at, so a changed vote finds the row it replaces without an index. part is the half day of created_at and comes first, so that a
-- purge reads from the start and needs no index on the time.
CREATE TABLE IF NOT EXISTS vote_origins (
  part       INTEGER NOT NULL,                -- created_at / 43200000: half days (data/content/votes/origin.go)
  target_id  INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  user_id    INTEGER NOT NULL,                -- its time bits are the account's
  value      INTEGER NOT NULL,
  network    TEXT    NOT NULL,                -- ranking.NetworkOf: /24 or /48; '' unknown
  referrer   TEXT    NOT NULL,                -- another host that linked to the target; '' none
  PRIMARY KEY (part, target_id, created_at, user_id)
) STRICT, WITHOUT ROWID;

-- A burst of votes in one direction on one target that looks like a brigade, and the decision about it. Only those of its votes with a
-- suspicious sign are quarantined.
CREATE TABLE IF NOT EXISTS quarantines (
  id           INTEGER PRIMARY KEY,
  target_id    INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  direction    INTEGER NOT NULL CHECK (direction IN (-1, 1)),
  evidence     TEXT    NOT NULL,              -- JSON of votes.Evidence, as of the last added vote
  votes        INTEGER NOT NULL DEFAULT 0,    -- rows of quarantined_votes
  status       TEXT    NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'released', 'dropped')),
  created_at   INTEGER NOT NULL,
  decided_at   INTEGER,
  decided_by   INTEGER,
  decided_name TEXT    NOT NULL DEFAULT '',   -- copy
  notified_to  INTEGER NOT NULL DEFAULT 0     -- voters up to this id were notified of the present status
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS quarantines_open ON quarantines (target_id, direction) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS quarantines_released ON quarantines (target_id, direction, decided_at) WHERE status = 'released';
CREATE INDEX IF NOT EXISTS quarantines_waiting ON quarantines (community_id, id DESC) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS quarantines_decided ON quarantines (community_id, id DESC) WHERE status <> 'open';
CREATE INDEX IF NOT EXISTS quarantines_decider ON quarantines (decided_by) WHERE decided_name <> '';
CREATE INDEX IF NOT EXISTS quarantines_newest ON quarantines (status) WHERE status = 'open';

-- The voters of a quarantine. A vote is in one open quarantine at most.
CREATE TABLE IF NOT EXISTS quarantined_votes (
  quarantine_id INTEGER NOT NULL,
  user_id       INTEGER NOT NULL,
  PRIMARY KEY (quarantine_id, user_id)
) STRICT, WITHOUT ROWID;

-- Members' reports and their reasons: one for each member and item (data/moderation/reports). On the shard of the post or comment; reports
-- about members are in the directory.
CREATE TABLE IF NOT EXISTS reports (
  target_id    INTEGER NOT NULL,              -- id of a post or comment, or of a member if community_id is 0
  reporter_id  INTEGER NOT NULL,
  community_id INTEGER NOT NULL,              -- 0: about a member, for administrators
  reason       TEXT    NOT NULL,              -- title of a rule of the community, or one of reports.SiteReasons
  text         TEXT    NOT NULL,              -- the reporter's text; '' none
  created_at   INTEGER NOT NULL,              -- by the database's clock
  weight       INTEGER NOT NULL DEFAULT 1,    -- by the reputation of the reporter (data/rights/reputation)
  PRIMARY KEY (target_id, reporter_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reports_said ON reports (target_id, created_at) WHERE text <> '';
CREATE INDEX IF NOT EXISTS reports_reporter ON reports (reporter_id);

-- Items that wait for moderators, or have waited: one row for each. Triggers make them from reports. A new report reopens a decided item,
-- unless its reports are ignored.
CREATE TABLE IF NOT EXISTS queue_items (
  target_id    INTEGER PRIMARY KEY,           -- as in reports
  community_id INTEGER NOT NULL,
  reports      INTEGER NOT NULL,              -- since it waits
  came_at      INTEGER NOT NULL,              -- since when it waits, or has waited
  status       TEXT    NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'decided')),
  decision     TEXT    NOT NULL DEFAULT '',   -- reports.Decision, or deleted by its author; '' while it is open
  decided_by   INTEGER,                       -- the moderator
  decided_at   INTEGER,
  held         INTEGER NOT NULL DEFAULT 0,    -- 1: it is hidden until a decision
  hits         INTEGER NOT NULL DEFAULT 0,    -- number of rules that added it to the queue
  weight       INTEGER NOT NULL DEFAULT 0     -- of the reports since it waits
) STRICT;
-- The orders of a community's queue, and of all together. The last column is implicitly the id (see posts_hot).
CREATE INDEX IF NOT EXISTS queue_items_new ON queue_items (community_id, came_at) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_most ON queue_items (community_id, weight) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_all_new ON queue_items (came_at) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_all_most ON queue_items (weight) WHERE status = 'open';
-- The same for reported items, for held items, and for items that rules have hit.
CREATE INDEX IF NOT EXISTS queue_items_reported ON queue_items (community_id, came_at) WHERE status = 'open' AND reports > 0;
CREATE INDEX IF NOT EXISTS queue_items_all_reported ON queue_items (came_at) WHERE status = 'open' AND reports > 0;
CREATE INDEX IF NOT EXISTS queue_items_held ON queue_items (community_id, came_at) WHERE status = 'open' AND held = 1;
CREATE INDEX IF NOT EXISTS queue_items_all_held ON queue_items (came_at) WHERE status = 'open' AND held = 1;
CREATE INDEX IF NOT EXISTS queue_items_hit ON queue_items (community_id, came_at) WHERE status = 'open' AND hits > 0;
CREATE INDEX IF NOT EXISTS queue_items_all_hit ON queue_items (came_at) WHERE status = 'open' AND hits > 0;
-- Decided items are deleted after 180 days, with their reports. Ignored items lose only the reports.
CREATE INDEX IF NOT EXISTS queue_items_old ON queue_items (coalesce(decided_at, came_at)) WHERE status = 'decided' AND (decision <> 'ignore' OR reports > 0);

-- The number of reports of an open item with each reason.
CREATE TABLE IF NOT EXISTS report_reasons (
  target_id INTEGER NOT NULL,
  reason    TEXT    NOT NULL,
  reports   INTEGER NOT NULL,
  PRIMARY KEY (target_id, reason)
) STRICT, WITHOUT ROWID;

-- Decisions about reported items, until their reporters are notified (data/events/inbox/event.go). Columns as in queue_items.
CREATE TABLE IF NOT EXISTS report_outcomes (
  target_id  INTEGER NOT NULL,
  decided_at INTEGER NOT NULL,
  decision   TEXT    NOT NULL,
  decided_by INTEGER,
  came_at    INTEGER NOT NULL,                -- reports from then on belong to it
  PRIMARY KEY (target_id, decided_at)
) STRICT, WITHOUT ROWID;

-- The automatic rules of a community, on its shard, and of the site, in the directory (data/rights/rules).
CREATE TABLE IF NOT EXISTS rules (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,              -- 0: the site's
  title        TEXT    NOT NULL,
  text         TEXT    NOT NULL,              -- rules.Rule in its text form
  active       INTEGER NOT NULL,
  changed_by   INTEGER NOT NULL,              -- who changed it last
  changed_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS rules_community ON rules (community_id, active);

-- Which rules have hit which posts and comments, once each; on the shard of these. Rows are deleted after 90 days.
CREATE TABLE IF NOT EXISTS rule_hits (
  target_id    INTEGER NOT NULL,              -- posts.id or comments.id
  rule_id      INTEGER NOT NULL,
  site         INTEGER NOT NULL,              -- 1: a rule of the site
  community_id INTEGER NOT NULL,              -- of the post or comment
  title        TEXT    NOT NULL,              -- the rule's
  message      TEXT    NOT NULL,              -- message to the author of a held item
  queued       INTEGER NOT NULL,              -- 1: it waits for a moderator
  created_at   INTEGER NOT NULL,              -- by the database's clock
  later        INTEGER NOT NULL DEFAULT 0,    -- 1: of a scheduled post. It counts from its publication on
  PRIMARY KEY (target_id, rule_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rule_hits_age ON rule_hits (created_at);
-- How often a rule has hit something on this shard.
CREATE TABLE IF NOT EXISTS rule_counts (
  site    INTEGER NOT NULL,                   -- as in rule_hits
  rule_id INTEGER NOT NULL,
  hits    INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (site, rule_id)
) STRICT, WITHOUT ROWID;

-- Members' saved posts and comments. The key finds one; the index lists the last saved first, posts (even ids) and comments (odd)
-- separately.
CREATE TABLE IF NOT EXISTS saves (
  user_id    INTEGER NOT NULL,
  target_id  INTEGER NOT NULL,                -- posts.id or comments.id
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, target_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS saves_listed ON saves (user_id, target_id & 1, created_at, target_id);

-- The posts that members have hidden from their listings.
CREATE TABLE IF NOT EXISTS hides (
  user_id    INTEGER NOT NULL,
  post_id    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS hides_listed ON hides (user_id, created_at, post_id);

-- An import adds a row here while it writes comments, and deletes it in the same transaction, so no other transaction ever sees one. With
-- it, the triggers that count each comment and add it to the search do nothing, and the import does both later (ops/exchange/importer/insert.go).
CREATE TABLE IF NOT EXISTS bulk_writes (
  id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;

-- Comments that the counters of their post and ancestors don't include yet.
CREATE TABLE IF NOT EXISTS count_deltas (
  post_id    INTEGER NOT NULL,
  parent_id  INTEGER NOT NULL,
  path       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (post_id, path)
) STRICT, WITHOUT ROWID;

-- Moderators' notes about members, for the team of a community (data/rights/reputation). Members can't read notes about themselves.
CREATE TABLE IF NOT EXISTS member_notes (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,              -- the member it is about
  author_id    INTEGER NOT NULL,              -- the moderator
  body         TEXT    NOT NULL
) STRICT;
-- The last column is implicitly the id (see posts_hot).
CREATE INDEX IF NOT EXISTS member_notes_listed ON member_notes (user_id, community_id);
-- A moderator's notes, for the export of their data.
CREATE INDEX IF NOT EXISTS member_notes_author ON member_notes (author_id);

-- The karma of an author on this shard; a profile adds the shards up.
CREATE TABLE IF NOT EXISTS author_karma (
  author_id INTEGER PRIMARY KEY,
  name_key  TEXT    NOT NULL UNIQUE,          -- copy of users.username_key
  posts     INTEGER NOT NULL DEFAULT 0,
  comments  INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Authors whose karma has changed on this shard since its last copy to the directory. A row is deleted only if the karma here is still the
-- copied value, so that a concurrent change is not lost.
CREATE TABLE IF NOT EXISTS karma_changed (
  author_id INTEGER PRIMARY KEY
) STRICT;

-- The settings of the whole site (data/site): one row, none with the defaults. The directory's row is authoritative; every other database
-- has a copy for its own statements.
CREATE TABLE IF NOT EXISTS site_settings (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  archive  INTEGER NOT NULL,                  -- the age from which threads are archived, in milliseconds
  body     TEXT    NOT NULL                   -- JSON of site.Settings
) STRICT;

-- Pages of the site that administrators write (data/site): about, rules and so on. A page without a row has its first text.
CREATE TABLE IF NOT EXISTS site_pages (
  name     TEXT    PRIMARY KEY,
  revision INTEGER NOT NULL,
  body     TEXT    NOT NULL,                  -- Markdown as typed
  body_html TEXT   NOT NULL
) STRICT, WITHOUT ROWID;

-- Editions of the front page (data/lists/editions). number is two for each day since 1970, and one more for the second edition of a day.
CREATE TABLE IF NOT EXISTS editions (
  number       INTEGER PRIMARY KEY,
  published_at INTEGER NOT NULL,
  posts        TEXT    NOT NULL,              -- JSON array of their ids, in the order of the page
  quote        INTEGER,                       -- the comment on the first post that the page quotes; NULL: none
  -- How far the job is with members' editions of that number: users.seen_at and id of the last member.
  members_seen INTEGER NOT NULL DEFAULT 0,
  members_last INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Members' own editions, each beside the site's with the same number. Rows are deleted after 30 days.
CREATE TABLE IF NOT EXISTS member_editions (
  user_id INTEGER NOT NULL,
  number  INTEGER NOT NULL,
  posts   TEXT    NOT NULL,                   -- this and the next as in editions
  quote   INTEGER,
  PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS member_editions_age ON member_editions (number);

-- Messages to the administrators by the contact form. No more than 2,000 can wait. Answered ones are deleted after half a year.
CREATE TABLE IF NOT EXISTS contact_messages (
  id          INTEGER PRIMARY KEY,
  name        TEXT    NOT NULL,               -- a member's, or as a visitor typed it
  member      INTEGER NOT NULL,               -- 1: name is a member's
  email       TEXT    NOT NULL,               -- the address for the reply
  body        TEXT    NOT NULL,
  answered_at INTEGER,                        -- NULL: it waits for an administrator
  user_id     INTEGER NOT NULL DEFAULT 0      -- the member's; 0 for a visitor, or a deleted account
) STRICT;
CREATE INDEX IF NOT EXISTS contact_messages_open ON contact_messages (id) WHERE answered_at IS NULL;
CREATE INDEX IF NOT EXISTS contact_messages_answered ON contact_messages (id) WHERE answered_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS contact_messages_age ON contact_messages (answered_at) WHERE answered_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS contact_messages_user ON contact_messages (user_id) WHERE user_id <> 0;

-- The search indexes (data/lists/search): full text of posts, of comments, and in the directory of communities and members. The rowid is
-- the id. Indexes store no texts. facets has words that narrow a search: c and the community's id, u and the author's, k and the kind, d
-- and the domain or a parent domain, l and the end of the link's key and t and a tag in hexadecimal, s and the number of digits of a score
-- from 10 on. The views have the content for each index, and triggers write it in the transaction of the change: the columns words, and if
-- they are empty the texts themselves.
CREATE VIRTUAL TABLE IF NOT EXISTS search_posts USING fts5 (title, body, facets, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '4');
CREATE VIRTUAL TABLE IF NOT EXISTS search_comments USING fts5 (body, facets, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '4');
CREATE VIRTUAL TABLE IF NOT EXISTS search_communities USING fts5 (name, about, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
CREATE VIRTUAL TABLE IF NOT EXISTS search_people USING fts5 (name, about, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
-- Ranges of ids for which the search index may lack comments of an import. The import fills the gaps at its end, or its next run does
-- (data/lists/search/fill.go).
CREATE TABLE IF NOT EXISTS search_due (
  first_id INTEGER PRIMARY KEY,
  last_id  INTEGER NOT NULL
) STRICT;
-- Indexes of which every page has to be rewritten, so that no word of an erased text stays in them (data/lists/search/purge.go).
CREATE TABLE IF NOT EXISTS search_purges (
  about TEXT    PRIMARY KEY CHECK (about IN ('search_posts', 'search_comments')),
  begun INTEGER NOT NULL                      -- 1: it is in progress
) STRICT, WITHOUT ROWID;
-- How many posts and comments have each word that at least 1,000 have (data/lists/search/common.go). A search reads these first, so that it
-- never reads too much of the index. The tables _terms are views of the index's words.
CREATE TABLE IF NOT EXISTS search_common (
  about TEXT    NOT NULL,                     -- the index: search_posts or search_comments
  word  TEXT    NOT NULL,                     -- as the index has it
  found INTEGER NOT NULL,
  PRIMARY KEY (about, word)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS search_posts_terms USING fts5vocab (search_posts, row);
CREATE VIRTUAL TABLE IF NOT EXISTS search_comments_terms USING fts5vocab (search_comments, row);

-- One row, written from time to time to check that writing works (/healthz).
CREATE TABLE IF NOT EXISTS health (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  tried_at INTEGER NOT NULL
) STRICT;

-- The site's metrics: of five minutes of an instance, five minutes of the whole site, an hour or a day (data/site/metrics). Directory only.
CREATE TABLE IF NOT EXISTS metrics (
  span     TEXT    NOT NULL CHECK (span IN ('instance', 'minutes', 'hour', 'day')),
  at       INTEGER NOT NULL,                  -- the start of the period
  instance INTEGER NOT NULL,                  -- the instance; 0: the whole site
  body     TEXT    NOT NULL,                  -- JSON of metrics.Batch
  PRIMARY KEY (span, at, instance)
) STRICT, WITHOUT ROWID;

-- The steps of the schema that the database has taken (ops/migrate). A step that changes a large table piece by piece is recorded when it
-- begins and after each piece.
CREATE TABLE IF NOT EXISTS schema_steps (
  number  INTEGER PRIMARY KEY,
  name    TEXT    NOT NULL,
  reached TEXT    NOT NULL DEFAULT '',        -- JSON array: the key of the last row of the last piece; '' before the first
  done_at INTEGER,                            -- NULL: in progress
  site_url TEXT   NOT NULL DEFAULT ''         -- of step 1: SITE_URL of the site that the database belongs to (ops/setup); '' not known
) STRICT;
