package deletion

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/events/mails"
	"plaza/locale"
)

const (
	// Grace is the period in which a login cancels the deletion.
	Grace = 14 * 24 * time.Hour
	// Reserved is how long no other member gets the name.
	Reserved = 90 * 24 * time.Hour
)

// MailAccountDeletion notifies a member that the account will be deleted.
const MailAccountDeletion mails.Kind = "leaving"

// What happens to a member's posts and comments.
const (
	Keep   = "keep"   // they stay without a name
	Delete = "delete" // they are deleted
)

// Store deletes accounts.
type Store struct{ data.Base }

const (
	// Communities that would have no moderator without the actor: all others are deleting their accounts. Approvers don't count. Index
	// moderators_user and primary keys.
	alone = `SELECT c.name FROM moderators m CROSS JOIN communities c ON c.id = m.community_id WHERE m.user_id = :actor
  AND m.role <> 'approver' AND NOT EXISTS (
  SELECT 1 FROM moderators o WHERE o.community_id = m.community_id AND o.user_id <> :actor AND o.role <> 'approver' AND NOT EXISTS (SELECT 1
  FROM account_deletions d WHERE d.user_id = o.user_id)) ORDER BY m.community_id LIMIT 100`
	// Primary keys, and the index of alone.
	ask = `INSERT INTO account_deletions (user_id, username, name_key, content, asked_at, begin_at, due_at)
SELECT u.id, u.username, u.username_key, :content, :at, :begin, :begin FROM users u WHERE u.id = :actor AND u.status = 'active' AND ` +
		data.LiveSession + `
  AND (:confirmed OR NOT EXISTS (` + alone + `))
ON CONFLICT (user_id) DO UPDATE SET content = excluded.content WHERE left_at IS NULL`
	liveSession = `SELECT ` + data.LiveSession
	asked       = `SELECT asked_at FROM account_deletions WHERE user_id = :actor AND left_at IS NULL AND ` + data.LiveSession
)

// FindOnlyModerated reads along with a page which communities have the actor as the only moderator, at most 100.
func (s *Store) FindOnlyModerated(r *data.Read, a data.Actor) *[]string {
	names := &[]string{}
	r.Find(alone, data.Args{"actor": a.UserID}, func(row *data.Row) { *names = append(*names, row.Text()) })
	return names
}

// Request begins the deletion of the actor's account and enqueues a mail. The caller ends all sessions. A second call changes the choice
// about the content. The only moderator of a community has to confirm that it will have none. Invalid, Unauthenticated, Unavailable.
func (s *Store) Request(ctx context.Context, a data.Actor, content string, confirmed bool) error {
	if content != Keep && content != Delete {
		return data.Mistake("content", "Please choose what happens to your posts and comments.")
	}
	now, begun, live, names := s.Source.Now(), false, false, []string{}
	w := s.DB.Write()
	w.Do(ask, a.Args(data.Args{"content": content, "at": now, "begin": now.Add(Grace), "confirmed": confirmed}))
	mails.EnqueueIfChanged(w, s.Source, mails.Mail{Key: string(MailAccountDeletion) + " " + a.SessionID.Text(), Kind: MailAccountDeletion,
		User: a.UserID})
	w.Find(asked, a.Args(nil), func(*data.Row) { begun = true })
	w.Find(alone, data.Args{"actor": a.UserID}, func(row *data.Row) { names = append(names, "c/"+row.Text()) })
	w.Find(liveSession, a.Args(nil), func(row *data.Row) { live = row.Bool() })
	switch err := w.Run(ctx); {
	case err != nil:
		return err
	case !begun && live && !confirmed && len(names) > 0:
		return data.Mistake("alone", locale.With("You are the only moderator of {}. Please tick the box to delete your account all the same.",
			strings.Join(names, ", ")))
	case !begun:
		return data.ErrSessionEnded
	}
	return nil
}

// Index account_deletions_due, in its order, from its start.
const due = `UPDATE account_deletions SET due_at = ` + data.DatabaseNow + ` + 60000
WHERE user_id IN (SELECT user_id FROM account_deletions WHERE due_at <= ` + data.DatabaseNow +
	` AND due_at IS NOT NULL ORDER BY due_at LIMIT 100) RETURNING user_id`

// FindDue returns the members whose deletion continues, because it is due or its message may be lost. They are due again a minute later.
// Unavailable.
func (s *Store) FindDue(ctx context.Context) (list []data.ID, err error) {
	w := s.DB.Write()
	w.Find(due, data.Args{"now": s.Source.DatabaseNow()}, func(r *data.Row) { list = append(list, r.ID()) })
	err = w.Run(ctx)
	return list, err
}

const (
	// Indexes account_deletions_left and former_names_user.
	purgeFormer = `DELETE FROM former_names WHERE user_id IN (SELECT d.user_id FROM account_deletions d
  WHERE d.left_at < ` + data.DatabaseNow + ` - :reserved AND d.left_at IS NOT NULL AND d.due_at IS NULL)`
	// Index account_deletions_left.
	purge = `DELETE FROM account_deletions WHERE left_at < ` + data.DatabaseNow + ` - :reserved AND left_at IS NOT NULL AND due_at IS NULL`
)

// Purge releases the names of accounts that were deleted long enough ago, and deletes their earlier names. Unavailable.
func (s *Store) Purge(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(purgeFormer, data.Args{"now": s.Source.DatabaseNow(), "reserved": Reserved})
	w.Do(purge, data.Args{"now": s.Source.DatabaseNow(), "reserved": Reserved})
	return w.Run(ctx)
}

// accountDeletion is a deletion that has begun.
type accountDeletion struct {
	user    data.ID
	name    string
	content string
}

func (d accountDeletion) args(more data.Args) data.Args {
	args := data.Args{"user": d.user}
	for name, value := range more {
		args[name] = value
	}
	return args
}

const (
	// The grace period is measured by the database's clock. While copies still have a former name (data/accounts/name_copies.go), the deletion
	// waits, because posts and comments are found by the name.
	markDeleted = `UPDATE account_deletions SET left_at = ` + data.DatabaseNow + `,
  (username, name_key) = (SELECT u.username, u.username_key FROM users u
  WHERE u.id = :user)
WHERE user_id = :user AND left_at IS NULL AND begin_at <= ` + data.DatabaseNow + `
  AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = :user AND u.renaming <> '')`
	// No member can choose a name that begins with ~.
	empty = `UPDATE users SET username = '', username_key = '~' || id, email = '', email_key = NULL, password_hash = '', status = 'suspended',
  admin = 0, bio = '', words = '', bio_html = '', links = '[]', avatar = '', repainting = 0, choices = '', filters = '',
  email_confirmed_at = NULL, waiting = NULL, birth_year = NULL, terms = 0, terms_at = NULL,
  credentials = credentials + 1, revision = revision + 1, origin = NULL, unclaimed = 0
WHERE id = :user AND username <> '' AND EXISTS (SELECT 1 FROM account_deletions d WHERE d.user_id = :user AND d.left_at IS NOT NULL)`
	findAccountDeletion = `SELECT username, content FROM account_deletions WHERE user_id = :user AND left_at IS NOT NULL
  AND due_at IS NOT NULL`
	finish = `UPDATE account_deletions SET due_at = NULL WHERE user_id = :user AND left_at IS NOT NULL`
)

// deliveryRequests is how many requests one delivery sends at most: the free plan allows 50. A step sends two requests to the directory,
// and to each database two and those that remove its posts from the copies of all databases.
const deliveryRequests = 45

// Continue continues a deletion, and reports whether there is more to do. It does nothing during the grace period.
// It may be repeated. Unavailable.
func (s *Store) Continue(ctx context.Context, user data.ID) (more bool, err error) {
	d, found := accountDeletion{user: user}, false
	w := s.DB.Write()
	w.Do(markDeleted, data.Args{"user": user, "now": s.Source.DatabaseNow()})
	w.Do(empty, data.Args{"user": user})
	w.Find(findAccountDeletion, data.Args{"user": user}, func(r *data.Row) { d.name, d.content, found = r.Text(), r.Text(), true })
	if err := w.Run(ctx); err != nil || !found {
		return false, err
	}
	databases := len(s.DB.Databases())
	for range max(deliveryRequests/(2+databases*(2+databases)), 1) {
		changed, err := s.step(ctx, d)
		if err != nil {
			return true, err
		}
		if !changed {
			w := s.DB.Write()
			w.Do(finish, data.Args{"user": user})
			return false, w.Run(ctx)
		}
	}
	return true, nil
}

// stepRows is how many rows a step changes in each table.
const stepRows = 200

// step runs one step in each database, and reports whether it has changed rows.
func (s *Store) step(ctx context.Context, d accountDeletion) (changed bool, err error) {
	heirs, err := s.nextOwners(ctx, d)
	if err != nil {
		return false, err
	}
	var rows []*data.Change
	w := s.DB.Write()
	for _, sql := range stepsInDirectory {
		rows = append(rows, w.Do(sql, d.args(data.Args{"limit": stepRows})))
	}
	s.logHeirs(w, heirs)
	if err := w.Run(ctx); err != nil {
		return false, err
	}
	if err := s.DB.OnAll(func(shard data.Where) error {
		some, err := s.stepOnShard(ctx, shard, d)
		changed = changed || some
		return err
	}); err != nil {
		return changed, err
	}
	for _, c := range rows {
		changed = changed || c.Rows > 0
	}
	return changed, nil
}

// jsonOf encodes ids and texts as JSON, which can't fail.
func jsonOf(list [][2]any) string {
	text, _ := json.Marshal(list)
	return string(text)
}
