-- Decisions of administrators about all whom a member has brought, by invitations of theirs or of those who came by them, until they are
-- carried out (data/people/branch.go); and the members about whom it was not decided yet.
CREATE TABLE IF NOT EXISTS branch_decisions (
  id         INTEGER PRIMARY KEY,
  user_id    INTEGER NOT NULL,                -- whose branch it is
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
