package people

import (
	"context"
	"time"

	"plaza/data"
)

// SessionLife is how long a session lasts after signing in.
const SessionLife = 30 * 24 * time.Hour

// Sessions ends sessions, and reads the state of the member who has one.
type Sessions struct {
	DB     *data.DB
	Source data.Source
}

const revoke = `INSERT INTO revocations (subject, before, expires_at) VALUES (:subject, :before, :expires)
ON CONFLICT (subject) DO UPDATE SET before = max(before, excluded.before), expires_at = max(expires_at, excluded.expires_at)`

// End signs a session out: from then on every database refuses what its cookie asks for. With an error, the databases
// that it names don't refuse yet; End may be repeated.
func (s *Sessions) End(ctx context.Context, a data.Actor) error {
	expires := a.IssuedAt.Add(SessionLife)
	return s.DB.WriteEach(ctx, s.DB.Databases(), func(w *data.Write) {
		w.Do(revoke, data.Args{"subject": a.SessionID, "before": expires, "expires": expires})
	})
}

// Index revocations_expiry.
const purgeRevocations = `DELETE FROM revocations WHERE expires_at < ` + data.DatabaseNow

// Purge forgets ended sessions whose cookies have expired anyway.
func (s *Sessions) Purge(ctx context.Context) error {
	return s.DB.WriteEach(ctx, s.DB.Databases(), func(w *data.Write) {
		w.Do(purgeRevocations, data.Args{"now": s.Source.DatabaseNow()})
	})
}
