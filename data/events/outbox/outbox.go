package outbox

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"plaza/data"
)

// Job is a job for the consumer of the events queue. Its subject is the id of a post, a comment, a member, an entry or a message.
type Job string

const (
	// JobLink fetches the page behind a post's link, for its preview.
	JobLink Job = "link"
	// JobNotify notifies the members whom a new post or comment concerns.
	JobNotify Job = "notify"
	// JobUpdate corrects the notifications of a post or comment that was changed or deleted. It notifies the members whom the text mentions
	// now.
	JobUpdate Job = "update"
	// JobDecided notifies the author of a post or comment of a decision. Its subject is the entry of moderation_log. A trigger enqueues it.
	JobDecided Job = "decided"
	// JobReported notifies the reporters of a post or comment of the decision about it. A trigger enqueues it.
	JobReported Job = "reported"
	// JobNotPublished notifies the author of a scheduled post that it was not published, and is a draft again.
	JobNotPublished Job = "not-published"
	// JobQuarantined notifies voters that their votes were quarantined, and of the decision. Its subject is the case.
	JobQuarantined Job = "quarantined"
	// JobClear removes what a banned member has written in a community. Its subject is the entry of moderation_log for the ban.
	JobClear Job = "clear"
	// JobVerdict applies the verdict about an appeal. Its subject is the message with the verdict. The job is in the directory.
	JobVerdict Job = "verdict"
	// JobForget removes the text of a deleted or erased post or comment from everything that quotes it (package erase).
	JobForget Job = "forget"
)

// ForgetAfter is how long after the deletion of a post or comment by its author JobForget becomes due.
const ForgetAfter = 30 * 24 * time.Hour

// enqueue adds a statement that enqueues jobs and returns their subjects. It registers a message for each subject, and calls each with
// it. A transaction whose response was lost is sent again, and some statements then return nothing: the retry job finds these jobs.
func enqueue(w *data.Write, job Job, sql string, args data.Args, each ...func(data.ID)) {
	w.Find(sql, args, func(r *data.Row) {
		id := r.ID()
		w.SendMessages(data.QueueEvents, string(job), id)
		for _, f := range each {
			f(id)
		}
	})
}

const enqueuedByTrigger = `SELECT o.subject_id FROM json_each(:subjects) j CROSS JOIN outbox o ON o.subject_id = j.value AND o.job = :job
  WHERE o.attempts = 0`

// RegisterMessages registers messages for jobs that a trigger of the same transaction has enqueued for some of the subjects: JobDecided and
// JobReported. Call it after adding the statement that fires the trigger.
func RegisterMessages(w *data.Write, job Job, subjects ...data.ID) {
	enqueue(w, job, enqueuedByTrigger, data.Args{"subjects": subjects, "job": string(job)})
}

// resendAfter is how long after it was enqueued a job becomes due, in case its message was lost.
const resendAfter = time.Minute

// A job that is enqueued again is a new one: the end of the old one does not delete it (Done).
const enqueueLinks = `INSERT INTO outbox (subject_id, job, queued_at, due_at)
SELECT p.id, 'link', :at, ` + data.DatabaseNow + ` + :wait FROM json_each(:posts) j CROSS JOIN posts p ON p.id = j.value
WHERE p.status = 'published' AND p.created_at = :at AND p.link <> ''
ON CONFLICT (subject_id, job) DO UPDATE SET queued_at = max(excluded.queued_at, queued_at + 1), attempts = 0, due_at = excluded.due_at` +
	returning

// returning is the end of the statements that enqueue jobs with a message.
const returning = ` RETURNING subject_id`

// EnqueueLinks enqueues JobLink for the posts that have a link and that the same transaction has published at the time at.
func EnqueueLinks(w *data.Write, s data.Source, posts []data.ID, at time.Time) {
	enqueue(w, JobLink, enqueueLinks, data.Args{"posts": posts, "at": at, "now": s.DatabaseNow(), "wait": resendAfter})
}

const (
	// Notifications have the time of their job: queued_at is the database's time.
	enqueueNotify = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT c.id, 'notify', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow +
		` + :wait
FROM comments c WHERE c.id = :id ON CONFLICT DO NOTHING` + returning
	// A text with neither @ nor u/ mentions no member (package markdown), like most texts.
	enqueueNotifyPosts = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT p.id, 'notify', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow + ` + :wait
FROM json_each(:posts) j CROSS JOIN posts p ON p.id = j.value CROSS JOIN post_texts t ON t.post_id = p.id
WHERE p.status = 'published' AND p.created_at = :at AND instr(t.text, '@') + instr(t.text, 'u/') > 0 ON CONFLICT DO NOTHING` + returning
	// :revision is the edited_at that the change has written; a deletion writes none.
	enqueueUpdateComment = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT c.id, 'update', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow + ` + :wait
FROM comments c WHERE c.id = :id AND c.author_id = :author AND iif(c.status = 'deleted', 1, c.edited_at = :revision)` +
		enqueuedAgain + returning
	enqueueUpdatePost = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT p.id, 'update', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow + ` + :wait
FROM posts p WHERE p.id = :id AND p.author_id = :author AND iif(p.status = 'deleted', 1, p.status = 'published'
  AND p.edited_at = :revision)` + enqueuedAgain + returning
	enqueuedAgain = `
ON CONFLICT (subject_id, job) DO UPDATE SET queued_at = max(excluded.queued_at, queued_at + 1), attempts = 0, due_at = excluded.due_at`
)

// EnqueueNotify enqueues JobNotify for a comment, if the same transaction has created it.
func EnqueueNotify(w *data.Write, s data.Source, comment data.ID) {
	enqueue(w, JobNotify, enqueueNotify, data.Args{"id": comment, "now": s.DatabaseNow(), "wait": resendAfter})
}

// EnqueueNotifyPosts enqueues JobNotify for the posts that may contain mentions and that the same transaction has published at the time
// at.
func EnqueueNotifyPosts(w *data.Write, s data.Source, posts []data.ID, at time.Time) {
	enqueue(w, JobNotify, enqueueNotifyPosts, data.Args{"posts": posts, "at": at, "now": s.DatabaseNow(), "wait": resendAfter})
}

// EnqueueUpdate enqueues JobUpdate for a post or comment of the author's, if the same transaction has deleted it or has given it the
// revision; 0 is for a deletion. It calls each with its id.
func EnqueueUpdate(w *data.Write, s data.Source, id, author data.ID, revision int64, each ...func(data.ID)) {
	sql := enqueueUpdatePost
	if id.IsComment() {
		sql = enqueueUpdateComment
	}
	enqueue(w, JobUpdate, sql, data.Args{"id": id, "author": author, "revision": revision, "now": s.DatabaseNow(), "wait": resendAfter},
		each...)
}

const (
	enqueueUpdatePosts = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT p.id, 'update', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow + `
FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value WHERE p.author_id = :author` + enqueuedAgain
	enqueueUpdateComments = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT c.id, 'update', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow + `
FROM json_each(:ids) j CROSS JOIN comments c ON c.id = j.value WHERE c.author_id = :author` + enqueuedAgain

	// :list has arrays of an id, whether it was shown, and the revision. A job that is enqueued already will read the current state.
	enqueueChangedPosts = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT p.id, 'update', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow + ` + :wait
FROM json_each(:list) j CROSS JOIN posts p ON p.id = j.value ->> 0
WHERE (p.status IN ('published', 'archived'), coalesce(p.edited_at, 0)) <> (j.value ->> 1, j.value ->> 2) ON CONFLICT DO NOTHING` +
		returning
	enqueueChangedComments = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT c.id, 'update', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow + ` + :wait
FROM json_each(:list) j CROSS JOIN comments c ON c.id = j.value ->> 0
WHERE (c.status = 'published', coalesce(c.edited_at, 0)) <> (j.value ->> 1, j.value ->> 2) ON CONFLICT DO NOTHING` + returning
)

// EnqueueUpdatePosts enqueues JobUpdate for posts of a member that the same transaction deletes. They may be thousands, and their messages
// would delay mails. So it sends none: the retry job does.
func EnqueueUpdatePosts(w *data.Write, s data.Source, author data.ID, posts []data.ID) {
	w.Do(enqueueUpdatePosts, data.Args{"ids": posts, "author": author, "now": s.DatabaseNow()})
}

// EnqueueUpdateComments is EnqueueUpdatePosts for comments.
func EnqueueUpdateComments(w *data.Write, s data.Source, author data.ID, comments []data.ID) {
	w.Do(enqueueUpdateComments, data.Args{"ids": comments, "author": author, "now": s.DatabaseNow()})
}

// EnqueueChanged enqueues JobUpdate for posts and comments that changed while members were notified of their earlier state. list is a JSON
// array of arrays: an id, whether it was shown, and its revision.
func EnqueueChanged(w *data.Write, s data.Source, list string) {
	args := data.Args{"list": list, "now": s.DatabaseNow(), "wait": resendAfter}
	enqueue(w, JobUpdate, enqueueChangedComments, args)
	enqueue(w, JobUpdate, enqueueChangedPosts, args)
}

const (
	enqueueForgetPosts = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT p.id, 'forget', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow + ` + :wait
FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value WHERE p.author_id = :author AND p.status = 'deleted' ON CONFLICT DO NOTHING`
	enqueueForgetComments = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT c.id, 'forget', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow + ` + :wait
FROM json_each(:ids) j CROSS JOIN comments c ON c.id = j.value WHERE c.author_id = :author AND c.status = 'deleted' ON CONFLICT DO NOTHING`
)

// EnqueueForgetPosts enqueues JobForget for posts that the same transaction has deleted for their author. It is due after ForgetAfter, so
// it sends no message.
func EnqueueForgetPosts(w *data.Write, s data.Source, author data.ID, posts ...data.ID) {
	w.Do(enqueueForgetPosts, data.Args{"ids": posts, "author": author, "now": s.DatabaseNow(), "wait": ForgetAfter})
}

// EnqueueForgetComments is EnqueueForgetPosts for comments.
func EnqueueForgetComments(w *data.Write, s data.Source, author data.ID, comments ...data.ID) {
	w.Do(enqueueForgetComments, data.Args{"ids": comments, "author": author, "now": s.DatabaseNow(), "wait": ForgetAfter})
}

const enqueueDecided = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT l.target_id, :job, ` + data.DatabaseNow + `, ` +
	data.DatabaseNow + ` + :wait
FROM json_each(:entries) j CROSS JOIN moderation_log l ON l.id = j.value WHERE true` + enqueuedAgain + returning

// EnqueueDecided enqueues a job for the posts and comments about which the same transaction has added entries to the log (package modlog).
// It calls each with their ids.
func EnqueueDecided(w *data.Write, s data.Source, job Job, entries []data.ID, each ...func(data.ID)) {
	enqueue(w, job, enqueueDecided, data.Args{"job": string(job), "entries": entries, "now": s.DatabaseNow(), "wait": resendAfter}, each...)
}

// :at is the time at which posts are published.
const enqueueNotPublished = `INSERT INTO outbox (subject_id, job, queued_at, due_at)
SELECT p.id, 'not-published', :at, ` + data.DatabaseNow +
	` + :wait
FROM json_each(:posts) j CROSS JOIN posts p ON p.id = j.value WHERE p.status = 'scheduled' AND p.publish_at <= :at` +
	enqueuedAgain + returning

// EnqueueNotPublished enqueues JobNotPublished for the due posts that the same transaction has not published.
func EnqueueNotPublished(w *data.Write, s data.Source, posts []data.ID, at time.Time) {
	enqueue(w, JobNotPublished, enqueueNotPublished, data.Args{"posts": posts, "at": at, "now": s.DatabaseNow(), "wait": resendAfter})
}

// QuarantinedAfter is how long after the first votes of a case its voters are notified. They are notified together, when the burst is
// over. If they were notified at once, voters could find out by trial which votes are detected.
const QuarantinedAfter = time.Hour

const (
	// Unique index quarantines_open. changes() is 1 if the statement before has added votes to the case. A job that waits already keeps its
	// due time.
	enqueueQuarantined = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT q.id, 'quarantined', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow + ` + :wait
FROM quarantines q WHERE q.target_id = :target AND q.direction = :direction AND q.status = 'open' AND changes() > 0
ON CONFLICT (subject_id, job) DO UPDATE SET queued_at = max(excluded.queued_at, queued_at + 1)`
	enqueueCaseDecided = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT q.id, 'quarantined', ` + data.DatabaseNow + `, ` +
		data.DatabaseNow + ` + :wait
FROM quarantines q WHERE q.id = :case AND changes() > 0` + enqueuedAgain + returning
)

// EnqueueQuarantined enqueues JobQuarantined for the open case of a target and direction, if the statement before it in the same
// transaction has added votes to the case. It is due after QuarantinedAfter, so it sends no message.
func EnqueueQuarantined(w *data.Write, s data.Source, target data.ID, direction int) {
	w.Do(enqueueQuarantined, data.Args{"target": target, "direction": direction, "now": s.DatabaseNow(), "wait": QuarantinedAfter})
}

// EnqueueCaseDecided enqueues JobQuarantined for a case, if the statement before it in the transaction has decided it or undone a decision.
func EnqueueCaseDecided(w *data.Write, s data.Source, id data.ID) {
	enqueue(w, JobQuarantined, enqueueCaseDecided, data.Args{"case": id, "now": s.DatabaseNow(), "wait": resendAfter})
}

const enqueueClear = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT l.id, 'clear', :at, ` + data.DatabaseNow + ` + :wait
FROM json_each(:entries) j CROSS JOIN moderation_log l ON l.id = j.value WHERE l.clear_from IS NOT NULL ON CONFLICT DO NOTHING` + returning

// EnqueueClear enqueues JobClear for the entries of the log that the same transaction has added and that have a NewEntry.ClearFrom.
func EnqueueClear(w *data.Write, s data.Source, entries ...data.ID) {
	enqueue(w, JobClear, enqueueClear, data.Args{"entries": entries, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter})
}

const enqueueVerdict = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT x.id, 'verdict', :at, ` +
	data.DatabaseNow + ` + :wait
FROM conversation_messages x WHERE x.id = :message ON CONFLICT DO NOTHING`

// EnqueueVerdict enqueues JobVerdict for the message of a verdict, if the same transaction has added it. The caller does the job after
// the commit.
func EnqueueVerdict(w *data.Write, s data.Source, message data.ID) {
	w.Do(enqueueVerdict, data.Args{"message": message, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter})
}

// Claimed is a job that was claimed.
type Claimed struct {
	Subject  data.ID
	QueuedAt int64 // when it was enqueued, for Done
	Attempts int64 // including this one
}

// The first message claims the job at once. Later messages claim it only when it is due, so a message that arrives twice does the job
// once. claimDue sets when it is due again: after againAfter for a first attempt, then after four minutes, and each further wait is four
// times as long.
//
// claimFirst is for a new job. It is due within a minute anyway, so claimFirst does not write due_at, which would write the index as well.
// It runs before claimDue. Both read the time, and claimDue claims a job that comes within dueSoon in between.
//
// readFirst is claimFirst for the jobs of each comment and post. It writes nothing, which saves a written row for each. A second message
// within the same half minute may begin such a job again, which is harmless.
const (
	claimDue = `UPDATE outbox SET attempts = attempts + 1, due_at = ` + data.DatabaseNow +
		` + iif(attempts = 0, :again, 60000 << (2 * min(attempts, 8)))` +
		ofSubjects + ` AND iif(attempts = 0, due_at <= ` + data.DatabaseNow + ` + :soon, due_at <= ` + data.DatabaseNow + `)` + claimed
	claimFirst = `UPDATE outbox SET attempts = 1` + ofSubjects + ` AND attempts = 0 AND due_at > ` + data.DatabaseNow + ` + :soon` + claimed
	readFirst  = `SELECT subject_id, queued_at, 1 FROM outbox` + ofSubjects + ` AND attempts = 0 AND due_at > ` + data.DatabaseNow + ` + :soon`
	ofSubjects = `
WHERE job = :job AND subject_id IN (SELECT value FROM json_each(:subjects)) AND ` + MayBegin
	claimed = ` RETURNING subject_id, queued_at, attempts`
)

// dueSoon separates claimFirst from claimDue: claimDue claims jobs that are due within this time.
const dueSoon = resendAfter / 2

// againAfter is how long a job waits after its first attempt, or after an attempt that failed because a database did not respond. While
// there are such jobs, the retry job runs each half minute. So they are done within a minute after the database is back.
const againAfter = 20 * time.Second

// Claim claims jobs of one kind, and calls each for those that no other call has claimed. A job that is not done in time becomes due again,
// and another call may claim it (but see readFirst).
func Claim(w *data.Write, s data.Source, job Job, subjects []data.ID, each func(Claimed)) {
	first := claimFirst
	if job == JobNotify || job == JobTimeline {
		first = readFirst
	}
	args := data.Args{"job": string(job), "subjects": subjects, "now": s.DatabaseNow(), "soon": dueSoon}
	found := func(r *data.Row) { each(Claimed{Subject: r.ID(), QueuedAt: r.Int(), Attempts: r.Int()}) }
	w.Find(first, args, found)
	due := maps.Clone(args)
	due["again"] = againAfter
	w.Find(claimDue, due, found)
}

const doneJob = `DELETE FROM outbox WHERE subject_id = :subject AND job = :job AND queued_at = :queued`

// Done deletes a job that was enqueued at the time queued, unless it was enqueued again since.
func Done(w *data.Write, subject data.ID, job Job, queued int64) {
	w.Do(doneJob, data.Args{"subject": subject, "job": string(job), "queued": queued})
}

// Store finds jobs in the databases.
type Store struct{ data.Base }

// Due is a job whose message may be lost.
type Due struct {
	Job     Job
	Subject data.ID
}

// dueLimit limits the jobs that one run of the retry job finds in each database.
const dueLimit = 100

// MayBegin is the condition that the job may be done on this shard now (data.NotFrozen). Copies of communities are written from the
// directory's row, which does not move.
const MayBegin = `iif(job = 'community', 1, (subject_id >> 12) & 1023` + data.NotFrozen + `)`

// Index outbox_due, in its order, from its start; and the waiting jobs of each comment and post, the oldest first.
const (
	dueJobs = `SELECT job, subject_id, due_at <= ` + data.DatabaseNow + ` FROM (` + dueOfIndex + ` UNION ALL ` + dueNotify +
		` UNION ALL ` + dueTimeline + `) ORDER BY due_at, subject_id LIMIT :limit`
	dueOfIndex = `SELECT * FROM (SELECT job, subject_id, due_at FROM outbox WHERE job NOT IN ('notify', 'timeline') AND due_at <= ` +
		data.DatabaseNow + ` + :ahead AND ` + MayBegin + ` ORDER BY due_at LIMIT :limit)`
	dueNotify   = dueOf + `'notify'` + dueOnes
	dueTimeline = dueOf + `'timeline'` + dueOnes
	dueOf       = `SELECT * FROM (SELECT job, subject_id, due_at FROM outbox WHERE job = `
	dueOnes     = ` AND due_at <= ` + data.DatabaseNow + ` + :ahead AND ` + MayBegin + ` ORDER BY subject_id LIMIT :limit)`
)

// FindDue reads jobs that are due, the longest waiting first, at most dueLimit from each database. more reports whether other jobs become
// due within ahead. If a database could not be reached, the error is Unavailable and the list has the jobs of the others.
func (o *Store) FindDue(ctx context.Context, ahead time.Duration) (due []Due, more bool, err error) {
	r := o.DB.Read()
	for _, where := range o.DB.Databases() {
		args := data.Args{"now": o.Source.DatabaseNow(), "ahead": ahead, "limit": dueLimit}
		r.FindAt(where, dueJobs, args, func(row *data.Row) {
			d := Due{Job(row.Text()), row.ID()}
			if row.Bool() {
				due = append(due, d)
			} else {
				more = true
			}
		})
	}
	err = r.Run(ctx)
	return due, more, err
}

// postponedFor is how long a job that this version does not know is postponed.
const postponedFor = 24 * time.Hour

// :list is a JSON array of pairs of subject and job.
const postponeJobs = `UPDATE outbox SET due_at = ` + data.DatabaseNow + ` + :wait
WHERE (job, subject_id) IN (SELECT value ->> 1, value ->> 0 FROM json_each(:list))`

// Postpone makes jobs due a day from now. Otherwise messages for jobs that this version does not know would be sent every minute and
// delay other jobs. Unavailable, with the databases that could not be reached.
func (o *Store) Postpone(ctx context.Context, list []Due) error {
	return o.wait(ctx, postponeJobs, postponedFor, list)
}

// returnJobs resets the attempts: they failed for a reason outside the job. A mark of -1 stays (copy.go).
const returnJobs = `UPDATE outbox SET attempts = min(attempts, 1), due_at = ` + data.DatabaseNow + ` + :wait
WHERE (job, subject_id) IN (SELECT value ->> 1, value ->> 0 FROM json_each(:list)) AND due_at > ` + data.DatabaseNow + ` + :wait`

// Return makes jobs due again after againAfter, because a database was down at the attempt. Without it, the wait would grow with each
// attempt. Unavailable, with the databases that could not be reached.
func (o *Store) Return(ctx context.Context, list []Due) error {
	return o.wait(ctx, returnJobs, againAfter, list)
}

func (o *Store) wait(ctx context.Context, sql string, wait time.Duration, list []Due) error {
	if len(list) == 0 {
		return nil
	}
	pairs := make([][2]any, len(list))
	for i, d := range list {
		pairs[i] = [2]any{int64(d.Subject), string(d.Job)}
	}
	text, err := json.Marshal(pairs)
	if err != nil {
		return err
	}
	return o.DB.WriteEverywhere(ctx, func(w *data.Write) {
		w.Do(sql, data.Args{"now": o.Source.DatabaseNow(), "wait": wait, "list": string(text)})
	})
}
