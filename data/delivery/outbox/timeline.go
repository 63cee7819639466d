package outbox

import (
	"time"

	"plaza/data"
)

// Work about timelines. Work of members is in the directory.
const (
	WorkTimeline Work = "timeline" // of a post: write it into the timelines of its author's followers
	WorkFill     Work = "fill"     // of a member: write the posts of authors whom they have begun to follow into their timeline
	WorkRebuild  Work = "rebuild"  // of a member who was away: write the posts of all authors they follow into their timeline
)

const (
	leaveTimelines = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT p.id, 'timeline', :at, ` + data.DatabaseNow + ` + :wait
FROM json_each(:posts) j CROSS JOIN posts p ON p.id = j.value WHERE p.status = 'published' AND p.created_at = :at
  AND p.author_id IS NOT NULL ON CONFLICT DO NOTHING` + left

	// It must follow the statement that begins to follow directly: changes() is how many rows that wrote.
	leaveFill = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT :member, 'fill', :at, ` + data.DatabaseNow + ` + :wait
WHERE changes() > 0` + leftAgain + left

	// Index follows_followee, then primary keys. The work is spread over an hour.
	leaveFills = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT f.follower_id, 'fill', :at, ` + data.DatabaseNow +
		` + :wait + abs(random() % 3600000)
FROM follows f CROSS JOIN users u ON u.id = f.follower_id WHERE f.followee_id = :followee AND f.unfilled = 1 AND u.seen_at >= ` +
		data.DatabaseNow + ` - :away` + leftAgain

	leaveRebuild = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT u.id, 'rebuild', :at, ` + data.DatabaseNow + ` + :wait
FROM users u WHERE u.id = :member AND u.following > 0 AND u.seen_at < ` + data.DatabaseNow + ` - :away` + leftAgain + left
)

// LeaveTimelines enqueues WorkTimeline for those of some posts that were published by the same transaction, at the time at.
func LeaveTimelines(w *data.Write, s data.Source, posts []data.ID, at time.Time) {
	leave(w, WorkTimeline, leaveTimelines, data.Args{"posts": posts, "at": at, "now": s.DatabaseNow(), "wait": resendAfter})
}

// LeaveFill enqueues WorkFill for a member, if the statement just before has written a row.
func LeaveFill(w *data.Write, s data.Source, member data.ID) {
	leave(w, WorkFill, leaveFill, data.Args{"member": member, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter})
}

// LeaveFills enqueues WorkFill for followers of a member who were active recently, and whose timelines lack that member's posts. It sends
// no messages: the sweep does the work within an hour.
func LeaveFills(w *data.Write, s data.Source, followee data.ID, away time.Duration) {
	w.Do(leaveFills, data.Args{"followee": followee, "away": away, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter})
}

// LeaveRebuild enqueues WorkRebuild for a member who follows others and was last seen longer than away ago.
func LeaveRebuild(w *data.Write, s data.Source, member data.ID, away time.Duration) {
	leave(w, WorkRebuild, leaveRebuild, data.Args{"member": member, "away": away, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter})
}

const (
	againWork = `UPDATE outbox SET attempts = 0, due_at = ` + data.DatabaseNow + ` + :wait WHERE subject_id = :subject AND work = :work`
	// Primary keys.
	dropTimelines = `DELETE FROM outbox WHERE work = :work AND subject_id IN (SELECT value FROM json_each(:posts))
  AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = outbox.subject_id AND p.status = 'published' AND p.author_id IS NOT NULL)
  AND ` + MayBegin
)

// Again lets the next message continue the work at once. The consumer that does the work sends it, or the sweep.
func Again(w *data.Write, s data.Source, subject data.ID, work Work) {
	w.Do(againWork, data.Args{"subject": subject, "work": string(work), "now": s.DatabaseNow(), "wait": resendAfter})
}

// DropTimelines ends WorkTimeline of posts of a shard that are not published any more, whenever it was enqueued. It checks that once
// more: a post that was not found may have been on another shard.
func DropTimelines(w *data.Write, posts []data.ID) {
	w.Do(dropTimelines, data.Args{"work": string(WorkTimeline), "posts": posts})
}
