// Package sitemaps finds all published posts by the day of their publication (UTC), for search engines.
//
// /sitemap.xml (worker/listing/sitemap.go) lists a sitemap for each day with posts, or several of equal length for a day with more than 500
// posts. Triggers count the posts of each day in post_days, so the list reads one row for each day and no posts. A sitemap reads only its
// own posts, by the index posts_site_new. If a day has several parts, a second request finds those with posts, by one look into the index
// for each (FindFilled). Posts that are imported later, with their old times, are in the sitemaps of their days. A part's address has its
// number and the number of parts of its day, so it needs no read of post_days.
package sitemaps

import (
	"encoding/json"
	"time"

	"plaza/data"
)

// Store reads sitemaps.
type Store struct{ DB *data.DB }

// Day is a day on which posts were published, UTC.
type Day struct {
	Begin time.Time
	Posts int64
}

const dayLength = 24 * time.Hour

const allDays = `SELECT day, posts FROM post_days WHERE day > 0 AND posts > 0 ORDER BY day`

// FindDays reads the days that have posts along with a page, the oldest first. Call the result after Run.
func (s *Store) FindDays(r *data.Read) func() []Day {
	counts := map[int64]int64{}
	r.FindAll(allDays, nil, func(row *data.Row) {
		day := row.Int()
		counts[day] += row.Int()
	})
	return func() []Day { return daysOf(counts) }
}

// Index posts_site_new, once a part.
const filledParts = `SELECT j.key FROM json_each(:parts) j
WHERE EXISTS (SELECT 1 FROM posts p WHERE p.status = 'published' AND p.created_at >= j.value ->> 0 AND p.created_at < j.value ->> 1)`

// FindFilled reads which of some parts have posts. Parts that begin after now have none. A part that is a whole day has some. Call the
// result after Run.
func (s *Store) FindFilled(r *data.Read, parts []Part) func() []Part {
	filled := make([]bool, len(parts))
	var spans [][2]int64
	var indexes []int // of the spans in parts
	for i, part := range parts {
		if filled[i] = part.Parts == 1; !filled[i] {
			from, to := part.Span()
			spans, indexes = append(spans, [2]int64{from.UnixMilli(), to.UnixMilli()}), append(indexes, i)
		}
	}
	if len(spans) > 0 {
		list, _ := json.Marshal(spans) // encoding numbers can't fail
		r.FindAll(filledParts, data.Args{"parts": string(list)}, func(row *data.Row) { filled[indexes[row.Int()]] = true })
	}
	return func() (list []Part) {
		for i, part := range parts {
			if filled[i] {
				list = append(list, part)
			}
		}
		return list
	}
}

// Post is a post's address and when it was written or edited last.
type Post struct {
	Community, Slug string
	At              time.Time
}

// PartMax is the maximum number of posts of one shard in a part.
const PartMax = 10_000

// Index posts_site_new.
const postsOfPart = `SELECT p.id, p.community_name, p.slug, coalesce(p.edited_at, p.created_at) FROM posts p
WHERE p.status = 'published' AND p.created_at >= :from AND p.created_at < :to
ORDER BY p.created_at LIMIT :limit`

// FindPosts reads the posts of a time range along with a page; the end is excluded.
func (s *Store) FindPosts(r *data.Read, from, to time.Time) *[]Post {
	list := &[]Post{}
	r.FindAll(postsOfPart, data.Args{"from": from, "to": to, "limit": PartMax}, func(row *data.Row) {
		if row.InOwnShard(row.ID()) {
			*list = append(*list, Post{Community: row.Text(), Slug: row.Text(), At: row.Time()})
		}
	})
	return list
}
