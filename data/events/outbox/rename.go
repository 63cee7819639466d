package outbox

import "plaza/data"

// JobRename writes a member's new name or avatar into all copies of the old one. It is in the directory.
const JobRename Job = "rename"

const enqueueRename = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT u.id, 'rename', :at, ` + data.DatabaseNow + ` + :wait
FROM json_each(:members) j CROSS JOIN users u ON u.id = j.value WHERE (u.renaming <> '' OR u.repainting)` + enqueuedAgain + returning

// EnqueueRename enqueues JobRename for the members whose copies have an old name or avatar.
func EnqueueRename(w *data.Write, s data.Source, members ...data.ID) {
	enqueue(w, JobRename, enqueueRename, data.Args{"members": members, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter})
}

// If an attempt does not end the job, another follows after 15 seconds to a minute: members see the old value meanwhile, and two concurrent
// attempts are harmless.
const claimRename = `UPDATE outbox SET attempts = attempts + 1, due_at = ` + data.DatabaseNow + ` + (15000 << min(attempts, 2))
WHERE job = 'rename' AND subject_id = :member AND (attempts = 0 OR due_at <= ` + data.DatabaseNow + `) RETURNING queued_at`

// ClaimRename is Claim for JobRename of one member. queued becomes the argument of Done, and stays 0 if there is no such job.
func ClaimRename(w *data.Write, s data.Source, member data.ID, queued *int64) {
	w.Find(claimRename, data.Args{"member": member, "now": s.DatabaseNow()}, func(r *data.Row) { *queued = r.Int() })
}
