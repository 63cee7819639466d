package outbox

import "plaza/data"

// Work about members who are suspended or banned. It is in the directory.
const (
	WorkVoid   Work = "void"   // of a member: end their sessions in the other databases as the directory has ended them
	WorkBranch Work = "branch" // of a row of branch_decisions: carry it out
)

const (
	// Primary keys.
	leaveVoid = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT u.id, 'void', :at, ` + data.DatabaseNow + ` + :wait
FROM json_each(:members) j CROSS JOIN users u ON u.id = j.value WHERE u.status <> 'active'` + leftAgain
	leaveBranch = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT b.id, 'branch', :at, ` + data.DatabaseNow + ` + :wait
FROM branch_decisions b WHERE b.id = :decision ON CONFLICT DO NOTHING`
	// Primary keys. :list has the member, the time and what the other databases were told.
	voided = `DELETE FROM outbox WHERE work = 'void' AND subject_id IN (SELECT value ->> 0 FROM json_each(:list)) AND EXISTS (
  SELECT 1 FROM json_each(:list) j CROSS JOIN revocations r ON r.subject = j.value ->> 0 AND r.before = j.value ->> 2
  WHERE j.value ->> 0 = outbox.subject_id AND j.value ->> 1 = outbox.queued_at)`
)

// LeaveVoid leaves WorkVoid for those of some members who are suspended or banned. Once it is committed, the caller does the work.
func LeaveVoid(w *data.Write, s data.Source, members ...data.ID) {
	w.Do(leaveVoid, data.Args{"members": members, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter})
}

// Voided ends WorkVoid. list is a JSON array of triples: a member, when the work was left, and the time before which the other databases
// take sessions for ended. It stays where the directory has another time by now.
func Voided(w *data.Write, list string) { w.Do(voided, data.Args{"list": list}) }

// LeaveBranch leaves WorkBranch for a decision, if the same transaction has written it. Once it is committed, the caller sends the message.
func LeaveBranch(w *data.Write, s data.Source, decision data.ID) {
	w.Do(leaveBranch, data.Args{"decision": decision, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter})
}
