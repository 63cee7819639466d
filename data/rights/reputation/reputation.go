// Package reputation computes how well a community knows a member: new, known or trusted.
//
// The table reputations, on the community's shard, has a row for each community and member: how many of the member's posts and comments are
// visible. Triggers count posts in the transaction that changes them (reputations_post, reputations_post_changed). The delta run (package
// votes) counts new comments from count_deltas, so that writing one costs no additional row; a trigger counts later changes of a comment's
// status (reputations_comment_changed). Removals and bans are not stored: each page counts them in the log.
package reputation

import (
	"strings"
	"time"

	"plaza/data"
)

// Level is how well a community knows a member.
type Level string

// The levels.
const (
	New     Level = "new"
	Known   Level = "known"
	Trusted Level = "trusted"
)

// The thresholds of the levels. Accepted are visible posts and comments. Memory is how long removals and bans count.
const (
	KnownAge        = 7 * 24 * time.Hour
	KnownAccepted   = 5
	TrustedAge      = 60 * 24 * time.Hour
	TrustedAccepted = 50
	Memory          = 180 * 24 * time.Hour
)

// Reputation is a member's record in a community.
type Reputation struct {
	Age      time.Duration // of the account
	Posts    int64         // visible ones
	Comments int64         // visible ones
	Removals int64         // of the past half year, without undone ones, 50 at most
	Bans     int64         // and mutes, in the same period
}

// Accepted returns the number of visible posts and comments.
func (s *Reputation) Accepted() int64 { return s.Posts + s.Comments }

// Level returns the level of the reputation. A member is known with five posts and comments and an account that is a week old, unless
// more than one in four was removed. A member is trusted with fifty of them and an account that is sixty days old, unless more than one
// in twenty was removed, or they were banned or muted.
func (s *Reputation) Level() Level {
	switch accepted := s.Accepted(); {
	case s.Age < KnownAge, accepted < KnownAccepted, s.Removals*3 > accepted:
		return New
	case s.Age < TrustedAge, accepted < TrustedAccepted, s.Removals*19 > accepted, s.Bans > 0:
		return Known
	}
	return Trusted
}

// Weight is how much a report counts in the order of the moderators' queue.
func (l Level) Weight() int64 {
	switch l {
	case Known:
		return 2
	case Trusted:
		return 5
	}
	return 1
}

const (
	// Facts are columns that Scan reads: of the member :member in the community with the row k of communities. Primary key, and index
	// moderation_log_author from its end. A member has few entries in half a year, of which at most 50 are read.
	Facts = `coalesce((SELECT s.posts FROM reputations s WHERE s.community_id = k.id AND s.user_id = :member), 0),
  coalesce((SELECT s.comments FROM reputations s WHERE s.community_id = k.id AND s.user_id = :member), 0),
  (SELECT count(*) FROM (SELECT 1 FROM moderation_log l WHERE l.author_id = :member AND l.community_id = k.id AND l.id > :since
  AND l.action = 'remove' AND l.undone_by IS NULL LIMIT 50)),
  (SELECT count(*) FROM (SELECT 1 FROM moderation_log l WHERE l.author_id = :member AND l.community_id = k.id AND l.id > :since
  AND l.action IN ('ban', 'mute') AND l.undone_by IS NULL LIMIT 50))`

	// FactsOfWriter are the same for the author of the comment c or else of the post p, in the community of the row q of queue_items.
	FactsOfWriter = `coalesce((SELECT s.posts FROM reputations s WHERE s.community_id = q.community_id AND s.user_id = ` + writer + `), 0),
  coalesce((SELECT s.comments FROM reputations s WHERE s.community_id = q.community_id AND s.user_id = ` + writer + `), 0),
  (SELECT count(*) FROM (SELECT 1 FROM moderation_log l WHERE l.author_id = ` + writer + ` AND l.community_id = q.community_id
  AND l.id > :since AND l.action = 'remove' AND l.undone_by IS NULL LIMIT 50)),
  (SELECT count(*) FROM (SELECT 1 FROM moderation_log l WHERE l.author_id = ` + writer + ` AND l.community_id = q.community_id
  AND l.id > :since AND l.action IN ('ban', 'mute') AND l.undone_by IS NULL LIMIT 50))`
	writer = `coalesce(c.author_id, p.author_id)`

	// Unique index on name_key.
	reputationOf = `SELECT ` + Facts + ` FROM communities k WHERE k.name_key = :community`
)

// Since returns the parameter :since of the facts.
func Since(source data.Source) data.ID {
	return data.NewID(source.Now().Add(-Memory), 0, data.KindOther, 0)
}

// Args adds the parameters of Facts to those of a statement.
func Args(source data.Source, member data.ID, args data.Args) data.Args {
	args["member"], args["since"] = member, Since(source)
	return args
}

// Scan reads the columns of Facts.
func (s *Reputation) Scan(row *data.Row) {
	s.Posts, s.Comments, s.Removals, s.Bans = row.Int(), row.Int(), row.Int(), row.Int()
}

// Of returns the reputation of a member who is new to a community. Scan sets the other fields.
func Of(source data.Source, member data.ID) *Reputation {
	return &Reputation{Age: source.Now().Sub(member.Time())}
}

// Find reads a member's reputation in a community along with a page, with one statement on its shard. A member without rows, such as member
// 0, is new.
func Find(r *data.Read, source data.Source, community string, member data.ID) *Reputation {
	s := Of(source, member)
	r.FindAt(data.In(community), reputationOf, Args(source, member, data.Args{"community": strings.ToLower(community)}), s.Scan)
	return s
}
