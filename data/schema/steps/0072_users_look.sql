-- How names look at a glance (data.LookOf): nobody gets one that looks like an administrator's.
CREATE INDEX IF NOT EXISTS users_look ON users (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(username_key,
  '-', ''), '_', ''), '0', 'o'), '1', 'i'), 'l', 'i'), '3', 'e'), '4', 'a'), '5', 's'), '7', 't'), 'rn', 'm'), 'vv', 'w'));
