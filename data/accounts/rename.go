package accounts

import (
	"context"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/data/names"
)

const (
	// renameEvery is the minimum time between two new names of a member.
	renameEvery = 30 * 24 * time.Hour
	// NameKept is how long a member's former name is reserved for them.
	NameKept = 90 * 24 * time.Hour
)

const (
	// keptName is the condition that the name :key is reserved, because another member than :actor gave it up a short time ago, by a new name
	// or by deleting their account. Primary key, index account_deletions_name.
	keptName = `(EXISTS (SELECT 1 FROM former_names f WHERE f.name_key = :key AND f.user_id <> :actor AND f.left_at > ` + data.DatabaseNow +
		` - :kept)
  OR EXISTS (SELECT 1 FROM account_deletions d WHERE d.name_key = :key AND d.user_id <> :actor))`

	// renaming is the name that copies still have. While it is not empty, the name can't change again.
	renameUser = `UPDATE users SET renaming = username, username = :name, username_key = :key, renamed_at = ` + data.DatabaseNow + `
WHERE id = :actor AND username <> :name AND renaming = '' AND coalesce(renamed_at, 0) <= ` + data.DatabaseNow + ` - :every
  AND NOT ` + keptName + ` AND ` + data.LiveSession
	// It must follow renameUser directly: changes() is how many rows renameUser wrote. A change of letter case reserves no name.
	keepFormerName = `INSERT INTO former_names (name_key, user_id, left_at) SELECT lower(u.renaming), u.id, ` + data.DatabaseNow + `
  FROM users u
WHERE u.id = :actor AND changes() > 0 AND lower(u.renaming) <> u.username_key
ON CONFLICT (name_key) DO UPDATE SET user_id = excluded.user_id, left_at = excluded.left_at`
	// ReleaseFormerName ends the reservation of the name that :member has now: a name in use is no former name.
	ReleaseFormerName = `DELETE FROM former_names WHERE name_key = (SELECT u.username_key FROM users u WHERE u.id = :member)`
	nameHere          = `INSERT INTO names (user_id, name) SELECT u.id, u.username FROM users u WHERE u.id = :actor AND u.renaming <> ''
  ON CONFLICT (user_id) DO UPDATE SET name = excluded.name`
	renamedNow = `SELECT u.username, u.renaming <> '', coalesce(u.renamed_at, 0) > ` + data.DatabaseNow + ` - :every, ` + keptName + `, ` +
		data.LiveSession + ` FROM users u WHERE u.id = :actor`
)

// Rename gives the actor another name, and enqueues outbox.JobRename for the copies of the name. If the actor has that name
// already, nothing changes. Invalid, Conflict (taken, given up recently by another member, or too similar to a protected name), Forbidden
// (too early) and Unauthenticated.
func (s *Store) Rename(ctx context.Context, a data.Actor, name string) error {
	name = strings.Trim(name, " ")
	if err := CheckName(name); err != nil {
		return err
	}
	r := s.DB.Read()
	similar := FindLookalikes(r, name, a.UserID)
	if err := r.Run(ctx); err != nil {
		return err
	}
	if err := similar.Refused(); err != nil && !strings.EqualFold(name, a.Name) { // members may always change the letter case of their name
		return err
	}
	now := s.Source.DatabaseNow()
	wanted := a.Args(data.Args{"name": name, "key": strings.ToLower(name), "every": renameEvery, "kept": NameKept, "now": now})
	about := a.Args(data.Args{"key": strings.ToLower(name), "every": renameEvery, "kept": NameKept, "now": now})
	var current string
	var copying, early, kept, live bool
	w := s.DB.Write()
	w.Do(renameUser, wanted)
	w.Do(keepFormerName, data.Args{"actor": a.UserID, "now": now})
	w.Do(ReleaseFormerName, data.Args{"member": a.UserID})
	w.Do(nameHere, data.Args{"actor": a.UserID})
	outbox.EnqueueRename(w, s.Source, a.UserID)
	w.Find(renamedNow, about, func(row *data.Row) {
		current, copying, early, kept, live = row.Text(), row.Bool(), row.Bool(), row.Bool(), row.Bool()
	})
	if err := w.Run(ctx); data.IsTaken(err) {
		return ErrNameTaken
	} else if err != nil {
		return err
	}
	switch {
	case !live:
		return data.ErrSessionEnded
	case current == name:
		return nil
	case kept:
		return ErrNameTaken
	case copying || early:
		return &data.Error{Code: data.Forbidden, Field: "username", Message: "You changed your name less than 30 days ago. You can change it " +
			"again 30 days after that."}
	}
	return &data.Error{Code: data.Conflict, Field: "username", Message: "The name could not be changed. Please send it again."}
}

// CheckName checks whether a new account may have a name, except whether it is taken. Invalid, Conflict (reserved).
func CheckName(name string) error {
	if names.IsReserved(name) {
		return &data.Error{Code: data.Conflict, Field: "username", Message: "That username is reserved. Please choose another."}
	}
	return data.MistakeIf(!names.Member.Is(name), "username",
		"A username has 3 to 20 characters: letters and digits, with _ or - between them.")
}

var ErrNameTaken = &data.Error{Code: data.Conflict, Field: "username", Message: "That username is taken. Please choose another."}

// Unique index on username_key and primary keys. A name that a member has now is no former name (ReleaseFormerName).
const formerName = `SELECT u.username FROM former_names f JOIN users u ON u.id = f.user_id WHERE f.name_key = :name`

// FindFormer reads along with a page the current name of the member who had this name before; "" if there is none.
func (s *Store) FindFormer(r *data.Read, name string) *string {
	now := new(string)
	r.Find(formerName, data.Args{"name": strings.ToLower(name)}, func(row *data.Row) { *now = row.Text() })
	return now
}
