-- What the moderators of plaza dev have to decide: one case of each kind. The statements run in one transaction on a site with the demo's
-- members, posts and comments, once: the first fails if it has moderators. The triggers of reports and rule_hits add items to the queue.

-- Who moderates.
INSERT INTO moderators (community_id, user_id, username, created_at, role)
SELECT k.id, u.id, u.username, u.created_at, j.value ->> 2 FROM json_each('[
  ["golang", "mira", "owner"], ["golang", "okonkwo", "moderator"],
  ["Cooking", "lena", "owner"], ["Cooking", "mira", "moderator"],
  ["linux", "wintergreen", "owner"], ["linux", "mira", "moderator"],
  ["woodworking", "georg", "owner"], ["woodworking", "marek", "moderator"], ["woodworking", "mira", "moderator"],
  ["askscience", "farida", "owner"], ["askscience", "hanna-k", "moderator"], ["askscience", "ines", "approver"]]') j
JOIN communities k ON k.name = j.value ->> 0 JOIN users u ON u.username = j.value ->> 1;

-- What they ask of members.
UPDATE communities SET rules = CASE name
  WHEN 'golang' THEN '[{"title": "Show what you have tried", "text": "A question has its code and its error."},
    {"title": "Vacancies on Fridays only", "text": ""}]'
  WHEN 'Cooking' THEN '[{"title": "A picture comes with its recipe", "text": "In the post or in a comment, within a day."},
    {"title": "Nothing for sale", "text": "No shops, no codes, no referral links."}]'
  WHEN 'woodworking' THEN '[{"title": "Be kind to beginners", "text": "Everybody here has had a number one on the shelf."},
    {"title": "Nothing for sale", "text": ""}]'
  ELSE '[{"title": "Say where you know it from", "text": ""}]' END
WHERE name IN ('golang', 'Cooking', 'woodworking', 'askscience');

-- What is checked automatically.
INSERT INTO rules (id, community_id, title, text, active, changed_by, changed_at)
SELECT (unixepoch() * 1000 - 1767225600000 - 86400000 << 22) + j.key, k.id, j.value ->> 1,
  'rule: ' || (j.value ->> 1) || char(10) || (j.value ->> 2), 1, u.id, unixepoch() * 1000 - 86400000
FROM json_each('[
  ["golang", "Links of newcomers wait",
    "links at least: 1\naccepted below: 1\ndo: hold\nanswer: The first post with a link waits for a moderator."],
  ["Cooking", "What is reported often is hidden", "reports at least: 3\ndo: hold"],
  ["Cooking", "Offers are looked at", "words: free shipping, discount code\ndo: report"],
  ["linux", "Chats elsewhere wait",
    "words: join our server, invite link\ndo: hold\nanswer: Invitations to chats wait for a moderator."]]') j
JOIN communities k ON k.name = j.value ->> 0
JOIN moderators m ON m.community_id = k.id AND m.role = 'owner' JOIN users u ON u.id = m.user_id;

-- Posts that rules have held: the first one of a newcomer, and one with words of a rule.
INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, excerpt, status, held, hot, active,
  created_at)
SELECT (j.at - 1767225600000 << 22) + (k.id & 4190208) + 2 * j.key, k.id, k.name, u.id, u.username,
  j.value ->> 2, 'text', j.value ->> 3, j.value ->> 4, 'removed', 1, round((j.at - 1767225600000) / 45000000.0, 7), j.at, j.at
FROM (SELECT key, value, unixepoch() * 1000 - (value ->> 5) * 60000 AS at FROM json_each('[
  ["golang", "first_gopher", "why-is-the-order-of-my-map-random", "Why is the order of my map random?",
    "I range over it twice and get two orders. It is here, with what I expected: https://go.dev/play/. Is it my mistake?", 34],
  ["linux", "perdita", "a-group-for-people-who-install-it-for-their-parents", "A group for people who install it for their parents",
    "There are nine of us and we share notes. Join our server, the invite link is on my profile.", 71]]')) j
JOIN communities k ON k.name = j.value ->> 0 JOIN users u ON u.username = j.value ->> 1;

INSERT INTO post_texts (post_id, text, html) SELECT p.id, p.excerpt, '<p>' || p.excerpt || '</p>' FROM posts p WHERE p.held = 1;

INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, message, queued, created_at)
SELECT p.id, r.id, 0, p.community_id, r.title, substr(r.text, instr(r.text, 'answer: ') + 8), 1, p.created_at
FROM posts p JOIN rules r ON r.community_id = p.community_id WHERE p.held = 1;

-- What members have reported: author and beginning of a post or comment, who reports it, the reason, their words, minutes ago. The first
-- is a clear case, others are not.
INSERT INTO reports (target_id, reporter_id, community_id, reason, text, created_at)
SELECT t.id, u.id, t.community_id, j.value ->> 3, j.value ->> 4, unixepoch() * 1000 - (j.value ->> 5) * 60000 FROM json_each('[
  ["knifedeals", "Great thread! The pan", "lena", "Nothing for sale", "", 58],
  ["knifedeals", "Great thread! The pan", "sol", "Spam", "The same text is below another post.", 49],
  ["knifedeals", "Great thread! The pan", "theo", "Spam", "", 41],
  ["knifedeals", "Tired of shells?", "umbra", "Spam", "", 30],
  ["brandt", "Everybody here talks", "ines", "Be kind to beginners", "Not the first time. The answer to juno was worse.", 44],
  ["brandt", "Everybody here talks", "zeynep", "Be kind to beginners", "", 27],
  ["brandt", "MSG is poison", "pascal_d", "Something else", "Wrong, and people will believe it. I know that this breaks no rule.", 52],
  ["bogdan", "A shell function does that", "theo", "Something else", "The reply reads a private key with it. Is that all right?", 23],
  ["delphine", "What is your smallest", "brandt", "Show what you have tried", "A survey. No code, no error.", 65],
  ["", "The original panini press", "perdita", "A picture comes with its recipe", "No recipe. It is an iron.", 18]]') j
JOIN users u ON u.username = j.value ->> 2
JOIN (SELECT c.id, p.community_id, c.author_name, c.body AS words FROM comments c JOIN posts p ON p.id = c.post_id
  UNION ALL SELECT p.id, p.community_id, p.author_name, p.title FROM posts p) t
  ON t.author_name = j.value ->> 0 AND instr(t.words, j.value ->> 1) = 1
ORDER BY j.key;

-- A member, reported to the administrators.
INSERT INTO reports (target_id, reporter_id, community_id, reason, text, created_at)
SELECT t.id, u.id, 0, 'Spam', 'Sells things in three communities.', unixepoch() * 1000 - 1500000
FROM users t JOIN users u ON u.username = 'nadia_b' WHERE t.username = 'knifedeals';

-- A comment that waits because a rule looks at its words, and one that a rule has hidden after three reports.
INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, message, queued, created_at)
SELECT c.id, r.id, 0, r.community_id, r.title, '', 1, unixepoch() * 1000 - 1860000 FROM comments c JOIN rules r
  ON r.title = iif(c.body LIKE 'Tired%', 'Offers are looked at', 'What is reported often is hidden') WHERE c.author_name = 'knifedeals';

UPDATE comments SET status = 'removed' WHERE author_name = 'knifedeals' AND body LIKE 'Great thread%';

INSERT INTO moderation_log (id, community_id, action, target_id, author_id, actor_id, actor_name, found)
SELECT (unixepoch() * 1000 - 1767225600000 - 2460000 << 22) + (c.id & 4190208), p.community_id, 'hold', c.id, c.author_id, 0, '', 'rule'
FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.author_name = 'knifedeals' AND c.status = 'removed';

UPDATE queue_items SET held = 1 WHERE target_id IN (SELECT target_id FROM moderation_log WHERE action = 'hold');

-- A comment that the owner has removed, and its author's appeal to the other moderators.
INSERT INTO moderation_log (id, community_id, action, target_id, author_id, rule, note, actor_id, actor_name)
SELECT (unixepoch() * 1000 - 1767225600000 - 5400000 << 22) + (c.id & 4190208) + 1, p.community_id, 'remove', c.id, c.author_id,
  'Be kind to beginners', 'She finished a table. Say something about the table, or nothing.', u.id, u.username
FROM comments c JOIN posts p ON p.id = c.post_id JOIN users u ON u.username = 'georg'
WHERE c.author_name = 'brandt' AND c.body LIKE 'Enjoy your plumbing%';

UPDATE comments SET status = 'removed' WHERE id IN (SELECT target_id FROM moderation_log WHERE action = 'remove');

INSERT INTO conversations (id, community_id, user_id, subject, about, status, said_at, decision_id, decider_id)
SELECT (unixepoch() * 1000 - 1767225600000 - 2700000 << 22) + 2, l.community_id, l.author_id,
  'Appeal: Your comment in c/woodworking was removed', '/c/woodworking/p/' || p.slug || '/' || substr(c.path, -13), 'open',
  unixepoch() * 1000 - 2700000, l.id, l.actor_id
FROM moderation_log l JOIN comments c ON c.id = l.target_id JOIN posts p ON p.id = c.post_id WHERE l.action = 'remove';

-- A question to the moderators.
INSERT INTO conversations (id, community_id, user_id, subject, about, status, said_at)
SELECT (unixepoch() * 1000 - 1767225600000 - 3900000 << 22) + 3, k.id, u.id, 'May I post my first package?', '', 'open',
  unixepoch() * 1000 - 3900000
FROM communities k JOIN users u ON u.username = 'juno' WHERE k.name = 'golang';

INSERT INTO conversation_messages (id, conversation_id, author_id, side, body)
SELECT o.id + 4, o.id, o.user_id, 'member', iif(o.decision_id = 0,
  'It is a small one for envelopes of a synthesizer, with tests. I do not want to advertise, I want to hear what is wrong with it. ' ||
  'Is there a day for that?',
  'Four words, and they were irony. Others in that thread joke about being drunk at the saw and nobody minds. ' ||
  'I see that mine did not read like a joke. I would like it back all the same, or to know where the line is.')
FROM conversations o;

-- A legal notice by somebody without an account.
INSERT INTO legal_notices (id, target_id, kind, text, name, email, mailbox, status)
SELECT (unixepoch() * 1000 - 1767225600000 - 7200000 << 22) + 5, p.id, 'rights',
  'The second photograph in this album is from our catalogue of last spring. We have not allowed anybody to use it. ' ||
  'Please take it down or name us.',
  'Hallgarten Furniture', 'office@hallgarten.example', 'office@hallgarten.example', 'open'
FROM posts p WHERE p.source = 'reddit:t3_1ka58k';

INSERT INTO reports (target_id, reporter_id, community_id, reason, text, created_at, weight)
SELECT n.target_id, -n.id, p.community_id, 'Notice: rights of others', n.text, unixepoch() * 1000 - 6900000, 5
FROM legal_notices n JOIN posts p ON p.id = n.target_id;

-- For administrators: somebody who waits to be let in, and a message by the contact form.
UPDATE users SET waiting = 'I read the woodworking threads since spring and have a question about a chair.' WHERE username = 'nightowl';

INSERT INTO contact_messages (id, name, member, email, body)
SELECT (unixepoch() * 1000 - 1767225600000 - 9000000 << 22) + 6, 'Ada', 0, 'ada@reader.example',
  'Your print view leaves the last line of a thread on a page of its own. A small thing. The rest prints beautifully, ' ||
  'my father reads it that way.'
