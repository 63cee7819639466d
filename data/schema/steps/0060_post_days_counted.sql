-- The posts of some days, counted as they are now. So they may be counted again.
UPDATE post_days SET posts = (SELECT count(*) FROM posts p WHERE p.status = 'published' AND p.created_at >= post_days.day * 86400000 AND p.created_at < (post_days.day + 1) * 86400000)
WHERE day BETWEEN :first_day AND :last_day;
