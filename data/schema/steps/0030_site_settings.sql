-- What administrators set for the whole site: one row in every database, none as long as everything is as usual.
CREATE TABLE IF NOT EXISTS site_settings (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  archive  INTEGER NOT NULL,                  -- the age at which threads are archived, in milliseconds
  body     TEXT    NOT NULL                   -- JSON of site.Settings
) STRICT;
