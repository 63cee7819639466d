package listings

import (
	"cmp"

	"plaza/data"
)

const (
	// The tags of this database that a member follows. Primary key of tag_follows, and the unique index on the names.
	homeTags = `WITH RECURSIVE mine (tag) AS MATERIALIZED (SELECT k.id FROM tag_follows f CROSS JOIN tag_keys k ON k.name = f.name
  WHERE f.user_id = :viewer)`
	homeTagsGiven = `WITH RECURSIVE mine (tag) AS MATERIALIZED (SELECT k.id FROM json_each(:tags) j CROSS JOIN tag_keys k ON k.name = j.value)`
	homeTagNames  = `SELECT f.name FROM tag_follows f WHERE f.user_id = :viewer`

	// The merge, as for authors: the queue of the recursion has the next post of each tag, each found by a seek in post_tags. A post with
	// several of the tags occurs once for each.
	homeTagHeads = `, heads (tag, at, id) AS MATERIALIZED (
  SELECT m.tag, p.created_at, p.id FROM mine m CROSS JOIN posts p ON p.id = (
    SELECT n.post_id FROM post_tags n CROSS JOIN posts f ON f.id = n.post_id
    WHERE n.key_id = m.tag AND f.status = 'published' AND (n.created_at, n.post_id) < (:value, :id)` + homeVisible + `
    ORDER BY n.created_at DESC, n.post_id DESC LIMIT 1)), `
	homeTagged = `(tag, at, id) AS (
  SELECT h.tag, h.at, h.id FROM heads h
  UNION ALL
  SELECT g.tag, p.created_at, p.id FROM merged g CROSS JOIN posts p ON p.id = (
    SELECT n.post_id FROM post_tags n CROSS JOIN posts f ON f.id = n.post_id
    WHERE n.key_id = g.tag AND f.status = 'published' AND (n.created_at, n.post_id) < (g.at, +g.id)` + homeVisible + `
    ORDER BY n.created_at DESC, n.post_id DESC LIMIT 1)
  ORDER BY 2 DESC, 3 DESC LIMIT :walk)`
)

// tagged is part for the posts of followed tags.
func (h *Home) tagged() func(*data.Row) {
	rows := 0
	return func(row *data.Row) {
		entry := h.scan(row)
		if rows++; rows > h.limit { // some of the rows may be the same post, so there may be fewer posts than a page has
			h.merge.EndAt(entry)
		}
	}
}

// compare compares two places: the one that comes first in a timeline, the later one, is less.
func (e *homeEntry) compare(other *homeEntry) int {
	return cmp.Or(cmp.Compare(other.at, e.at), cmp.Compare(other.id, e.id))
}
