package communities

import (
	"context"

	"plaza/data"
)

// Primary key and unique index.
const createProfile = `INSERT INTO communities (id, name, name_key, kind, title, colour, creator_id, created_at)
SELECT :id, :name, :name, 'profile', '', :colour, :actor, :at WHERE ` + data.LiveSession + ` ON CONFLICT DO NOTHING`

// Unique index on name_key.
const profileID = `SELECT id FROM communities WHERE name_key = :name`

// CreateProfile makes the profile community of the actor, for their own posts, on a shard chosen by load (place), unless it exists. It
// may be repeated. Unauthenticated, and Unavailable, also if the shard is down; then it gets its copy later (Copy).
func (s *Store) CreateProfile(ctx context.Context, a data.Actor) error {
	name := data.ProfileOf(a.UserID)
	slot, err := s.findSlot(ctx, "")
	if err != nil {
		return err
	}
	id := s.Source.NewID(slot.number, data.KindOther)
	var created data.ID
	w := s.DB.Write()
	w.Do(createProfile, a.Args(data.Args{"id": id, "name": name, "colour": DefaultColour(name), "at": s.Source.Now()}))
	s.addSlot(w, slot, id)
	copies := s.enqueueProfile(w, a, name)
	w.Find(profileID, data.Args{"name": name}, func(row *data.Row) { created = row.ID() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	if created == 0 {
		return data.ErrSessionEnded
	}
	s.DB.Remember(name, created)
	return s.copy(ctx, copies)
}
