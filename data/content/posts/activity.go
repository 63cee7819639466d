package posts

import "plaza/ranking"

// The delta run of new comments (package votes) updates posts.commented_at and posts.active, and the trigger comments_activity_changed does
// when a comment is shown or removed. Activity does the same for posts whose comments were written without them.

// Activity computes commented_at and active of the posts :posts, a JSON array of ids. Index comments_last: two rows for each post.
var Activity = `UPDATE posts SET commented_at = n.last, active = n.active FROM (
  SELECT l.id, nullif(max(coalesce(l.others, 0), coalesce(l.author, 0)), 0)/60000*60000 AS last,
    ` + ranking.ActiveSQL("l.created_at", "l.others") + ` AS active FROM (
    SELECT x.id, x.created_at, ` + lastOf + `0) AS others, ` + lastOf + `1) AS author
    FROM json_each(:posts) j CROSS JOIN posts x ON x.id = j.value) l) n
WHERE posts.id = n.id AND (posts.commented_at, posts.active) IS NOT (n.last, n.active)`

const lastOf = `(SELECT max(c.created_at) FROM comments c WHERE c.post_id = x.id AND c.status = 'published' AND c.held = 0 AND c.op = `
