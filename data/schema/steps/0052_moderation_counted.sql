-- What was decided before, of one community at a time. It is counted as it is now, so it may be counted again.
INSERT INTO moderation_counts (community_id, month, actor_id, action, made, undone)
SELECT l.community_id, CAST(strftime('%Y%m', (l.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER), l.actor_id, l.action, count(*), count(l.undone_by)
FROM moderation_log l WHERE l.community_id BETWEEN :first_id AND :last_id GROUP BY 1, 2, 3, 4
ON CONFLICT (community_id, month, actor_id, action) DO UPDATE SET made = excluded.made, undone = excluded.undone;
