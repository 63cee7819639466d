package outbox

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"plaza/data"
)

// Jobs that write copies into other databases. The directory is authoritative: the transaction that changes it enqueues the job as
// begun, and the caller writes the copies at once. If a database is down, the retry job requests the job again until the database is back.
const (
	JobRevokeSessions Job = "revoke-sessions" // of a member, a session or a token: refuse in the other databases what the directory refuses
	JobBlocks         Job = "blocks"          // of a member: copy their blocks into the other databases
	JobCommunity      Job = "community"       // of a community: write its copy into its shard
	JobInviteTree     Job = "invite-tree"     // of a row of branch_decisions: apply it
)

// lease is how long no other instance may do copying that was begun, and leaseOfRequest is the same for a request. Each is longer than
// copying can take.
const (
	lease          = time.Minute
	leaseOfRequest = 20 * time.Second
)

const (
	// A transaction that enqueues a job that another instance may be doing sets attempts to -1. The other instance may still write old
	// values, so the job is done once more after its claim has ended (copiesDone).
	begun = ` ON CONFLICT (subject_id, job) DO UPDATE SET queued_at = max(excluded.queued_at, queued_at + 1),
  attempts = iif(attempts <> 0 AND due_at > ` + data.DatabaseNow + `, -1, excluded.attempts), due_at = excluded.due_at
RETURNING subject_id, queued_at`
	enqueueCopies = `INSERT INTO outbox (subject_id, job, queued_at, due_at, attempts) SELECT `

	enqueueRevoke = enqueueCopies + `r.subject, 'revoke-sessions', :at, ` + data.DatabaseNow + ` + :wait, :begun
FROM json_each(:subjects) j CROSS JOIN revocations r ON r.subject = j.value WHERE true` + begun
	enqueueBlocks = enqueueCopies + `u.id, 'blocks', :at, ` + data.DatabaseNow + ` + :wait, :begun FROM users u WHERE u.id = :member AND ` +
		data.LiveSession + begun
	enqueueCommunity = enqueueCopies + `c.id, 'community', :at, ` + data.DatabaseNow +
		` + :wait, :begun FROM communities c WHERE c.id = :community` + begun
	enqueueProfile = enqueueCopies + `c.id, 'community', :at, ` + data.DatabaseNow +
		` + :wait, :begun FROM communities c WHERE c.name_key = :name AND ` + data.LiveSession + begun
	// These must directly follow the statement that changes the settings or revokes: changes() is how many rows that statement wrote.
	enqueueSettings = enqueueCopies + `c.id, 'community', :at, ` + data.DatabaseNow +
		` + :wait, :begun FROM communities c WHERE c.name_key = :name AND changes() > 0` + begun
	enqueueRevokeOnce = enqueueCopies + `:subject, 'revoke-sessions', :at, ` + data.DatabaseNow + ` + :wait, :begun WHERE changes() > 0` +
		begun
	enqueueInviteTree = `INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT b.id, 'invite-tree', :at, ` + data.DatabaseNow +
		` + :wait
FROM branch_decisions b WHERE b.id = :decision ON CONFLICT DO NOTHING` + returning

	// The claims of other instances have expired, so a mark of -1 is reset to 1. 0 would mean that no instance works on it.
	claimCopies = `UPDATE outbox SET attempts = max(attempts, 0) + 1, due_at = ` + data.DatabaseNow + ` + :wait
WHERE job = :job AND subject_id IN (SELECT value FROM json_each(:subjects)) AND due_at <= ` + data.DatabaseNow +
		` RETURNING subject_id, queued_at`

	// :list has pairs of a subject and the time when its job was enqueued.
	listed = ` WHERE job = :job AND subject_id IN (SELECT value ->> 0 FROM json_each(:list)) AND EXISTS (SELECT 1 FROM json_each(:list) j
  WHERE j.value ->> 0 = outbox.subject_id AND j.value ->> 1 = outbox.queued_at)`
	copiesDone = `DELETE FROM outbox` + listed + ` AND attempts > 0`
	copyAgain  = `UPDATE outbox SET attempts = 1, due_at = ` + data.DatabaseNow + ` + :wait` + listed
)

// Copies are the jobs of one kind that one transaction has begun.
type Copies struct {
	job    Job
	source data.Source
	queued map[data.ID]int64
}

func newCopies(job Job, s data.Source) *Copies {
	return &Copies{job: job, source: s, queued: map[data.ID]int64{}}
}

func (c *Copies) find(w *data.Write, sql string, args data.Args, wait time.Duration) *Copies {
	args["now"], args["wait"] = c.source.DatabaseNow(), wait
	w.Find(sql, args, func(r *data.Row) {
		id := r.ID()
		c.queued[id] = r.Int()
	})
	return c
}

func (c *Copies) enqueue(w *data.Write, sql string, args data.Args) *Copies {
	args["at"], args["begun"] = c.source.Now(), 1
	return c.find(w, sql, args, leaseOfRequest)
}

// EnqueueRevokeSessions enqueues JobRevokeSessions for the members, sessions and tokens that have a row of revocations, and begins it.
func EnqueueRevokeSessions(w *data.Write, s data.Source, subjects ...data.ID) *Copies {
	return newCopies(JobRevokeSessions, s).enqueue(w, enqueueRevoke, data.Args{"subjects": subjects})
}

// EnqueueRevokeSessionsIfChanged enqueues JobRevokeSessions if the statement before it in the transaction has written a row. Then it
// writes a row itself, so that changes() stays above 0. It does not begin the job: the caller enqueues it once more
// (EnqueueRevokeSessions).
func EnqueueRevokeSessionsIfChanged(w *data.Write, s data.Source, subject data.ID) {
	w.Do(enqueueRevokeOnce, data.Args{"subject": subject, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter, "begun": 0})
}

// EnqueueBlocks enqueues JobBlocks for the actor, and begins it.
func EnqueueBlocks(w *data.Write, s data.Source, a data.Actor) *Copies {
	return newCopies(JobBlocks, s).enqueue(w, enqueueBlocks, a.Args(data.Args{"member": a.UserID}))
}

// EnqueueCommunity enqueues JobCommunity for a community, if the id exists, and begins it.
func EnqueueCommunity(w *data.Write, s data.Source, community data.ID) *Copies {
	return newCopies(JobCommunity, s).enqueue(w, enqueueCommunity, data.Args{"community": community})
}

// EnqueueProfile is EnqueueCommunity for the actor's profile, by its name.
func EnqueueProfile(w *data.Write, s data.Source, a data.Actor, name string) *Copies {
	return newCopies(JobCommunity, s).enqueue(w, enqueueProfile, a.Args(data.Args{"name": name}))
}

// EnqueueSettings is EnqueueCommunity by the community's name in lower case, if the statement before it in the transaction has written a
// row.
func EnqueueSettings(w *data.Write, s data.Source, name string) *Copies {
	return newCopies(JobCommunity, s).enqueue(w, enqueueSettings, data.Args{"name": name})
}

// ClaimCopies begins copying that is due and that no other instance is doing.
func ClaimCopies(w *data.Write, s data.Source, job Job, subjects []data.ID) *Copies {
	return newCopies(job, s).find(w, claimCopies, data.Args{"job": string(job), "subjects": subjects}, lease)
}

// Add adds other copying of the same job. Call it after the transaction.
func (c *Copies) Add(more *Copies) { maps.Copy(c.queued, more.queued) }

// None reports whether no copying was begun. Call it after the transaction.
func (c *Copies) None() bool { return len(c.queued) == 0 }

// Has reports whether the copying of a subject was begun.
func (c *Copies) Has(subject data.ID) bool { return c.queued[subject] != 0 }

// Subjects returns the subjects whose copying was begun.
func (c *Copies) Subjects() []data.ID { return slices.Collect(maps.Keys(c.queued)) }

// Done ends the copying of some subjects, unless it was enqueued again since. A job that another instance may have been doing as well
// stays, and is done once more later.
func (c *Copies) Done(w *data.Write, subjects ...data.ID) {
	list := [][2]int64{}
	for _, id := range subjects {
		list = append(list, [2]int64{int64(id), c.queued[id]})
	}
	text, _ := json.Marshal(list) // encoding numbers can't fail
	w.Do(copiesDone, data.Args{"job": string(c.job), "list": string(text)})
	w.Do(copyAgain, data.Args{"job": string(c.job), "list": string(text), "now": c.source.DatabaseNow(), "wait": lease})
}

// EnqueueInviteTree enqueues JobInviteTree for a decision, if the same transaction has written it.
func EnqueueInviteTree(w *data.Write, s data.Source, decision data.ID) {
	enqueue(w, JobInviteTree, enqueueInviteTree, data.Args{"decision": decision, "at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter})
}
