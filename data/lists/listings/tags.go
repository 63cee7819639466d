package listings

import (
	"fmt"
	"strings"

	"plaza/data"
	"plaza/ranking"
)

// Limits of what a list by tags reads from one database, in orders other than new and rising, which post_tags has. Tests change these.
var (
	// tagsFew is the maximum number of posts of the tags that are read and sorted for each page.
	tagsFew = 2000
	// tagsLook is how many posts of the site are read instead if the tags have more posts than that.
	tagsLook = 6000
)

const (
	// The tags, and whether they have more posts than are sorted. tag_keys.posts is the number for one tag and all time; other numbers are
	// counted by the primary key of post_tags.
	tagsWanted = `WITH wanted (id, many) AS MATERIALIZED (SELECT k.id, %s > :few FROM tag_keys k WHERE k.name = :tags),
`
	tagsCounted = `(SELECT count(*) FROM (SELECT 1 FROM post_tags n WHERE n.key_id = k.id%s LIMIT :few + 1))`
	tagsWithin  = ` AND n.created_at > ` + data.DatabaseNow + ` - :window`
	tagsLooked  = `SELECT p.id, p.created_at`
	// About posts p.
	tagsPublished = `p.status = 'published'`
	// Posts of the site in the order of its index. Posts that the viewer hides are left out here, so that the result is small even if most
	// posts are hidden. With a LIMIT of 0 it reads nothing.
	tagsFound = `found (id, value) AS MATERIALIZED (SELECT x.id, x.value FROM (%s) x CROSS JOIN wanted w
  WHERE EXISTS (SELECT 1 FROM post_tags t WHERE t.key_id = w.id AND t.created_at = x.created_at AND t.post_id = x.id)%s
  LIMIT iif((SELECT many FROM wanted), :limit, 0)),
`
	// If these are not enough, a row with ends set has the place of the last post that was read.
	tagsShown = `shown (id, value, ends) AS (
  SELECT id, value, 0 FROM (SELECT n.post_id AS id, %[1]s AS value
    FROM wanted w CROSS JOIN post_tags n ON n.key_id = w.id%[2]s CROSS JOIN posts p ON p.id = n.post_id
    WHERE NOT w.many AND %[3]s AND iif(%[1]s = :value, n.post_id < :id, %[1]s < :value) ORDER BY 2 DESC, 1 DESC LIMIT :limit)
  UNION ALL SELECT id, value, 0 FROM found
  UNION ALL SELECT id, value, 1 FROM (SELECT x.id, x.value FROM (%[4]s) x
    LIMIT iif((SELECT many FROM wanted), (SELECT count(*) FROM found) < :limit, 0) OFFSET :look - 1))
`
	// Posts of others that a member has seen.
	tagsUnseen = ` AND NOT EXISTS (SELECT 1 FROM visits seen
  WHERE seen.user_id = :viewer AND seen.post_id = p.id AND p.author_id IS NOT :viewer)`
)

// tagsSQL returns the statement of a list by tags in an order that post_tags does not have: the reader's columns, the sort value, and
// whether the row only marks where the page ends. several reports more than one tag. conditions are about posts p.
//
// If the tags have up to tagsFew posts in the window, it reads and sorts them. Otherwise it reads the site's index of the order and
// selects the posts with the tags. Both return the same posts in the same order, so one page may use the first way and the next page the
// second.
func tagsSQL(v reader, several bool, conditions string, order data.Order, window ranking.Window) string {
	value, only := fromPosts.sortValue(order)
	site := strings.TrimSuffix(listingSQL(reader{columns: tagsLooked}, fromPosts, tagsPublished, order, window), ":limit") + ":look"
	wanted := ``
	if conditions != `` {
		wanted = ` AND EXISTS (SELECT 1 FROM posts p WHERE p.id = x.id` + conditions + `)`
	}
	count, within := `k.posts`, ``
	if order.HasWindows() && window.Duration() > 0 {
		within = tagsWithin
	}
	if several || within != `` {
		count = fmt.Sprintf(tagsCounted, within)
	}
	return fmt.Sprintf(tagsWanted, count) + fmt.Sprintf(tagsFound, site, wanted) +
		fmt.Sprintf(tagsShown, value, within, tagsPublished+only+conditions, site) +
		v.columns + `, s.value, s.ends FROM shown s CROSS JOIN posts p ON p.id = s.id` + v.vote
}

// sortsTags reports whether a list by tags has to be sorted.
func (q *Query) sortsTags() bool {
	return q.Tags != "" && q.Order != data.OrderNew && q.Order != data.OrderRising
}

// findTags reads the page of a list by tags that has to be sorted.
func (s *Store) findTags(r *data.Read, l *Page) {
	q := l.query
	value, id := data.KeysetFrom(q.After)
	args := data.Args{"limit": q.Limit + 1, "value": value, "id": id, "tags": q.Tags, "few": tagsFew, "look": tagsLook}
	if q.bounded() {
		args["window"], args["now"] = q.Window.Duration(), s.Source.DatabaseNow()
	}
	columns, conditions := forVisitor, ""
	if q.Viewer != 0 {
		columns, args["viewer"] = forMember, q.Viewer
		if q.visible {
			conditions += notHidden
		}
		if q.safe {
			conditions += safeForWork
		}
		if q.Unseen {
			conditions += tagsUnseen
		}
	}
	sql := tagsSQL(columns, strings.Contains(q.Tags, " "), conditions, q.Order, q.Window)
	r.FindAll(sql, args, l.part(true))
}
