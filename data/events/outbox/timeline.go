package outbox

import (
	"time"

	"plaza/data"
)

// Jobs about timelines. Jobs of members are in the directory.
const (
	JobTimeline Job = "timeline" // of a post: write it into the timelines of its author's followers
	JobBackfill Job = "backfill" // of a member: write the posts of authors whom they have begun to follow into their timeline
	JobRebuild  Job = "rebuild"  // of a member who was inactive: write the posts of all authors they follow into their timeline
)

const (
	enqueueTimelines = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT p.id, 'timeline', :at, ` + data.DatabaseNow + ` + :wait
FROM json_each(:posts) j CROSS JOIN posts p ON p.id = j.value WHERE p.status = 'published' AND p.created_at = :at
  AND p.author_id IS NOT NULL ON CONFLICT DO NOTHING` + returning

	// This must directly follow the statement that inserts the follow: changes() is how many rows that statement wrote.
	enqueueBackfill = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT :member, 'backfill', :at, ` +
		data.DatabaseNow + ` + :wait
WHERE changes() > 0` + enqueuedAgain + returning

	// Index follows_followee, then primary keys. The jobs are spread over an hour.
	enqueueBackfills = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT f.follower_id, 'backfill', :at, ` + data.DatabaseNow +
		` + :wait + abs(random() % 3600000)
FROM follows f CROSS JOIN users u ON u.id = f.follower_id WHERE f.followee_id = :followee AND f.backfill = 1 AND u.seen_at >= ` +
		data.DatabaseNow + ` - :inactive` + enqueuedAgain

	enqueueRebuild = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT u.id, 'rebuild', :at, ` + data.DatabaseNow + ` + :wait
FROM users u WHERE u.id = :member AND u.following > 0 AND u.seen_at < ` + data.DatabaseNow + ` - :inactive` + enqueuedAgain + returning
)

// EnqueueTimelines enqueues JobTimeline for the posts that the same transaction has published at the time at.
func EnqueueTimelines(w *data.Write, s data.Source, posts []data.ID, at time.Time) {
	enqueue(w, JobTimeline, enqueueTimelines, data.Args{"posts": posts, "at": at, "now": s.DatabaseNow(), "wait": resendAfter})
}

// EnqueueBackfill enqueues JobBackfill for a member, if the statement just before has written a row.
func EnqueueBackfill(w *data.Write, s data.Source, member data.ID) {
	enqueue(w, JobBackfill, enqueueBackfill, data.Args{"member": member, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter})
}

// EnqueueBackfills enqueues JobBackfill for those followers of a member who were active recently and whose timelines lack the member's
// posts. It sends no messages: the retry job sends them within an hour.
func EnqueueBackfills(w *data.Write, s data.Source, followee data.ID, inactiveAfter time.Duration) {
	w.Do(enqueueBackfills, data.Args{"followee": followee, "inactive": inactiveAfter, "at": s.Now(), "now": s.DatabaseNow(),
		"wait": resendAfter})
}

// EnqueueRebuild enqueues JobRebuild for a member who follows others and was last seen longer than inactiveAfter ago.
func EnqueueRebuild(w *data.Write, s data.Source, member data.ID, inactiveAfter time.Duration) {
	enqueue(w, JobRebuild, enqueueRebuild, data.Args{"member": member, "inactive": inactiveAfter, "at": s.Now(), "now": s.DatabaseNow(),
		"wait": resendAfter})
}

const (
	requeueJob = `UPDATE outbox SET attempts = 0, due_at = ` + data.DatabaseNow + ` + :wait WHERE subject_id = :subject AND job = :job`
	// Primary keys.
	dropTimelines = `DELETE FROM outbox WHERE job = :job AND subject_id IN (SELECT value FROM json_each(:posts))
  AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = outbox.subject_id AND p.status = 'published' AND p.author_id IS NOT NULL)
  AND ` + MayBegin
)

// Requeue resets a job's attempts, so that its next message may continue it at once. The consumer sends that message; if it is lost, the
// retry job does after resendAfter.
func Requeue(w *data.Write, s data.Source, subject data.ID, job Job) {
	w.Do(requeueJob, data.Args{"subject": subject, "job": string(job), "now": s.DatabaseNow(), "wait": resendAfter})
}

// DropTimelines deletes JobTimeline of posts of a shard, whenever it was enqueued. It checks in this shard that each post is not published:
// the consumer may have looked for it in another shard.
func DropTimelines(w *data.Write, posts []data.ID) {
	w.Do(dropTimelines, data.Args{"job": string(JobTimeline), "posts": posts})
}
