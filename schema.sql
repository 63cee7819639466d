-- Plaza's tables and indexes, by which `plaza migrate` makes them in every database. Triggers and views are in triggers.sql.
-- Until 1.0 is released this is step 1 of the schema (data/schema/steps.go). From then on a change here is a step of its own as well.
--
-- A database is the directory (people, communities, who follows what), a thread shard
-- (posts, comments and votes of some communities), or, by default, both at once.
-- No statement joins a directory table with a shard table, except `communities`, of
-- which a shard keeps a copy of its own.
--
-- Ids are 64-bit snowflakes (data/id.go). Times are milliseconds since 1970 UTC.
-- Text in *_html is made by markdown.Render and by nothing else.

-- ---------------------------------------------------------------- directory

-- A person who signed up. The keys are the name and the address in lower case, by which
-- they are found, so that Ann and ann are one person. Several accounts may give the same
-- address; one of them can confirm it.
CREATE TABLE IF NOT EXISTS users (
  id            INTEGER PRIMARY KEY,
  username      TEXT    NOT NULL,
  username_key  TEXT    NOT NULL UNIQUE,
  email         TEXT    NOT NULL DEFAULT '',  -- optional: only needed to get back in
  email_key     TEXT,                         -- NULL without an address
  password_hash TEXT    NOT NULL,             -- PHC string, Argon2id; empty without a password
  status        TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'banned')),
  admin         INTEGER NOT NULL DEFAULT 0,
  bio           TEXT    NOT NULL DEFAULT '',
  bio_html      TEXT    NOT NULL DEFAULT '',
  followers     INTEGER NOT NULL DEFAULT 0,
  following     INTEGER NOT NULL DEFAULT 0,
  unread        INTEGER NOT NULL DEFAULT 0,   -- rows of inbox, as is told; triggers keep both
  created_at    INTEGER NOT NULL,
  email_confirmed_at INTEGER,                 -- when the address in email was confirmed; NULL: it was not
  links         TEXT    NOT NULL DEFAULT '[]', -- JSON array of {label, url}
  avatar        TEXT    NOT NULL DEFAULT '',   -- colour, letter and picture, such as '#00695cK/' and the sum; what is missing goes by the name
  revision      INTEGER NOT NULL DEFAULT 0,    -- of what /settings changes
  choices       TEXT    NOT NULL DEFAULT '',   -- how the member reads: JSON of accounts.Choices; '': as usual
  filters       TEXT    NOT NULL DEFAULT '',   -- what the member's lists leave out: JSON of accounts.Filter; '': nothing
  told          INTEGER NOT NULL DEFAULT 0,
  credentials   INTEGER NOT NULL DEFAULT 0,    -- counts the changes of password and address; links that were mailed before are void
  seen_at       INTEGER NOT NULL DEFAULT 0,    -- when they last opened a page, to a day
  -- More follow them than their posts are written for (data/lists/timelines): the follows of followers with ids up to this one
  -- say so. NULL for all others.
  loud_to       INTEGER,
  blocked       TEXT    NOT NULL DEFAULT '',   -- whom the member blocks, see blocks: ids with commas between them
  renamed_at    INTEGER,                       -- when they took their name; NULL: at sign-up
  renaming      TEXT    NOT NULL DEFAULT '',   -- the name before, while copies still have it (data/accounts/name_copies.go)
  repainting    INTEGER NOT NULL DEFAULT 0,    -- 1: copies have another avatar
  suspended_until INTEGER,                     -- when a suspension ends; NULL: it does not, or there is none
  suspension    INTEGER,                       -- the entry of moderation_log that says why they were suspended or banned last
  invite_id     INTEGER,                       -- the row of invites by which they came; NULL: by none
  waiting       TEXT,                          -- what they answered when they signed up, until administrators have approved them; NULL: they need not wait
  karma         INTEGER NOT NULL DEFAULT 0,    -- copy: what author_karma has of them in all shards together (data/accounts/karma.go)
  karma_turn    INTEGER NOT NULL DEFAULT 0,    -- counts the copies
  birth_year    INTEGER,                       -- as they have stated it, where members have to be of an age; NULL: they were not asked
  terms         INTEGER NOT NULL DEFAULT 0,    -- the version of the terms that they accepted last; 0: none
  terms_at      INTEGER,                       -- when they did
  origin        TEXT,                          -- account of another site that this one stands for, such as reddit:ann; NULL: none
  unclaimed     INTEGER NOT NULL DEFAULT 0,    -- 1: it came by an import, and nobody can log in to it until it is claimed
  views         INTEGER NOT NULL DEFAULT 0,    -- of the profile; this and the next two as in posts
  week_views    INTEGER NOT NULL DEFAULT 0,
  views_week    INTEGER NOT NULL DEFAULT 0,
  -- The words of bio as the search's index is to have them; '': as they are in bio (data/content/searchwords).
  words         TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS users_origin ON users (origin) WHERE origin IS NOT NULL;
CREATE INDEX IF NOT EXISTS users_waiting ON users (status) WHERE waiting IS NOT NULL;
-- Who came by an invitation.
CREATE INDEX IF NOT EXISTS users_invited ON users (invite_id) WHERE invite_id IS NOT NULL;
-- Members by status, those who signed up last at the end.
CREATE INDEX IF NOT EXISTS users_listed ON users (status) WHERE username <> '';
-- The same by karma. Its order ends, without a word, in the id (see posts_hot).
CREATE INDEX IF NOT EXISTS users_rated ON users (status, karma) WHERE username <> '';
CREATE INDEX IF NOT EXISTS users_suspended ON users (suspended_until) WHERE suspended_until IS NOT NULL;
-- Whose oldest rows of inbox are purged next.
CREATE INDEX IF NOT EXISTS users_told ON users (told) WHERE told > 1000;
CREATE INDEX IF NOT EXISTS users_admins ON users (admin) WHERE admin = 1;
CREATE UNIQUE INDEX IF NOT EXISTS users_confirmed_email ON users (email_key) WHERE email_confirmed_at IS NOT NULL;
-- How names look at a glance (data.LookOf).
CREATE INDEX IF NOT EXISTS users_look ON users (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(username_key,
  '-', ''), '_', ''), '0', 'o'), '1', 'i'), 'l', 'i'), '3', 'e'), '4', 'a'), '5', 's'), '7', 't'), 'rn', 'm'), 'vv', 'w'));

-- Links in mails that let somebody in. Only the token's hash is here: who reads the database can't make the link.
-- A link is void when users.credentials is not the same any more.
CREATE TABLE IF NOT EXISTS mail_links (
  hash        TEXT    PRIMARY KEY,            -- SHA-256 of the token, base64
  kind        TEXT    NOT NULL,
  user_id     INTEGER NOT NULL,
  about       TEXT    NOT NULL,               -- JSON object of texts
  credentials INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  used_by     INTEGER NOT NULL DEFAULT 0      -- the request that used it; 0: none has
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mail_links_expiry ON mail_links (expires_at);

-- Names that members have left: they lead to who had them last, and nobody else may take them for 90 days.
CREATE TABLE IF NOT EXISTS former_names (
  name_key TEXT    PRIMARY KEY,               -- as in users.username_key
  user_id  INTEGER NOT NULL,
  left_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- A member's, which go with the account.
CREATE INDEX IF NOT EXISTS former_names_user ON former_names (user_id);

-- Networks from which members have logged in (a keyed hash of each). Others' wrong
-- passwords keep nobody from logging in from there.
CREATE TABLE IF NOT EXISTS sign_in_networks (
  user_id INTEGER NOT NULL,
  network TEXT    NOT NULL,
  seen_at INTEGER NOT NULL,                   -- the last time, to a day
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sign_in_networks_seen ON sign_in_networks (seen_at);

-- Passkeys: credentials of Web Authentication by which members log in (data/accounts/passkeys).
CREATE TABLE IF NOT EXISTS passkeys (
  id         TEXT    PRIMARY KEY,             -- the credential's, base64url
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,                -- that its member gave it
  public_key TEXT    NOT NULL,                -- COSE_Key, base64url
  sign_count INTEGER NOT NULL,                -- that it said last
  last_use   TEXT    NOT NULL DEFAULT '',     -- the spender of the last challenge
  created_at INTEGER NOT NULL,
  used_at    INTEGER,
  copied_at  INTEGER                          -- when sign_count did not grow; it is refused since then
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS passkeys_user ON passkeys (user_id, created_at, id);

-- Accounts elsewhere by which members log in: OpenID Connect's issuer and subject (data/accounts/identities).
CREATE TABLE IF NOT EXISTS identities (
  id         INTEGER PRIMARY KEY,
  issuer     TEXT    NOT NULL,
  subject    TEXT    NOT NULL,
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,                -- there, to tell several apart
  created_at INTEGER NOT NULL,
  used_at    INTEGER,
  UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX IF NOT EXISTS identities_user ON identities (user_id, id);

-- Second factors: the secret that a member's authenticator app shares with the site
-- (data/accounts/twofactor), and hashes of the recovery codes that were not used.
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

-- Members who have asked for the deletion of their account. It is carried out by steps of a
-- consumer when begin_at has come, unless the member logs in before (data/accounts/deletion). The
-- row of users then stays, empty but for its id, because votes and posts name it. This row
-- keeps the name from being taken, and goes 90 days later.
CREATE TABLE IF NOT EXISTS departures (
  user_id  INTEGER PRIMARY KEY,
  username TEXT    NOT NULL,
  name_key TEXT    NOT NULL,
  content  TEXT    NOT NULL CHECK (content IN ('keep', 'delete')), -- posts and comments
  asked_at INTEGER NOT NULL,
  begin_at INTEGER NOT NULL,
  left_at  INTEGER,                           -- since then the account is gone; NULL: it can be taken back
  due_at   INTEGER                            -- when the sweep sends the message of its steps; NULL: all are done
) STRICT;
CREATE INDEX IF NOT EXISTS departures_name ON departures (name_key);
CREATE INDEX IF NOT EXISTS departures_due ON departures (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS departures_left ON departures (left_at) WHERE left_at IS NOT NULL;

-- What may be used once and was: challenges of passkeys, states of a login elsewhere,
-- codes (data/accounts/onetime). spender is the request that did. Rows go when it has run out anyway.
CREATE TABLE IF NOT EXISTS spent (
  token      TEXT    PRIMARY KEY,
  spender    TEXT    NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS spent_expiry ON spent (expires_at);

-- Calls counted while Redis can't be asked, for the limits of logging in and signing up
-- (data/site/ratelimit/limit.go). The window is the number of one in time; before is the count of the
-- window before it.
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

-- Sessions are signed cookies that need no look-up; this holds the exceptions, in
-- every database, so that any write can refuse them in the statement that writes.
-- subject is a session's id (logged out) or a user's (suspended, password changed);
-- what was issued before `before` is void. subject may be an API token's id, too. Rows go
-- when all such cookies and tokens have expired.
CREATE TABLE IF NOT EXISTS revocations (
  subject    INTEGER PRIMARY KEY,
  before     INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS revocations_expiry ON revocations (expires_at);

-- Sessions that members can see and end: a list, not what makes a session valid, which is
-- the signed cookie and revocations (data/accounts/sessions/session.go). A row goes when the session is
-- ended, and some time after it has run out.
CREATE TABLE IF NOT EXISTS sessions (
  id         INTEGER PRIMARY KEY,             -- the cookie's
  user_id    INTEGER NOT NULL,
  started_at INTEGER NOT NULL,                -- when the member logged in
  issued_at  INTEGER NOT NULL,                -- the cookie's, which revocations look at
  seen_at    INTEGER NOT NULL,                -- the beginning of the last day on which it was used, UTC
  device     TEXT    NOT NULL,                -- such as Firefox on Linux
  network    TEXT    NOT NULL,                -- at the login, as ranking.NetworkOf; '' unknown
  way        TEXT    NOT NULL                 -- of logging in: password, passkey, mail, the label of a provider; '' not known
) STRICT;
CREATE INDEX IF NOT EXISTS sessions_user ON sessions (user_id, seen_at);
CREATE INDEX IF NOT EXISTS sessions_seen ON sessions (seen_at);

-- API tokens, by which programs act for members (data/accounts/sessions/token.go). Only a hash is here: who reads the database can't
-- make the token. A row goes when its token is ended or has run out.
CREATE TABLE IF NOT EXISTS tokens (
  id         INTEGER PRIMARY KEY,             -- revocations know it like that of a session
  user_id    INTEGER NOT NULL,
  hash       TEXT    NOT NULL,                -- SHA-256 of the token, base64
  name       TEXT    NOT NULL,                -- that its member gave it
  scopes     TEXT    NOT NULL,                -- what it may do: names of sessions.Scope with spaces between them
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER                          -- the beginning of the last day on which it was used, UTC; NULL: never
) STRICT;
CREATE INDEX IF NOT EXISTS tokens_user ON tokens (user_id, id);
CREATE INDEX IF NOT EXISTS tokens_expiry ON tokens (expires_at);

-- Who takes part where.
CREATE TABLE IF NOT EXISTS subscriptions (
  user_id      INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (user_id, community_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS subscriptions_community ON subscriptions (community_id, user_id);
CREATE INDEX IF NOT EXISTS subscriptions_age ON subscriptions (created_at);

-- What is later than since counts as new: subscriptions in the directory
-- (communities.growth), posts in a shard (community_stats.week_posts). A job of each
-- minute moves since towards a week ago and takes what it passes out of the counts, so
-- they are exact for since at all times. Without a row since is 0.
CREATE TABLE IF NOT EXISTS weeks (
  what  TEXT    PRIMARY KEY CHECK (what IN ('members', 'posts')),
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who follows whom; the triggers keep users.followers and users.following.
CREATE TABLE IF NOT EXISTS follows (
  follower_id INTEGER NOT NULL,
  followee_id INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  loud        INTEGER NOT NULL DEFAULT 0 CHECK (loud IN (0, 1)),     -- their posts are merged when the timeline is read
  unfilled    INTEGER NOT NULL DEFAULT 0 CHECK (unfilled IN (0, 1)), -- their newest posts are still to be written into it
  PRIMARY KEY (follower_id, followee_id),
  CHECK (follower_id <> followee_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS follows_followee ON follows (followee_id, follower_id);
CREATE INDEX IF NOT EXISTS follows_loud ON follows (follower_id, created_at) WHERE loud = 1;
CREATE INDEX IF NOT EXISTS follows_unfilled ON follows (follower_id) WHERE unfilled = 1;

-- The tags that members follow. Their posts are merged when a timeline is read (data/lists/listings/home_tags.go).
CREATE TABLE IF NOT EXISTS tag_follows (
  user_id    INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

-- Timelines, as members read them at /home: posts of those whom they follow, written here when they are published
-- (data/lists/timelines). What is deleted or removed stays until newer posts displace it, and is left out when it is read.
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
  -- The default is what founders are.
  role         TEXT    NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'moderator', 'approver')),
  PRIMARY KEY (community_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS moderators_user ON moderators (user_id, community_id);

-- Who is asked to moderate a community, until they answer.
CREATE TABLE IF NOT EXISTS moderator_invitations (
  user_id      INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  role         TEXT    NOT NULL CHECK (role IN ('owner', 'moderator', 'approver')),
  inviter_id   INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (user_id, community_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS moderator_invitations_community ON moderator_invitations (community_id);

-- Pages that moderators of a community write (data/content/wiki): what each page says now. wiki_revisions has that too, and what it said
-- before.
CREATE TABLE IF NOT EXISTS wiki_pages (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  slug         TEXT    NOT NULL,              -- of the address; made from the first title, and stays
  title        TEXT    NOT NULL,
  revision     INTEGER NOT NULL,              -- wiki_revisions.number of these words
  deleted_at   INTEGER,                       -- NULL: everybody can read it
  text         TEXT    NOT NULL,              -- Markdown as typed. The long columns come last: lists don't read them
  html         TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS wiki_pages_slug ON wiki_pages (community_id, slug);
CREATE INDEX IF NOT EXISTS wiki_pages_deleted ON wiki_pages (community_id, deleted_at) WHERE deleted_at IS NOT NULL;
-- What a page said, and who wrote it.
CREATE TABLE IF NOT EXISTS wiki_revisions (
  page_id    INTEGER NOT NULL REFERENCES wiki_pages (id) ON DELETE CASCADE,
  number     INTEGER NOT NULL,                -- of the page's, from 1; the oldest go
  author_id  INTEGER,                         -- NULL: it came by an import
  created_at INTEGER NOT NULL,
  restored   INTEGER,                         -- number of the revision whose words these are; NULL: they are new
  title      TEXT    NOT NULL,
  text       TEXT    NOT NULL,
  PRIMARY KEY (page_id, number)
) STRICT, WITHOUT ROWID;
-- An author's, for the export of their data.
CREATE INDEX IF NOT EXISTS wiki_revisions_author ON wiki_revisions (author_id) WHERE author_id IS NOT NULL;

-- Invitations to sign up. Those by which somebody came stay: they say who was invited by whom.
CREATE TABLE IF NOT EXISTS invites (
  id         INTEGER PRIMARY KEY,
  code       TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL,  -- who invites
  uses       INTEGER NOT NULL,  -- how many may sign up by it
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS invites_user ON invites (user_id, expires_at);
-- Decisions of administrators about all whom a member has brought, by invitations of theirs or of those who came by them, until they are
-- carried out (data/accounts/suspensions/invite_tree.go); and the members about whom it was not decided yet.
CREATE TABLE IF NOT EXISTS branch_decisions (
  id         INTEGER PRIMARY KEY,
  user_id    INTEGER NOT NULL,                -- whose invite tree it is
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

-- Mails that are to be sent, until they are sent or given up. key is the mail's own, so that
-- it is left once; a row stays for a week to know it. It goes to address, or to the confirmed
-- address of user_id. When it was sent or given up, due_at is NULL and address and about are
-- empty.
CREATE TABLE IF NOT EXISTS mails (
  id       INTEGER PRIMARY KEY,
  key      TEXT    NOT NULL UNIQUE,
  kind     TEXT    NOT NULL,
  user_id  INTEGER NOT NULL,                  -- 0: it concerns an address alone
  address  TEXT    NOT NULL,
  about    TEXT    NOT NULL,                  -- JSON object of texts
  attempts INTEGER NOT NULL DEFAULT 0,
  left_at  INTEGER NOT NULL,
  due_at   INTEGER,                           -- when the sweep sends its message again; null when it was sent or is given up
  given_up INTEGER NOT NULL DEFAULT 0,        -- 1: it was never sent
  counted_for TEXT NOT NULL DEFAULT ''        -- the kind and keyed hashes of the mailbox and of who asks, of mails that strangers can ask for (worker/request/mail_bound.go)
) STRICT;
CREATE INDEX IF NOT EXISTS mails_due ON mails (due_at) WHERE due_at IS NOT NULL;
-- How many a mailbox got of late.
CREATE INDEX IF NOT EXISTS mails_counted ON mails (counted_for, id) WHERE counted_for <> '';

-- What members were told: a row a member and post or comment, made by the consumer of the outbox's tell (data/delivery/inbox). Ids
-- ascend, so that the order of ids is that in which a member was told, and are never used again, because mails and pages
-- remember up to which id they have told. Therefore a row that goes while its id is the last one leaves a row of user 0 with that id.
-- (AUTOINCREMENT does the same, but writes one more row for each.) Rows go after 180 days, and the oldest of a member's beyond 1,000.
CREATE TABLE IF NOT EXISTS inbox (
  id             INTEGER PRIMARY KEY,
  user_id        INTEGER NOT NULL,
  kind           TEXT    NOT NULL CHECK (kind IN ('answer', 'mention', 'thread')), -- why: the first of these that holds; of a notice thread
  subject_id     INTEGER NOT NULL,            -- the post or comment; of a notice the entry of moderation_log, or what stands for it
  post_id        INTEGER NOT NULL,            -- its thread; of a notice that is about no thread another number
  community_name TEXT    NOT NULL,            -- copies of the thread's
  slug           TEXT    NOT NULL,
  title          TEXT    NOT NULL,
  author_id      INTEGER,                     -- who wrote the post or comment
  excerpt        TEXT    NOT NULL,            -- its first words, plain
  unread         INTEGER NOT NULL DEFAULT 1,
  created_at     INTEGER NOT NULL,            -- by the database's clock
  notice         TEXT    NOT NULL DEFAULT '', -- what was decided (inbox.Notice), where that is what the member is told of; else ''
  about_id       INTEGER NOT NULL DEFAULT 0,  -- of a notice: the post, comment or member that was decided about
  read_to        INTEGER NOT NULL DEFAULT 0   -- read when everything up to this row was marked as read, which can be undone; else 0
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS inbox_subject ON inbox (post_id, subject_id, user_id);
CREATE INDEX IF NOT EXISTS inbox_listed ON inbox (user_id, kind);
CREATE INDEX IF NOT EXISTS inbox_notices ON inbox (user_id) WHERE notice <> '';
CREATE INDEX IF NOT EXISTS inbox_unread ON inbox (user_id, subject_id) WHERE unread = 1;

-- A conversation between a member and the moderators of a community, or the administrators (data/moderation/modmail). Its messages are never changed.
CREATE TABLE IF NOT EXISTS conversations (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,              -- 0: with the administrators
  user_id      INTEGER NOT NULL,              -- the member
  subject      TEXT    NOT NULL,
  about        TEXT    NOT NULL,              -- address of the post or comment that it is about; '' none
  status       TEXT    NOT NULL CHECK (status IN ('open', 'answered', 'closed')), -- open: moderators are to answer
  taken_by     INTEGER,                       -- the moderator who has written last
  said_at      INTEGER NOT NULL,              -- when the last message was written
  decision_id  INTEGER NOT NULL DEFAULT 0,    -- of the entry of moderation_log that it appeals against; 0 none
  decider_id   INTEGER NOT NULL DEFAULT 0,    -- who has decided that
  verdict      TEXT    NOT NULL DEFAULT ''    -- upheld or overturned; '' while nobody has decided about the appeal
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
  side            TEXT    NOT NULL CHECK (side IN ('member', 'moderators', 'note')), -- note: for moderators alone
  body            TEXT    NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS conversation_messages_of ON conversation_messages (conversation_id);
CREATE INDEX IF NOT EXISTS conversation_messages_author ON conversation_messages (author_id);

-- Threads that members follow, to be notified of every comment, or have muted, to be notified of none. The time of a comment decides: a
-- member who has ended a mute is not notified of what was written before that, so the row stays for a day.
CREATE TABLE IF NOT EXISTS watches (
  user_id    INTEGER NOT NULL,
  post_id    INTEGER NOT NULL,
  path       TEXT    NOT NULL,                -- communities.name_key/posts.slug, by which the thread's page finds it
  muted      INTEGER NOT NULL CHECK (muted IN (0, 1)), -- 0: followed
  created_at INTEGER NOT NULL,                -- since when, by the database's clock
  quiet_from INTEGER,                         -- when it was muted last; NULL: never
  quiet_to   INTEGER,                         -- when that ended; NULL: it did not. With muted 1 the row means nothing else any more
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS watches_path ON watches (user_id, path);
CREATE INDEX IF NOT EXISTS watches_followed ON watches (post_id, user_id) WHERE muted = 0;
CREATE INDEX IF NOT EXISTS watches_muted ON watches (post_id) WHERE muted = 1;
CREATE INDEX IF NOT EXISTS watches_ended ON watches (quiet_to) WHERE muted = 1 AND quiet_to IS NOT NULL;

-- What members are told of by mail, if they have chosen: at once, in a digest, or not. Without a row: answers and mentions at
-- once (data/delivery/inbox/mail.go).
CREATE TABLE IF NOT EXISTS mail_choices (
  user_id   INTEGER PRIMARY KEY,
  answers   TEXT    NOT NULL CHECK (answers IN ('now', 'digest', 'none')),
  mentions  TEXT    NOT NULL CHECK (mentions IN ('now', 'digest', 'none')),
  threads   TEXT    NOT NULL CHECK (threads IN ('now', 'digest', 'none')),
  days      INTEGER NOT NULL CHECK (days IN (1, 7)), -- between two digests
  digest_at INTEGER,                          -- when the next is due; NULL: no digest
  digest_to INTEGER NOT NULL                  -- the last row of inbox that the last digest was about
) STRICT;
CREATE INDEX IF NOT EXISTS mail_choices_due ON mail_choices (digest_at) WHERE digest_at IS NOT NULL;

-- Mails about threads: which are to be left, and which were left in the last day.
CREATE TABLE IF NOT EXISTS thread_mails (
  user_id   INTEGER NOT NULL,
  post_id   INTEGER NOT NULL,
  due_at    INTEGER,                          -- NULL: there is nothing to mail
  mailed_to INTEGER NOT NULL,                 -- the last row of inbox that the last mail was about
  mailed_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS thread_mails_due ON thread_mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS thread_mails_age ON thread_mails (mailed_at) WHERE due_at IS NULL;

-- Devices that show at once what comes into their member's inbox (Web Push, data/delivery/pushes). Each belongs to the session in which it was added,
-- and goes with it. endpoint is the address of the browser's push service; whoever has it and the keys can have something shown.
CREATE TABLE IF NOT EXISTS devices (
  id         INTEGER PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  endpoint   TEXT    NOT NULL,
  public_key TEXT    NOT NULL,                -- p256dh and auth of the subscription, base64url
  secret     TEXT    NOT NULL,
  name       TEXT    NOT NULL,                -- such as "Firefox on Linux"
  created_at INTEGER NOT NULL,
  told_at    INTEGER                          -- when its push service took the last message
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS devices_endpoint ON devices (endpoint);
CREATE INDEX IF NOT EXISTS devices_user ON devices (user_id, id);
CREATE INDEX IF NOT EXISTS devices_session ON devices (session_id);

-- What members want their devices to show, if they have chosen. Without a row: everything.
CREATE TABLE IF NOT EXISTS push_choices (
  user_id  INTEGER PRIMARY KEY,
  answers  INTEGER NOT NULL CHECK (answers IN (0, 1)),
  mentions INTEGER NOT NULL CHECK (mentions IN (0, 1)),
  threads  INTEGER NOT NULL CHECK (threads IN (0, 1))
) STRICT;

-- Messages to devices that are to be sent, one a device and thread, until they are sent or given up. A message is about what came after
-- the row since of inbox, up to the row upto. A row of inbox is put in here once, when it is made.
CREATE TABLE IF NOT EXISTS pushes (
  id        INTEGER PRIMARY KEY,
  device_id INTEGER NOT NULL,
  post_id   INTEGER NOT NULL,
  since     INTEGER NOT NULL,
  upto      INTEGER NOT NULL,
  came_at   INTEGER NOT NULL,                 -- when upto was made
  attempts  INTEGER NOT NULL DEFAULT 0,
  asked     INTEGER NOT NULL DEFAULT 0,       -- 1: a message of the queue is under way, and the first that comes begins
  due_at    INTEGER NOT NULL                  -- when a message of the queue is sent, again if it was lost
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS pushes_thread ON pushes (device_id, post_id);
CREATE INDEX IF NOT EXISTS pushes_due ON pushes (due_at);

-- Pictures that members have uploaded (data/content/pictures). Their bytes are in the bucket, by the sum. A row is here before the bytes are
-- there, and as long as they are.
CREATE TABLE IF NOT EXISTS pictures (
  sum        TEXT    PRIMARY KEY,             -- SHA-256 of the bytes, hexadecimal
  type       TEXT    NOT NULL,                -- such as image/webp
  width      INTEGER NOT NULL,                -- in pixels, as it is shown
  height     INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,
  -- small, colour and hash come from the browser of user_id, and may be false. small and colour count only for what that member posts.
  small      INTEGER NOT NULL CHECK (small IN (0, 1)), -- 1: the bucket has a small version, too
  colour     TEXT    NOT NULL,                -- the one that dominates, such as '#00695c'; '' not known
  hash       INTEGER,                         -- difference hash, 64 bits; NULL: not known
  user_id    INTEGER,                         -- who uploaded it first; NULL: an account that is gone
  created_at INTEGER NOT NULL,
  -- coming: the bytes may not be in the bucket yet; going: the job deletes them. Nothing can begin to use either.
  state      TEXT    NOT NULL CHECK (state IN ('coming', 'kept', 'going')),
  check_at   INTEGER,                         -- when the job looks whether anything uses it; NULL: something does
  taken      TEXT                             -- JSON array of [kind, subject_id] of the picture_uses that blocks have ended; NULL: none
) STRICT, WITHOUT ROWID;
-- The key, sum, ends each of them.
CREATE INDEX IF NOT EXISTS pictures_new ON pictures (created_at);
CREATE INDEX IF NOT EXISTS pictures_user ON pictures (user_id, created_at) WHERE user_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_large ON pictures (bytes);
CREATE INDEX IF NOT EXISTS pictures_check ON pictures (check_at) WHERE check_at IS NOT NULL;
-- A quarter of the hash each, by which similar pictures are found (data/content/pictures/likeness.go).
CREATE INDEX IF NOT EXISTS pictures_like0 ON pictures (hash >> 48 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_like1 ON pictures (hash >> 32 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_like2 ON pictures (hash >> 16 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS pictures_like3 ON pictures (hash >> 0 & 65535) WHERE hash IS NOT NULL;
-- How many pictures a member has uploaded first, and their bytes; with user_id 0 those of the whole site.
CREATE TABLE IF NOT EXISTS picture_totals (
  user_id  INTEGER PRIMARY KEY,
  pictures INTEGER NOT NULL,
  bytes    INTEGER NOT NULL
) STRICT;

-- Pictures that must not come again, on the site or in a community. What looks like them comes into the queue
-- (data/moderation/pictureblocks).
CREATE TABLE IF NOT EXISTS picture_blocks (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,              -- 0: on the whole site
  sum          TEXT    NOT NULL,              -- as in pictures
  hash         INTEGER,                       -- as in pictures, when it was blocked; NULL: not known
  target_id    INTEGER NOT NULL,              -- the post or comment with which it was blocked; 0: none
  rule         TEXT    NOT NULL,              -- title of the rule that it breaks
  actor_id     INTEGER NOT NULL               -- who has blocked it
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS picture_blocks_sum ON picture_blocks (sum, community_id);
CREATE INDEX IF NOT EXISTS picture_blocks_new ON picture_blocks (community_id);
CREATE INDEX IF NOT EXISTS picture_blocks_target ON picture_blocks (target_id) WHERE target_id <> 0;
-- As those of pictures.
CREATE INDEX IF NOT EXISTS picture_blocks_like0 ON picture_blocks (hash >> 48 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS picture_blocks_like1 ON picture_blocks (hash >> 32 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS picture_blocks_like2 ON picture_blocks (hash >> 16 & 65535) WHERE hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS picture_blocks_like3 ON picture_blocks (hash >> 0 & 65535) WHERE hash IS NOT NULL;

-- What people without an account have told about something on the site, such as that it is illegal (data/moderation/notices). Rows go two
-- days later if nobody has confirmed them, and 180 days after the decision.
CREATE TABLE IF NOT EXISTS notices (
  id         INTEGER PRIMARY KEY,
  target_id  INTEGER NOT NULL,              -- a post's or comment's id, or a member's
  kind       TEXT    NOT NULL CHECK (kind IN ('illegal', 'rights', 'personal')),
  text       TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  email      TEXT    NOT NULL,
  mailbox    TEXT    NOT NULL,              -- to which email leads: credentials.Owner
  language   TEXT    NOT NULL DEFAULT '',   -- the tag of the sender's, for mails; '': English
  status     TEXT    NOT NULL CHECK (status IN ('unconfirmed', 'open', 'decided', 'objected', 'closed')),  -- open: in the queue; objected: once more
  decision   TEXT    NOT NULL DEFAULT '',   -- as in queue_items
  decided_at INTEGER,
  checked_at INTEGER NOT NULL DEFAULT 0,    -- when the queue was asked about it last
  objected_at INTEGER                       -- when the sender objected to the decision; NULL: they have not
) STRICT;
CREATE INDEX IF NOT EXISTS notices_target ON notices (target_id);
CREATE INDEX IF NOT EXISTS notices_unconfirmed ON notices (id) WHERE status = 'unconfirmed';
CREATE INDEX IF NOT EXISTS notices_mailbox ON notices (mailbox, id) WHERE status = 'unconfirmed';
CREATE INDEX IF NOT EXISTS notices_waiting ON notices (checked_at) WHERE status IN ('open', 'objected');
CREATE INDEX IF NOT EXISTS notices_old ON notices (decided_at) WHERE decided_at IS NOT NULL AND status IN ('decided', 'closed');

-- On which shards the slots are that ids name (data/slot.go). All posts of a community are in one slot, and most communities have one of
-- their own. A slot without a row is on the shard of the same number.
CREATE TABLE IF NOT EXISTS slots (
  slot  INTEGER PRIMARY KEY CHECK (slot BETWEEN 0 AND 1023),
  shard INTEGER NOT NULL,
  epoch INTEGER NOT NULL                      -- ascends with each change of a row, in one sequence for all
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS slots_epoch ON slots (epoch);
-- The moves of slots to other shards (tools/mover), the last one with the highest id. Only that one can be under way. Directory only.
CREATE TABLE IF NOT EXISTS slot_moves (
  id     INTEGER PRIMARY KEY,
  slot   INTEGER NOT NULL,
  source INTEGER NOT NULL,                    -- the shards
  target INTEGER NOT NULL,
  community_name TEXT NOT NULL,               -- of one in the slot, to name the move by
  run    INTEGER NOT NULL,                    -- the process that works on it: each that begins or goes on with a move has the next number
  begun_at INTEGER NOT NULL,
  ended_at INTEGER                            -- NULL: it is under way
) STRICT;
-- The slot that moves from or to this shard. Triggers of the move refuse writes to its rows, and its work waits in the outbox.
CREATE TABLE IF NOT EXISTS closed_slots (
  slot   INTEGER PRIMARY KEY CHECK (slot BETWEEN 0 AND 1023),
  run    INTEGER NOT NULL,                    -- slot_moves.run: other processes may not write for the move
  writes INTEGER NOT NULL DEFAULT 0,          -- 1 within a transaction of that process, which the triggers let through
  earned INTEGER NOT NULL DEFAULT 0           -- author_karma has what authors up to this id have earned in the slot (tools/mover/karma.go)
) STRICT;

-- Messages that no consumer could handle, kept for an administrator. queue is the one
-- they were sent to first, and to which a replay sends them again. Messages only nudge, so
-- those of the same text are one dead letter. Rows go thirty days after they last failed.
CREATE TABLE IF NOT EXISTS dead_letters (
  id          INTEGER PRIMARY KEY,
  queue       TEXT    NOT NULL,
  body        TEXT    NOT NULL,
  message_id  TEXT    NOT NULL,               -- the platform's, of the last message
  failed_at   INTEGER NOT NULL,               -- the first time
  last_at     INTEGER NOT NULL,               -- the last time
  replayed_at INTEGER,                        -- since then; NULL: not yet
  UNIQUE (queue, body)
) STRICT;
CREATE INDEX IF NOT EXISTS dead_letters_waiting ON dead_letters (id) WHERE replayed_at IS NULL;
CREATE INDEX IF NOT EXISTS dead_letters_age ON dead_letters (last_at);

-- ------------------------------------------------------ directory and shard

-- A community. The directory's row is the truth; the community's shard has a copy
-- by which its pages find the id for a name. The id's slot says where it lives.
-- A member's profile is such a row, too (data/names.go), with the name u- and the
-- member's id. Nobody joins it, and lists of communities leave it out.
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
  comment_pictures TEXT NOT NULL DEFAULT '',  -- who adds pictures to comments here: '' as the site says, 'trusted' or 'nobody'
  creator_id   INTEGER,
  members      INTEGER NOT NULL DEFAULT 0,
  growth       INTEGER NOT NULL DEFAULT 0,    -- members of this week, see weeks
  revision     INTEGER,                       -- of the settings, one sequence for all communities; NULL: as founded
  created_at   INTEGER NOT NULL,
  -- Open queue_items and quarantines, for the moderators' header. In the community's shard a trigger of community_stats keeps it; a
  -- directory that is another database has a copy (data/moderation/reports/count.go).
  waiting      INTEGER NOT NULL DEFAULT 0,
  words        TEXT    NOT NULL DEFAULT '',   -- of title, as in users; in the directory alone
  about_words  TEXT    NOT NULL DEFAULT ''    -- of description
) STRICT;
-- The orders in which communities are listed. Profiles are in none of them.
CREATE INDEX IF NOT EXISTS communities_members ON communities (members) WHERE kind = 'community';
CREATE INDEX IF NOT EXISTS communities_growth ON communities (growth) WHERE kind = 'community';
CREATE INDEX IF NOT EXISTS communities_new ON communities (created_at) WHERE kind = 'community';
CREATE UNIQUE INDEX IF NOT EXISTS communities_revision ON communities (revision) WHERE revision IS NOT NULL;
CREATE INDEX IF NOT EXISTS communities_waiting ON communities (waiting) WHERE waiting > 0;
-- A member's, for the export of their data.
CREATE INDEX IF NOT EXISTS communities_creator ON communities (creator_id) WHERE creator_id IS NOT NULL;

-- Whom members block: the blocker is not shown what the blocked write, and the blocked can't answer the blocker. The
-- directory's rows are the truth; each shard has copies, by which the statement that answers is refused. The triggers
-- keep users.blocked, which every page of the blocker reads; a shard has no users.
CREATE TABLE IF NOT EXISTS blocks (
  blocker_id INTEGER NOT NULL,
  blocked_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id),
  CHECK (blocker_id <> blocked_id)
) STRICT, WITHOUT ROWID;

-- What a form has made, so that the same form sent again, or a transaction whose answer
-- was lost, makes nothing a second time (data/idempotency.go). Beside what was made. Rows go after
-- a day.
CREATE TABLE IF NOT EXISTS made (
  author_id  INTEGER NOT NULL,                -- 0: an account, which has no author
  key        TEXT    NOT NULL,                -- kind of form and its token
  digest     TEXT    NOT NULL,                -- of what it said
  made_id    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (author_id, key)
) STRICT, WITHOUT ROWID;
-- That of a member's sign-up.
CREATE INDEX IF NOT EXISTS made_account ON made (made_id) WHERE author_id = 0;

-- The names of members who have taken a new one, in every database: statements that copy a name ask here first, because
-- a cookie may have the name before.
CREATE TABLE IF NOT EXISTS names (
  user_id INTEGER PRIMARY KEY,
  name    TEXT    NOT NULL
) STRICT;

-- The avatars of members who have chosen one, in every database: statements that copy one take it from here.
CREATE TABLE IF NOT EXISTS avatars (
  user_id  INTEGER PRIMARY KEY,
  avatar   TEXT    NOT NULL,                  -- as in users.avatar
  revision INTEGER NOT NULL                   -- users.revision when it was: an older one does not replace it
) STRICT;

-- What moderators and administrators have decided, in the database of what they decided about: the site's own decisions in the
-- directory, a community's in its shard (data/moderation/modlog). Everybody can read it, but for the notes.
CREATE TABLE IF NOT EXISTS moderation_log (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,              -- 0: the site's
  action       TEXT    NOT NULL,              -- modlog.Action
  target_id    INTEGER NOT NULL,              -- a post's, a comment's or a member's id; 0: of nothing in particular
  author_id    INTEGER,                       -- whose the target is, or the member; NULL: nobody's
  rule         TEXT    NOT NULL DEFAULT '',   -- title of the rule that is cited, or of a flair its text; '' none
  note         TEXT    NOT NULL DEFAULT '',   -- message to author_id, not public
  until        INTEGER,                       -- when it ends by itself; NULL: it does not
  actor_id     INTEGER NOT NULL,
  actor_name   TEXT    NOT NULL,              -- copy
  undone_by    INTEGER,                       -- the entry that took it back
  clear_from   INTEGER,                       -- of a ban or mute: what the member has written since then is removed; NULL: it stays
  found        TEXT    NOT NULL DEFAULT 'person' CHECK (found IN ('person', 'report', 'notice', 'rule')) -- how it came to be decided
) STRICT;
CREATE INDEX IF NOT EXISTS moderation_log_community ON moderation_log (community_id);
-- What the directory has of communities: decisions about their moderators and settings.
CREATE INDEX IF NOT EXISTS moderation_log_house ON moderation_log (community_id) WHERE action IN ('owner', 'moderator', 'approver', 'dismiss', 'resign', 'settings', 'block-picture', 'unblock-picture', 'page-new', 'page-edit', 'page-delete', 'page-restore', 'page-erase');
CREATE INDEX IF NOT EXISTS moderation_log_target ON moderation_log (target_id, action);
CREATE INDEX IF NOT EXISTS moderation_log_author ON moderation_log (author_id, community_id) WHERE author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS moderation_log_actor ON moderation_log (actor_id) WHERE actor_name <> '';
-- How many entries of moderation_log each moderator has made in a month, and how many of those were taken back.
CREATE TABLE IF NOT EXISTS moderation_counts (
  community_id INTEGER NOT NULL,              -- as there
  month        INTEGER NOT NULL,              -- UTC; 202611 is November 2026
  actor_id     INTEGER NOT NULL,              -- as there
  action       TEXT    NOT NULL,
  made         INTEGER NOT NULL,
  undone       INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (community_id, month, actor_id, action)
) STRICT, WITHOUT ROWID;

-- How often what happened in half a year, for the page of numbers (data/moderation/transparency). Whatever changes the queue, notices and
-- appeals counts here, so numbers stay when rows go. A daily job counts the log.
CREATE TABLE IF NOT EXISTS transparency (
  half   INTEGER NOT NULL,                    -- UTC; 20262 is the second half of 2026
  what   TEXT    NOT NULL CHECK (what IN ('decision', 'queue', 'notice', 'objection', 'appeal')),
  kind   TEXT    NOT NULL,                    -- what was decided; '': it came
  ground TEXT    NOT NULL,                    -- of a decision: the ground in law, 'rule' or ''; of a notice and an objection: its kind
  found  TEXT    NOT NULL,                    -- as in moderation_log; of what left the queue: report, rule or held
  within INTEGER NOT NULL,                    -- hours that it took at most, one of a few numbers, 1000: longer; 0: nothing is measured
  n      INTEGER NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0,          -- of n
  PRIMARY KEY (half, what, kind, ground, found, within)
) STRICT;

-- -------------------------------------------------------------------- shard

-- Whom the moderators of a community keep from taking part in it (data/moderation/bans): who is banned may read and nothing else, who is muted may
-- vote and report as well. The statements that write in the community ask for it. A row whose end has come means nothing any more, and goes.
CREATE TABLE IF NOT EXISTS bans (
  id           INTEGER PRIMARY KEY,           -- of the entry in moderation_log that says who decided so, when and why
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  kind         TEXT    NOT NULL CHECK (kind IN ('ban', 'mute')),
  username     TEXT    NOT NULL,              -- copy
  until        INTEGER NOT NULL,              -- when it ends; 2^52: it does not
  UNIQUE (community_id, user_id)
) STRICT;
-- Its order ends, without a word, in the id (see posts_hot).
CREATE INDEX IF NOT EXISTS bans_listed ON bans (community_id, until);
CREATE INDEX IF NOT EXISTS bans_named ON bans (community_id, username COLLATE NOCASE);
-- A member's, whose name they have.
CREATE INDEX IF NOT EXISTS bans_user ON bans (user_id);
CREATE INDEX IF NOT EXISTS bans_ended ON bans (until) WHERE until < 4503599627370496;

-- A post without its text, which only its own page reads. Ids are even (data/id.go).
CREATE TABLE IF NOT EXISTS posts (
  id             INTEGER PRIMARY KEY,
  community_id   INTEGER NOT NULL,
  community_name TEXT    NOT NULL,            -- copy
  author_id      INTEGER,                     -- NULL: imported, nobody's
  author_name    TEXT    NOT NULL,            -- copy
  slug           TEXT    NOT NULL,
  kind           TEXT    NOT NULL CHECK (kind IN ('text', 'link', 'image')),
  title          TEXT    NOT NULL,
  link           TEXT    NOT NULL DEFAULT '', -- page it points to
  image          TEXT    NOT NULL DEFAULT '', -- picture it shows
  image_width    INTEGER NOT NULL DEFAULT 0,  -- of that picture in pixels; 0 until it was fetched first
  image_height   INTEGER NOT NULL DEFAULT 0,
  domain         TEXT    NOT NULL DEFAULT '', -- of link, else of image
  excerpt        TEXT    NOT NULL DEFAULT '', -- the text's first words, plain
  status         TEXT    NOT NULL DEFAULT 'published'
                 CHECK (status IN ('draft', 'scheduled', 'published', 'archived', 'removed', 'deleted')),
  locked         INTEGER NOT NULL DEFAULT 0,
  nsfw           INTEGER NOT NULL DEFAULT 0,
  spoiler        INTEGER NOT NULL DEFAULT 0,
  base_ups       INTEGER NOT NULL DEFAULT 0,  -- what it was imported with; ups = base_ups + votes of 1
  base_downs     INTEGER NOT NULL DEFAULT 0,
  ups            INTEGER NOT NULL DEFAULT 0,
  downs          INTEGER NOT NULL DEFAULT 0,
  score          INTEGER NOT NULL DEFAULT 0,
  hot            REAL    NOT NULL,            -- ranking.Hot; for what votes write of score, hot and controversy, see post_counters
  controversy    REAL    NOT NULL DEFAULT 0,  -- ranking.Controversy
  comments       INTEGER NOT NULL DEFAULT 0,
  -- The number of comments by which lists sort, off by at most a 32nd: so most comments write no entries of its indexes.
  comments_step  INTEGER NOT NULL DEFAULT 0,
  -- When its last comment that is shown was written, to a minute; NULL: there is none. And active is ranking.Active of the last one that
  -- others than the author of the post have written. The fold writes both for new comments, a trigger when one is shown or taken away.
  commented_at   INTEGER,
  active         INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL,
  -- The youngest window it is in: 0 hour, 1 day, 2 week, 3 month, 4 year, 5 none of them.
  -- A job raises it in time; it may lag, never lead (data/content/posts/age.go).
  age            INTEGER NOT NULL DEFAULT 0 CHECK (age BETWEEN 0 AND 5),
  edited_at      INTEGER,
  -- What it is about: the key (weburl.Key) of link or image, or of what a crosspost leads to; else ''.
  link_key       TEXT    NOT NULL DEFAULT '',
  crosspost_of   INTEGER,                     -- the post that it shows again, on any shard; NULL otherwise
  crosspost      TEXT,                       -- copy of that post's address, title and author: JSON of posts.Original
  publish_at     INTEGER,                     -- of a scheduled post
  source         TEXT,                        -- where it was imported from; NULL otherwise
  pinned_at      INTEGER,                     -- when a moderator pinned it; NULL: it is not pinned
  author_avatar  TEXT    NOT NULL DEFAULT '', -- copy; '' of what is deleted or has no name
  -- 1: it waits for a moderator, 2: a moderator has removed it then. Nobody but its author and the moderators has ever seen it, and its
  -- status is 'removed'. 0: everything else.
  held           INTEGER NOT NULL DEFAULT 0,
  answer         TEXT    NOT NULL DEFAULT '', -- HTML: what an automatic rule answers
  flair_id       INTEGER,                     -- NULL: none; the flair may have been deleted since
  tags           TEXT    NOT NULL DEFAULT '', -- as tags.Parse returns them: sorted, one space between them
  -- How many people have looked at it, each counted once a week (data/lists/views). Of these views, week_views are of the week views_week.
  views          INTEGER NOT NULL DEFAULT 0,
  week_views     INTEGER NOT NULL DEFAULT 0,
  views_week     INTEGER NOT NULL DEFAULT 0,
  pictures       TEXT    NOT NULL DEFAULT '', -- JSON array of pictures.Picture; '' none
  words          TEXT    NOT NULL DEFAULT '', -- of title, as in users
  UNIQUE (community_id, slug)
) STRICT;
-- Indexes of listings end in the sort value and, without a word, the id: the rowid that
-- every index entry has. All of it ascends, so that SQLite can seek to a cursor's value
-- and id; with DESC or a named id it would read through all ties (data/lists/listings/sql.go).
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
-- What a community's first page begins with, two posts at most.
CREATE INDEX IF NOT EXISTS posts_pinned ON posts (community_id, pinned_at) WHERE pinned_at IS NOT NULL;
-- Posts about the same thing, and among them a post's crossposts.
CREATE INDEX IF NOT EXISTS posts_same ON posts (link_key, created_at) WHERE link_key <> '';
-- The crossposts of a post, also of one that was deleted and has no link_key any more.
CREATE INDEX IF NOT EXISTS posts_crossposts ON posts (crosspost_of) WHERE crosspost_of IS NOT NULL;
-- Which posts are to be published next.
CREATE INDEX IF NOT EXISTS posts_scheduled ON posts (publish_at) WHERE status = 'scheduled';
-- A member's own posts that others don't see, of one status, as they were saved last.
CREATE INDEX IF NOT EXISTS posts_own ON posts (author_id, status, coalesce(edited_at, created_at))
  WHERE status IN ('draft', 'scheduled', 'removed');
-- A window's listing merges the ages it is made of, each in the order of its index.
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
-- Which posts have outgrown their age.
CREATE INDEX IF NOT EXISTS posts_aging ON posts (age, created_at) WHERE age < 5;
-- By name, so that a profile needs no look-up of the id first. Names follow when they change.
CREATE INDEX IF NOT EXISTS posts_author ON posts (author_name COLLATE NOCASE, created_at)
  WHERE status = 'published' AND author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_author_top ON posts (author_name COLLATE NOCASE, score)
  WHERE status = 'published' AND author_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_author_views ON posts (author_name COLLATE NOCASE, views)
  WHERE status = 'published' AND author_id IS NOT NULL AND views > 0;
-- An author's posts, the newest last.
CREATE INDEX IF NOT EXISTS posts_by ON posts (author_id, created_at) WHERE status = 'published' AND author_id IS NOT NULL;

-- What is not published and still has a name, by its author.
CREATE INDEX IF NOT EXISTS posts_gone ON posts (author_id) WHERE status <> 'published' AND author_name <> '';

-- The flairs of a community (data/content/flair): labels that its posts and members can have. Posts show the text by the flair's id.
CREATE TABLE IF NOT EXISTS flairs (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  place        INTEGER NOT NULL,              -- in the order in which they are shown
  text         TEXT    NOT NULL,
  colour       TEXT    NOT NULL,              -- one of flair.Colours
  restricted   INTEGER NOT NULL,              -- 1: authors or members can't choose it, moderators give it
  of_members   INTEGER NOT NULL DEFAULT 0     -- 1: a flair of members, not of posts
) STRICT;
CREATE INDEX IF NOT EXISTS flairs_listed ON flairs (community_id, of_members, place);
-- One row for a community whose moderators have defined flairs.
CREATE TABLE IF NOT EXISTS flair_sets (
  community_id INTEGER PRIMARY KEY,
  revision     INTEGER NOT NULL,
  required     INTEGER NOT NULL,              -- 1: its posts need one
  members      TEXT    NOT NULL DEFAULT 'listed' CHECK (members IN ('given', 'listed', 'own')) -- what members can choose: flair.Choice
) STRICT;
-- Which flair a member has in a community (data/content/flair). Posts and comments are read with it.
CREATE TABLE IF NOT EXISTS member_flairs (
  user_id      INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  flair_id     INTEGER,                       -- NULL: none of the community's; it may have been deleted since
  text         TEXT    NOT NULL,              -- words of their own, or of a moderator's; '' none
  colour       TEXT    NOT NULL,              -- of the text, one of flair.Colours
  fixed        INTEGER NOT NULL,              -- 1: the member can't change it
  PRIMARY KEY (user_id, community_id)
) STRICT, WITHOUT ROWID;

-- What posts are listed by: each tag of this shard's posts, and each combination of two or three that a post has had, in their order and with
-- one space between them.
CREATE TABLE IF NOT EXISTS tag_keys (
  id    INTEGER PRIMARY KEY,
  name  TEXT    NOT NULL UNIQUE,
  posts INTEGER NOT NULL DEFAULT 0,           -- that are published with it; of combinations 0
  -- How much it is used these days: the logarithm of the sum of e^(t / 2 days) over these posts, t being when they were posted. So the
  -- order of two tags changes with their posts only, and not by the clock. Where one post is all that counts, and is taken away, the newest 50 are added up.
  heat  REAL    NOT NULL DEFAULT 0,
  -- What tags are found by: how many digits posts has, 0 for none, and the heat, rounded down. They change seldom, so that most posts
  -- write no index.
  digits    INTEGER NOT NULL DEFAULT 0,
  heat_step INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Tags by their first letters, those with more digits in their number of posts first (data/content/tags/store.go).
CREATE INDEX IF NOT EXISTS tag_keys_begin ON tag_keys (digits, name) WHERE digits > 0;
CREATE INDEX IF NOT EXISTS tag_keys_heat ON tag_keys (heat_step) WHERE digits > 0;
-- A row for each tag of a published post and for each combination of two or three of them, 25 at most, the newest post last. Nothing here
-- changes with votes, comments or views: lists in other orders read the posts (data/lists/listings/tags.go).
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

-- What uses pictures here: each element of posts.pictures and of comments.pictures, the picture in users.avatar, and
-- communities.icon and banner. Triggers keep them.
CREATE TABLE IF NOT EXISTS picture_uses (
  sum        TEXT    NOT NULL,                -- pictures.sum
  kind       TEXT    NOT NULL CHECK (kind IN ('post', 'comment', 'avatar', 'icon', 'banner')),
  subject_id INTEGER NOT NULL,                -- id of the post, comment, member or community
  position   INTEGER NOT NULL,                -- among its pictures, from 0
  PRIMARY KEY (sum, kind, subject_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS picture_uses_subject ON picture_uses (subject_id, kind);
-- Pictures that lost a use here, until the directory knows (data/content/pictures/sweep.go).
CREATE TABLE IF NOT EXISTS picture_losses (
  sum TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Drafts that their authors have deleted, of which nothing else is left: whoever asks twice
-- is told the same, and others nothing. Rows go after a day.
CREATE TABLE IF NOT EXISTS deleted_drafts (
  post_id        INTEGER PRIMARY KEY,
  author_id      INTEGER NOT NULL,
  community_name TEXT    NOT NULL,            -- copy
  deleted_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS deleted_drafts_age ON deleted_drafts (deleted_at);

-- What the page behind a link says of itself, fetched in the background. The key is a
-- post's link as it was typed: a page is fetched once a day however many posts link to it,
-- and a post whose link is edited shows no other page's words.
CREATE TABLE IF NOT EXISTS link_previews (
  url         TEXT    PRIMARY KEY,
  title       TEXT    NOT NULL DEFAULT '',
  description TEXT    NOT NULL DEFAULT '',
  site_name   TEXT    NOT NULL DEFAULT '',
  image       TEXT    NOT NULL DEFAULT '',    -- address of a picture, checked to be public when it was stored
  reason      TEXT    NOT NULL DEFAULT '',    -- why the last fetch brought nothing; '' when it did
  fetched_at  INTEGER NOT NULL
) STRICT;

-- Work that a transaction of this database leaves to a consumer of plaza-events, written in
-- that same transaction. A row goes when its work is done. due_at is when the sweep sends
-- its message again: the first time, the one that was sent at once may have been lost;
-- later, an attempt has failed.
CREATE TABLE IF NOT EXISTS outbox (
  subject_id INTEGER NOT NULL,                -- the post or comment it concerns, or in the directory the member
  work       TEXT    NOT NULL,                -- link: fetch what the post's link says; the others are in data/delivery/outbox
  queued_at  INTEGER NOT NULL,                -- grows when there is new work: whoever did the old keeps the row
  attempts   INTEGER NOT NULL DEFAULT 0,
  due_at     INTEGER NOT NULL,
  PRIMARY KEY (work, subject_id)
) STRICT, WITHOUT ROWID;
-- Without the work of each comment and post: that is done within seconds, so few rows have it, and what is due is found among them.
CREATE INDEX IF NOT EXISTS outbox_due ON outbox (due_at) WHERE work NOT IN ('notify', 'timeline');

-- Whom a post or comment has mentioned, so that nobody is told of it again when it is edited.
CREATE TABLE IF NOT EXISTS mentions (
  subject_id INTEGER NOT NULL,                -- posts.id or comments.id
  name_key   TEXT    NOT NULL,                -- users.username_key, if there is such a member
  PRIMARY KEY (subject_id, name_key)
) STRICT, WITHOUT ROWID;

-- When members last looked at threads (data/lists/visits). Rows go after 90 days.
CREATE TABLE IF NOT EXISTS visits (
  user_id INTEGER NOT NULL,
  post_id INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,                   -- the last page of the last visit, to a minute
  since   INTEGER,                            -- the same of the visit before; NULL: there was none; -1: nor was this one, the post was only marked as seen
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS visits_age ON visits (seen_at);

-- Counts of a community that live beside its posts.
CREATE TABLE IF NOT EXISTS community_stats (
  community_id INTEGER PRIMARY KEY,
  posts        INTEGER NOT NULL DEFAULT 0,
  week_posts   INTEGER NOT NULL DEFAULT 0,    -- see weeks
  cases        INTEGER NOT NULL DEFAULT 0,    -- quarantines that are open
  waiting      INTEGER NOT NULL DEFAULT 0     -- queue_items that are open
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS community_stats_cases ON community_stats (cases) WHERE cases > 0;
CREATE INDEX IF NOT EXISTS community_stats_waiting ON community_stats (waiting) WHERE waiting > 0;

-- How many published posts were made on each day, for sitemaps (data/lists/sitemaps). Triggers keep it.
CREATE TABLE IF NOT EXISTS post_days (
  day   INTEGER PRIMARY KEY,                  -- days since 1970, UTC
  posts INTEGER NOT NULL
) STRICT;

-- What of a member's posts and comments in a community is shown, by which their standing goes (data/moderation/reputation). Comments are added by the
-- fold, from count_deltas; what becomes of them afterwards by a trigger.
CREATE TABLE IF NOT EXISTS standings (
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  posts        INTEGER NOT NULL DEFAULT 0,    -- published or archived
  comments     INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (community_id, user_id)
) STRICT, WITHOUT ROWID;

-- A comment. path is the parent's path and the id, 13 characters a level, so that a
-- subtree is one range of the path index. Ids are odd (data/id.go).
CREATE TABLE IF NOT EXISTS comments (
  id          INTEGER PRIMARY KEY,
  post_id     INTEGER NOT NULL,
  parent_id   INTEGER NOT NULL DEFAULT 0,     -- 0: answers the post
  path        TEXT    NOT NULL,
  depth       INTEGER NOT NULL,               -- 0: answers the post
  author_id   INTEGER,
  author_name TEXT    NOT NULL,               -- copy
  op          INTEGER NOT NULL DEFAULT 0,     -- 1: written by the author of the post
  body        TEXT    NOT NULL,
  body_html   TEXT    NOT NULL,
  status      TEXT    NOT NULL DEFAULT 'published' CHECK (status IN ('published', 'removed', 'deleted')),
  base_ups    INTEGER NOT NULL DEFAULT 0,     -- what it was made with; ups = base_ups + votes of 1
  base_downs  INTEGER NOT NULL DEFAULT 0,
  ups         INTEGER NOT NULL DEFAULT 0,
  downs       INTEGER NOT NULL DEFAULT 0,
  score       INTEGER NOT NULL DEFAULT 0,
  best        REAL    NOT NULL DEFAULT 0,     -- ranking.Wilson; for what votes write of score, best and controversy, see comment_counters
  controversy REAL    NOT NULL DEFAULT 0,     -- ranking.Controversy
  qa          REAL    NOT NULL DEFAULT 0,     -- ranking.QARank: 1 and more has an answer of the post's author
  replies     INTEGER NOT NULL DEFAULT 0,     -- direct
  descendants INTEGER NOT NULL DEFAULT 0,     -- all levels
  created_at  INTEGER NOT NULL,
  edited_at   INTEGER,
  author_avatar TEXT  NOT NULL DEFAULT '',    -- copy; '' of what is deleted or has no name
  held        INTEGER NOT NULL DEFAULT 0,     -- as in posts. While it is not 0, it is in no order of siblings, so that no thread finds it
  answer      TEXT    NOT NULL DEFAULT '',    -- as in posts
  pictures    TEXT    NOT NULL DEFAULT '',    -- as in posts
  words       TEXT    NOT NULL DEFAULT ''     -- of body, as in users
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS comments_path ON comments (post_id, path);
-- The orders of siblings. Each ends in the sort value and, without a word, the id, all
-- ascending, so that SQLite can seek to a cursor's value and id (see posts_hot). New and
-- old go by the id alone. What is held is in none of them. Most comments have no controversy and
-- no answer of the post's author, for which qa is best: they come from comments_siblings and
-- comments_best (data/content/comments/page_order.go). All are in comments_top, also those with the
-- vote of their author alone: without them the order would pass over all siblings of other scores.
CREATE INDEX IF NOT EXISTS comments_siblings ON comments (post_id, parent_id) WHERE held = 0;
CREATE INDEX IF NOT EXISTS comments_best ON comments (post_id, parent_id, best) WHERE held = 0;
CREATE INDEX IF NOT EXISTS comments_top ON comments (post_id, parent_id, score) WHERE held = 0;
CREATE INDEX IF NOT EXISTS comments_controversial ON comments (post_id, parent_id, controversy) WHERE held = 0 AND controversy > 0;
CREATE INDEX IF NOT EXISTS comments_qa ON comments (post_id, parent_id, qa) WHERE held = 0 AND qa >= 1;
-- The last comment that is shown, of the author of the post (op) and of others, each one row.
CREATE INDEX IF NOT EXISTS comments_last ON comments (post_id, op, created_at) WHERE status = 'published' AND held = 0;
-- Comments that are long with their pictures, by which a thread's page is cut (data/content/comments/page_sql.go).
CREATE INDEX IF NOT EXISTS comments_long ON comments (id) WHERE octet_length(body_html) + octet_length(pictures) > 512;
-- The best answer of the post's author to a comment comes last.
CREATE INDEX IF NOT EXISTS comments_answers ON comments (parent_id, best, length(body))
  WHERE op = 1 AND status = 'published';
-- A member's own comments of a thread that wait for a moderator.
CREATE INDEX IF NOT EXISTS comments_held ON comments (author_id, post_id) WHERE held = 1;
CREATE INDEX IF NOT EXISTS comments_gone ON comments (author_id) WHERE status <> 'published' AND author_name <> '';
CREATE INDEX IF NOT EXISTS comments_author ON comments (author_name COLLATE NOCASE, id DESC)
  WHERE status = 'published' AND author_id IS NOT NULL;
-- Most comments have the vote of their author alone. The order top takes these from comments_author.
CREATE INDEX IF NOT EXISTS comments_author_top ON comments (author_name COLLATE NOCASE, score)
  WHERE status = 'published' AND author_id IS NOT NULL AND score <> 1;
CREATE INDEX IF NOT EXISTS comments_author_controversial ON comments (author_name COLLATE NOCASE, controversy)
  WHERE status = 'published' AND author_id IS NOT NULL AND controversy > 0;

-- Where comments were imported from, as posts.source says it of posts (importer).
CREATE TABLE IF NOT EXISTS comment_sources (
  source     TEXT    PRIMARY KEY,
  comment_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The truth about votes: one row a user and target. 0 is a vote taken back. Counters
-- are the sums of votes of status 0. The others are quarantined until a moderator decides,
-- or were dropped by one, and counters don't tell their voters (docs/moderation.md).
CREATE TABLE IF NOT EXISTS votes (
  target_id  INTEGER NOT NULL,                -- posts.id (even) or comments.id (odd)
  user_id    INTEGER NOT NULL,
  value      INTEGER NOT NULL CHECK (value IN (-1, 0, 1)),
  status     INTEGER NOT NULL DEFAULT 0 CHECK (status IN (0, 1, 2)), -- counted, quarantined, dropped
  updated_at INTEGER NOT NULL,                -- of the value, by the database's clock
  asked_at   INTEGER NOT NULL DEFAULT 0,      -- when its voter asked for it, by an instance's; an older one changes nothing
  automatic  INTEGER NOT NULL DEFAULT 0,      -- 1: the upvote that a post or comment has of its author from the start, if unchanged
  PRIMARY KEY (target_id, user_id)
) STRICT, WITHOUT ROWID;
-- A member's votes, for the export of what the site has about them. An automatic vote has no entry. One that is changed is automatic no
-- more, and gets its entry then.
CREATE INDEX IF NOT EXISTS votes_user ON votes (user_id, target_id) WHERE automatic = 0;

-- What votes have changed and the counters don't include yet: a row for a voter and a target. Triggers write it, so it is
-- in the vote's own transaction. The fold adds up rows and deletes just those. A post or comment is made
-- with its author's own vote in its counters. For a post that leaves a row of zeros, by which the fold puts the post into hot listings.
CREATE TABLE IF NOT EXISTS vote_deltas (
  target_id  INTEGER NOT NULL,
  user_id    INTEGER NOT NULL,
  ups        INTEGER NOT NULL,
  downs      INTEGER NOT NULL,
  created_at INTEGER NOT NULL,                -- of the first change that is not counted
  PRIMARY KEY (target_id, user_id)
) STRICT, WITHOUT ROWID;

-- Where recent votes came from, to find brigades; gone within 48 hours. One row a vote
-- that stands: created_at is the vote's updated_at, so a changed vote finds the row it
-- replaces without an index. part is the half day of created_at and comes first, so
-- that purging reads from the front and no index on the time is needed.
CREATE TABLE IF NOT EXISTS ballots (
  part       INTEGER NOT NULL,                -- created_at / 43200000: half days (data/content/votes/ballot.go)
  target_id  INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  user_id    INTEGER NOT NULL,                -- its time is the account's
  value      INTEGER NOT NULL,
  network    TEXT    NOT NULL,                -- ranking.NetworkOf: /24 or /48; '' unknown
  referrer   TEXT    NOT NULL,                -- outside host the voter came from; '' none
  PRIMARY KEY (part, target_id, created_at, user_id)
) STRICT, WITHOUT ROWID;

-- A burst of votes in one direction on one target that looks like a brigade, and what
-- became of it. Only those of its votes are quarantined that show a suspicious sign.
CREATE TABLE IF NOT EXISTS quarantines (
  id           INTEGER PRIMARY KEY,
  target_id    INTEGER NOT NULL,
  community_id INTEGER NOT NULL,
  direction    INTEGER NOT NULL CHECK (direction IN (-1, 1)),
  evidence     TEXT    NOT NULL,              -- JSON of votes.Evidence, as of the last vote that joined
  votes        INTEGER NOT NULL DEFAULT 0,    -- rows of quarantined_votes
  status       TEXT    NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'released', 'dropped')),
  created_at   INTEGER NOT NULL,
  decided_at   INTEGER,
  decided_by   INTEGER,
  decided_name TEXT    NOT NULL DEFAULT '',   -- copy
  told_to      INTEGER NOT NULL DEFAULT 0     -- voters up to this id were notified of what the case is now
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

-- What members have reported, and why: once a member and thing (data/moderation/reports). On the shard of the post or comment; reports
-- about members are in the directory.
CREATE TABLE IF NOT EXISTS reports (
  target_id    INTEGER NOT NULL,              -- a post's or a comment's id, or a member's where community_id is 0
  reporter_id  INTEGER NOT NULL,
  community_id INTEGER NOT NULL,              -- 0: about a member, for administrators
  reason       TEXT    NOT NULL,              -- title of a rule of the community, or one of reports.SiteReasons
  text         TEXT    NOT NULL,              -- what the reporter adds; '' nothing
  created_at   INTEGER NOT NULL,              -- by the database's clock
  weight       INTEGER NOT NULL DEFAULT 1,    -- by the standing of the reporter (data/moderation/reputation)
  PRIMARY KEY (target_id, reporter_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reports_said ON reports (target_id, created_at) WHERE text <> '';
CREATE INDEX IF NOT EXISTS reports_reporter ON reports (reporter_id);

-- What waits for moderators, or has waited: one row a thing. Triggers make it of reports. A new report opens what was decided
-- again, unless reports about it are ignored.
CREATE TABLE IF NOT EXISTS queue_items (
  target_id    INTEGER PRIMARY KEY,           -- as in reports
  community_id INTEGER NOT NULL,
  reports      INTEGER NOT NULL,              -- since it waits
  came_at      INTEGER NOT NULL,              -- since when it waits, or has waited
  status       TEXT    NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'decided')),
  decision     TEXT    NOT NULL DEFAULT '',   -- reports.Decision, or deleted by its author; '' while it is open
  decided_by   INTEGER,                       -- the moderator
  decided_at   INTEGER,
  held         INTEGER NOT NULL DEFAULT 0,    -- 1: it is not shown before it is decided
  hits         INTEGER NOT NULL DEFAULT 0,    -- rules that have it wait
  weight       INTEGER NOT NULL DEFAULT 0     -- of the reports since it waits
) STRICT;
-- The orders of a community's queue, and of all together. Each ends, without a word, in the id (see posts_hot).
CREATE INDEX IF NOT EXISTS queue_items_new ON queue_items (community_id, came_at) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_most ON queue_items (community_id, weight) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_all_new ON queue_items (came_at) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS queue_items_all_most ON queue_items (weight) WHERE status = 'open';
-- The same, of what was reported, of what is held, and of what rules have hit.
CREATE INDEX IF NOT EXISTS queue_items_reported ON queue_items (community_id, came_at) WHERE status = 'open' AND reports > 0;
CREATE INDEX IF NOT EXISTS queue_items_all_reported ON queue_items (came_at) WHERE status = 'open' AND reports > 0;
CREATE INDEX IF NOT EXISTS queue_items_held ON queue_items (community_id, came_at) WHERE status = 'open' AND held = 1;
CREATE INDEX IF NOT EXISTS queue_items_all_held ON queue_items (came_at) WHERE status = 'open' AND held = 1;
CREATE INDEX IF NOT EXISTS queue_items_hit ON queue_items (community_id, came_at) WHERE status = 'open' AND hits > 0;
CREATE INDEX IF NOT EXISTS queue_items_all_hit ON queue_items (came_at) WHERE status = 'open' AND hits > 0;
-- What was decided goes after 180 days, with its reports. What is ignored loses the reports.
CREATE INDEX IF NOT EXISTS queue_items_old ON queue_items (coalesce(decided_at, came_at)) WHERE status = 'decided' AND (decision <> 'ignore' OR reports > 0);

-- How many of the reports of an open item give a reason.
CREATE TABLE IF NOT EXISTS report_reasons (
  target_id INTEGER NOT NULL,
  reason    TEXT    NOT NULL,
  reports   INTEGER NOT NULL,
  PRIMARY KEY (target_id, reason)
) STRICT, WITHOUT ROWID;

-- Decisions about what was reported, until its reporters are told (data/delivery/inbox/notice.go). Columns as in queue_items.
CREATE TABLE IF NOT EXISTS report_outcomes (
  target_id  INTEGER NOT NULL,
  decided_at INTEGER NOT NULL,
  decision   TEXT    NOT NULL,
  decided_by INTEGER,
  came_at    INTEGER NOT NULL,                -- reports from then on are meant
  PRIMARY KEY (target_id, decided_at)
) STRICT, WITHOUT ROWID;

-- The automatic rules of a community, on its shard, and in the directory those of the site (data/moderation/rules).
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

-- Which rules have hit which posts and comments, once each; on the shard of what was hit. Rows go after 90 days.
CREATE TABLE IF NOT EXISTS rule_hits (
  target_id    INTEGER NOT NULL,              -- posts.id or comments.id
  rule_id      INTEGER NOT NULL,
  site         INTEGER NOT NULL,              -- 1: a rule of the site
  community_id INTEGER NOT NULL,              -- that of the post or comment
  title        TEXT    NOT NULL,              -- the rule's
  answer       TEXT    NOT NULL,              -- word to the author of what is held
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

-- What members keep for later. The key says whether; the index lists the last saved
-- first, posts (even ids) and comments (odd) apart.
CREATE TABLE IF NOT EXISTS saves (
  user_id    INTEGER NOT NULL,
  target_id  INTEGER NOT NULL,                -- posts.id or comments.id
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, target_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS saves_listed ON saves (user_id, target_id & 1, created_at, target_id);

-- The posts that a member's listings leave out.
CREATE TABLE IF NOT EXISTS hides (
  user_id    INTEGER NOT NULL,
  post_id    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS hides_listed ON hides (user_id, created_at, post_id);

-- An import puts a row here while it writes comments, and takes it away in the same transaction, so nobody else ever sees one. The triggers
-- that would count each comment and put it into the search leave both to the import then (tools/importer/insert.go).
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

-- What the moderators of a community note about members, for each other (data/moderation/reputation). Nobody reads those about oneself.
CREATE TABLE IF NOT EXISTS member_notes (
  id           INTEGER PRIMARY KEY,
  community_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,              -- whom it is about
  author_id    INTEGER NOT NULL,              -- the moderator
  body         TEXT    NOT NULL
) STRICT;
-- Its order ends, without a word, in the id (see posts_hot).
CREATE INDEX IF NOT EXISTS member_notes_listed ON member_notes (user_id, community_id);
-- A moderator's, for the export of their data.
CREATE INDEX IF NOT EXISTS member_notes_author ON member_notes (author_id);

-- Karma that an author earned on this shard; a profile adds the shards up.
CREATE TABLE IF NOT EXISTS author_karma (
  author_id INTEGER PRIMARY KEY,
  name_key  TEXT    NOT NULL UNIQUE,          -- copy of users.username_key
  posts     INTEGER NOT NULL DEFAULT 0,
  comments  INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Authors whose karma was not copied into the directory since it changed on this shard. A row goes when the karma here still is what was
-- copied, so that a copy does not forget a change that is made meanwhile.
CREATE TABLE IF NOT EXISTS karma_changed (
  author_id INTEGER PRIMARY KEY
) STRICT;

-- What administrators set for the whole site (data/site): one row, none as long as everything is as usual. The directory's
-- holds; every other database has a copy, which its own statements read.
CREATE TABLE IF NOT EXISTS site_settings (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  archive  INTEGER NOT NULL,                  -- the age at which threads are archived, in milliseconds
  body     TEXT    NOT NULL                   -- JSON of site.Settings
) STRICT;

-- Pages of the site that administrators write (data/site): about, rules and so on. A page without a row has its first text.
CREATE TABLE IF NOT EXISTS site_pages (
  name     TEXT    PRIMARY KEY,
  revision INTEGER NOT NULL,
  body     TEXT    NOT NULL,                  -- Markdown as typed
  body_html TEXT   NOT NULL
) STRICT, WITHOUT ROWID;

-- What was written to the administrators by the contact form, from 2,000 that wait on nothing more. Answered ones go after half a year.
CREATE TABLE IF NOT EXISTS contact_messages (
  id          INTEGER PRIMARY KEY,
  name        TEXT    NOT NULL,               -- of a member, or that a visitor gave
  member      INTEGER NOT NULL,               -- 1: name is a member's
  email       TEXT    NOT NULL,               -- where they want to be answered
  body        TEXT    NOT NULL,
  answered_at INTEGER,                        -- NULL: it waits for an administrator
  user_id     INTEGER NOT NULL DEFAULT 0      -- the member's; 0 of a visitor, or of an account that was deleted
) STRICT;
CREATE INDEX IF NOT EXISTS contact_messages_open ON contact_messages (id) WHERE answered_at IS NULL;
CREATE INDEX IF NOT EXISTS contact_messages_answered ON contact_messages (id) WHERE answered_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS contact_messages_age ON contact_messages (answered_at) WHERE answered_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS contact_messages_user ON contact_messages (user_id) WHERE user_id <> 0;

-- What the search finds (data/lists/search): an index of full text for posts, one for comments, and in the directory those of communities and
-- members. The rowid is the id. Indexes keep no texts. facets has words by which a search is narrowed: c and the community's id, u and the
-- author's, k and the kind, d and the domain or one above it, l and the end of the link's key and t and a tag in hexadecimal, s and the number of digits of a score from 10 on. The views have what is to be
-- in an index, and triggers write it, in the transaction that changes it: the columns words, and where they are empty the texts themselves.
CREATE VIRTUAL TABLE IF NOT EXISTS search_posts USING fts5 (title, body, facets, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '4');
CREATE VIRTUAL TABLE IF NOT EXISTS search_comments USING fts5 (body, facets, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '4');
CREATE VIRTUAL TABLE IF NOT EXISTS search_communities USING fts5 (name, about, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
CREATE VIRTUAL TABLE IF NOT EXISTS search_people USING fts5 (name, about, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
-- Ids between which the search's index may lack comments of an import. The import fills the gaps at its end, or its next run does (data/lists/search/fill.go).
CREATE TABLE IF NOT EXISTS search_due (
  first_id INTEGER PRIMARY KEY,
  last_id  INTEGER NOT NULL
) STRICT;
-- Indexes of which every page is to be written anew, so that no word of what was erased stays in them (data/lists/search/purge.go).
CREATE TABLE IF NOT EXISTS search_purges (
  about TEXT    PRIMARY KEY CHECK (about IN ('search_posts', 'search_comments')),
  begun INTEGER NOT NULL                      -- 1: it is under way
) STRICT, WITHOUT ROWID;
-- How many posts and comments have each word that at least 1,000 have (data/lists/search/common.go). A search reads these first, so that it never
-- goes through too much of the index. The tables _terms are what the index says of its words.
CREATE TABLE IF NOT EXISTS search_common (
  about TEXT    NOT NULL,                     -- the index: search_posts or search_comments
  word  TEXT    NOT NULL,                     -- as the index has it
  found INTEGER NOT NULL,
  PRIMARY KEY (about, word)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS search_posts_terms USING fts5vocab (search_posts, row);
CREATE VIRTUAL TABLE IF NOT EXISTS search_comments_terms USING fts5vocab (search_comments, row);

-- One row, written now and then to see whether writing works (/healthz).
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

-- The steps of the schema that the database has taken (tools/migrate). One that changes a large table piece by piece is noted when
-- it begins and after each piece.
CREATE TABLE IF NOT EXISTS schema_steps (
  number  INTEGER PRIMARY KEY,
  name    TEXT    NOT NULL,
  reached TEXT    NOT NULL DEFAULT '',        -- JSON array: the key of the last row of the last piece; '' before the first
  done_at INTEGER,                            -- NULL: under way
  site_url TEXT   NOT NULL DEFAULT ''         -- of step 1: SITE_URL of the site whose database it is (tools/setup); '' not known
) STRICT;
