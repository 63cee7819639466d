package timelines

import (
	"time"

	"plaza/data"
)

// Store writes timelines.
type Store struct {
	data.Base
	// Threshold is the highest number of followers with which an author's posts are written into timelines; 0 is DefaultThreshold.
	Threshold int64
}

const (
	// DefaultThreshold limits the writes of one post.
	DefaultThreshold = 5000
	// InactiveAfter is how long after the last visit a member still gets entries.
	InactiveAfter = 30 * 24 * time.Hour
	// EntriesMax is how many entries a timeline has at most. It may have a few more until it is trimmed.
	EntriesMax = 800
	// Backfilled is how many posts of a new followee are written into a timeline.
	Backfilled = 20
)

func (s *Store) threshold() int64 {
	if s.Threshold > 0 {
		return s.Threshold
	}
	return DefaultThreshold
}

const (
	// active is the condition that a member u gets entries. Its parameters are :now and :inactive.
	active = `u.seen_at >= ` + data.DatabaseNow + ` - :inactive`

	// Adds :entries, a JSON array of [time, post, author], to the timeline of :member, except authors whom the member has unfollowed.
	addEntries = `INSERT INTO timeline (user_id, posted_at, post_id, author_id) SELECT :member, value ->> 0, value ->> 1, value ->> 2
  FROM json_each(:entries)
WHERE EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = :member AND f.followee_id = value ->> 2) ON CONFLICT DO NOTHING`

	// Deletes entries that are older than the newest :kept of each of :members, a JSON array. Primary key, a range for each.
	trimTimelines = `DELETE FROM timeline WHERE (user_id, posted_at, post_id) IN (
  SELECT t.user_id, t.posted_at, t.post_id FROM json_each(:members) j CROSS JOIN timeline t ON t.user_id = j.value
  WHERE t.posted_at < (SELECT min(k.posted_at) FROM (SELECT x.posted_at FROM timeline x WHERE x.user_id = j.value ORDER BY x.posted_at DESC
  LIMIT :kept) k))`
)

// entry is a post in a timeline.
type entry struct {
	at           int64 // when it was published, in milliseconds
	post, author data.ID
}
