package accounts

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/events/outbox"
)

const (
	// Primary keys; the triggers follows_begun and follows_ended update the counts. The posts of an author above the fan-out threshold are
	// not written into timelines (package timelines).
	follow = `INSERT INTO follows (follower_id, followee_id, created_at, on_read, backfill)
SELECT :actor, u.id, :at, u.on_read_to IS NOT NULL, u.on_read_to IS NULL FROM users u WHERE u.id = ` + data.MemberNamed + `
  AND u.id <> :actor
  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = u.id AND b.blocked_id = :actor)
  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = :actor AND b.blocked_id = u.id) AND ` + data.LiveSession +
		` ON CONFLICT DO NOTHING`
	unfollow = `DELETE FROM follows WHERE follower_id = :actor
AND followee_id = ` + data.MemberNamed + ` AND ` + data.LiveSession
	// Primary key of timeline, the range of the member.
	removeFromTimeline = `DELETE FROM timeline WHERE user_id = :actor AND author_id = ` + data.MemberNamed + ` AND ` + data.LiveSession
	followee           = `SELECT ` + data.MemberNamed + `, ` + data.LiveSession + `,
  EXISTS (SELECT 1 FROM blocks b WHERE b.blocked_id = :actor AND b.blocker_id = ` + data.MemberNamed + `),
  EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = :actor AND b.blocked_id = ` + data.MemberNamed + `)`
	// Primary key of moderator_invitations by prefix.
	endInvitations = `DELETE FROM moderator_invitations WHERE user_id = :actor AND inviter_id = :other AND ` + data.LiveSession
	// Primary keys of follows, and of timeline the ranges of both members.
	endFollows   = `DELETE FROM follows WHERE follower_id = :follower AND followee_id = :followee AND ` + data.LiveSession
	endTimelines = `DELETE FROM timeline WHERE user_id = :follower AND author_id = :followee AND ` + data.LiveSession
	// Unique index and primary key.
	followsMember = `SELECT EXISTS (SELECT 1 FROM follows WHERE follower_id = :viewer AND followee_id = (SELECT id FROM users
  WHERE username_key = :name))`
)

// Follow follows a member for the actor, or unfollows them if on is false. Unfollowing removes their posts from the actor's timeline.
// Following enqueues outbox.JobBackfill for the actor. NotFound, Unauthenticated, Forbidden if one of the two blocks the other, and Invalid
// for following oneself.
func (s *Store) Follow(ctx context.Context, a data.Actor, name string, on bool) error {
	key := strings.ToLower(name)
	w := s.DB.Write()
	if on {
		w.Do(follow, a.Args(data.Args{"name": key, "at": s.Source.Now()}))
		outbox.EnqueueBackfill(w, s.Source, a.UserID)
	} else {
		w.Do(unfollow, a.Args(data.Args{"name": key}))
		w.Do(removeFromTimeline, a.Args(data.Args{"name": key}))
	}
	var id data.ID
	var live, blocked, blocks bool
	w.Find(followee, a.Args(data.Args{"name": key}), func(r *data.Row) { id, live, blocked, blocks = r.ID(), r.Bool(), r.Bool(), r.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !live:
		return data.ErrSessionEnded
	case id == 0:
		return &data.Error{Code: data.NotFound, Field: "user", Message: "There is no member of that name."}
	case id == a.UserID && on:
		return data.Mistake("user", "You can't follow yourself.")
	case blocks && on:
		return &data.Error{Code: data.Forbidden, Message: "You block this member. Please unblock them first."}
	case blocked && on: // a blocked member must not learn of the block
		return &data.Error{Code: data.Forbidden, Message: "You can't follow this member."}
	}
	return nil
}

// endTies deletes, as a part of blocking, the follows between the actor and another member, the posts of each in the timeline of the other,
// and the other's invitations of the actor to moderate.
func endTies(w *data.Write, a data.Actor, other data.ID) {
	for _, pair := range [][2]data.ID{{a.UserID, other}, {other, a.UserID}} {
		args := data.Args{"follower": pair[0], "followee": pair[1]}
		w.Do(endFollows, a.Args(args))
		w.Do(endTimelines, a.Args(args))
	}
	w.Do(endInvitations, a.Args(data.Args{"other": other}))
}

// FindFollows reads along with a page whether the viewer follows a member.
func (s *Store) FindFollows(r *data.Read, viewer data.ID, name string) *bool {
	follows := new(bool)
	if viewer == 0 {
		return follows
	}
	key := strings.ToLower(name)
	r.FindCached(key, followsMember, data.Args{"viewer": viewer, "name": key}, func(row *data.Row) { *follows = row.Bool() })
	return follows
}
