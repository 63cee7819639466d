package outbox

import "plaza/data"

// WorkRename is, of a member, to write a new name or avatar wherever the old one was copied. It is in the directory.
const WorkRename Work = "rename"

const leaveRename = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT u.id, 'rename', :at, ` + data.DatabaseNow + ` + :wait
FROM json_each(:members) j CROSS JOIN users u ON u.id = j.value WHERE (u.renaming <> '' OR u.repainting)` + leftAgain + left

// LeaveRename leaves WorkRename for those of some members whose copies have another name or avatar.
func LeaveRename(w *data.Write, s data.Source, members ...data.ID) {
	leave(w, WorkRename, leaveRename, data.Args{"members": members, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter})
}

// A try that does not end it is followed by another soon, after 15 seconds to a minute: members see the old one
// meanwhile, and doing the work twice at the same time does no harm.
const claimRename = `UPDATE outbox SET attempts = attempts + 1, due_at = ` + data.DatabaseNow + ` + (15000 << min(attempts, 2))
WHERE work = 'rename' AND subject_id = :member AND (attempts = 0 OR due_at <= ` + data.DatabaseNow + `) RETURNING queued_at`

// ClaimRename is Claim for WorkRename of one member. queued becomes what Done asks for, and stays 0 if nothing is to be
// done.
func ClaimRename(w *data.Write, s data.Source, member data.ID, queued *int64) {
	w.Find(claimRename, data.Args{"member": member, "now": s.DatabaseNow()}, func(r *data.Row) { *queued = r.Int() })
}
