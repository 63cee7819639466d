-- Devices that show at once what comes into their member's inbox (Web Push, data/pushes). Each belongs to the session in which it was added,
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
CREATE TRIGGER IF NOT EXISTS devices_signed_out AFTER DELETE ON sessions BEGIN
  DELETE FROM devices WHERE session_id = old.id;
END;

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
CREATE TRIGGER IF NOT EXISTS devices_gone AFTER DELETE ON devices BEGIN
  DELETE FROM pushes WHERE device_id = old.id;
END;
CREATE TRIGGER IF NOT EXISTS inbox_pushed AFTER INSERT ON inbox WHEN new.unread = 1 BEGIN
  INSERT INTO pushes (device_id, post_id, since, upto, came_at, due_at)
  SELECT d.id, new.post_id, new.id - 1, new.id, new.created_at, new.created_at FROM devices d LEFT JOIN push_choices c ON c.user_id = d.user_id
  WHERE d.user_id = new.user_id AND CASE new.kind WHEN 'answer' THEN coalesce(c.answers, 1) WHEN 'mention' THEN coalesce(c.mentions, 1) ELSE coalesce(c.threads, 1) END
  ON CONFLICT (device_id, post_id) DO UPDATE SET upto = excluded.upto, came_at = excluded.came_at;
END;
