-- Blocking ends following since then. This ends what it has left before.
DELETE FROM timeline WHERE user_id IN (SELECT blocker_id FROM blocks UNION SELECT blocked_id FROM blocks) AND (
  EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = timeline.user_id AND b.blocked_id = timeline.author_id)
  OR EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = timeline.author_id AND b.blocked_id = timeline.user_id));
DELETE FROM follows WHERE (follower_id, followee_id) IN (SELECT blocker_id, blocked_id FROM blocks UNION ALL SELECT blocked_id, blocker_id FROM blocks);
