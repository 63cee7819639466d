-- What was written before the step standings, of one community at a time. It is counted as it is now, so it may be counted again.
INSERT INTO standings (community_id, user_id, posts, comments)
SELECT w.community_id, w.user_id, sum(w.posts), sum(w.comments) FROM (
  SELECT p.community_id, p.author_id AS user_id, count(*) AS posts, 0 AS comments FROM posts p
  WHERE p.community_id BETWEEN :first_id AND :last_id AND p.author_id IS NOT NULL AND p.status IN ('published', 'archived') GROUP BY p.community_id, p.author_id
  UNION ALL SELECT p.community_id, c.author_id, 0, count(*) FROM posts p CROSS JOIN comments c ON c.post_id = p.id
  WHERE p.community_id BETWEEN :first_id AND :last_id AND c.author_id IS NOT NULL AND c.status = 'published' AND c.held = 0 GROUP BY p.community_id, c.author_id
  -- The fold will add these.
  UNION ALL SELECT p.community_id, c.author_id, 0, -count(*) FROM posts p CROSS JOIN count_deltas d ON d.post_id = p.id CROSS JOIN comments c ON c.post_id = d.post_id AND c.path = d.path
  WHERE p.community_id BETWEEN :first_id AND :last_id AND c.author_id IS NOT NULL GROUP BY p.community_id, c.author_id) w
WHERE true GROUP BY w.community_id, w.user_id
ON CONFLICT (community_id, user_id) DO UPDATE SET posts = excluded.posts, comments = excluded.comments;
