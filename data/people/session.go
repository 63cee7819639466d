package people

import (
	"context"
	"encoding/json"
	"plaza/data"
	"slices"
	"time"
)

// SessionLife is how long a session lasts after signing in.
const SessionLife = 30 * 24 * time.Hour

// SessionStore ends sessions.
type Sessions struct {
	DB     *data.DB
	Source data.Source
}

const revoke = `INSERT INTO revocations (subject, before, expires_at) VALUES (:subject, :before, :expires)
ON CONFLICT (subject) DO UPDATE SET before = max(before, excluded.before), expires_at = max(expires_at, excluded.expires_at)`

// End signs a session out: whatever its cookie asks from now on is refused, where the
// databases could be reached that an error is about.
func (s *Sessions) End(ctx context.Context, a data.Actor) error {
	expires := a.IssuedAt.Add(SessionLife)
	return s.DB.WriteEach(ctx, s.DB.Databases(), func(w *data.Write) {
		w.Do(revoke, data.Args{"subject": a.SessionID, "before": expires, "expires": expires})
	})
}

// purgeRevocations uses the index revocations_expiry.
const purgeRevocations = `DELETE FROM revocations WHERE expires_at < ` + data.DatabaseNow

// Purge forgets revocations of sessions that ended by themselves.
func (s *Sessions) Purge(ctx context.Context) error {
	return s.DB.WriteEach(ctx, s.DB.Databases(), func(w *data.Write) {
		w.Do(purgeRevocations, data.Args{"now": s.Source.DatabaseNow()})
	})
}

const (
	// moderatedNames is a JSON array of what user u moderates, of 500 communities at most. Index moderators_user, then primary keys.
	ModeratedNames = `(SELECT json_group_array(c.name) FROM (SELECT m.community_id FROM moderators m WHERE m.user_id = u.id ORDER BY m.community_id LIMIT 500) x
  CROSS JOIN communities c ON c.id = x.community_id)`

	// viewerState is one look-up by primary key, the check of the session, and two rows for
	// each community that the member moderates.
	viewerState = `SELECT u.status, u.admin, ` + ModeratedNames + `, u.unread, ` + data.LiveSession + ` FROM users u WHERE u.id = :actor`
)

// Viewer is what a page shows of the member it is made for.
type Viewer struct {
	Live   bool // the session stands
	Admin  bool
	Unread int

	moderated []string // names of communities
}

// Moderates tells that the member moderates a community, as its posts spell its name, or
// is an administrator.
func (v *Viewer) Moderates(community string) bool {
	return v.Admin || slices.Contains(v.moderated, community)
}

// scanRights reads admin and moderatedNames.
func (v *Viewer) ScanRights(r *data.Row) {
	v.Admin = r.Bool()
	if names := r.Text(); names != "" && names != "[]" {
		if err := json.Unmarshal([]byte(names), &v.moderated); err != nil {
			r.Fail(err)
		}
	}
}

// FindViewer reads the member's state along with a page. Live stays false for a
// session that was ended or an account that is gone.
func (s *Sessions) FindViewer(r *data.Read, a data.Actor) *Viewer {
	v := &Viewer{}
	r.FindOwn(data.Directory, a.SessionID.Text(), viewerState, a.Args(nil), func(row *data.Row) {
		status := row.Text()
		v.ScanRights(row)
		v.Unread = int(row.Int())
		v.Live = row.Bool() && status == "active"
	})
	return v
}
