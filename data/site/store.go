package site

import (
	"context"
	"encoding/json"
	"time"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/pace/deadline"
)

const (
	settings = `SELECT revision, body FROM site_settings WHERE id = 1`

	// The stored fields, updated by those of :body. Fields that only another version of the program knows stay unchanged.
	patched = `json_patch(coalesce((SELECT x.body FROM site_settings x WHERE x.id = 1), '{}'), :body)`
	// :from is the revision that the form was based on, which must be the stored one. A form without changes writes nothing.
	mayUpdate = `coalesce((SELECT x.revision FROM site_settings x WHERE x.id = 1), 0) = :from
  AND coalesce((SELECT x.body FROM site_settings x WHERE x.id = 1), '') <> ` + patched + ` AND ` + data.ByAdmin
	update = `INSERT INTO site_settings (id, revision, archive, body) SELECT 1, :from + 1, :archive, ` + patched + ` WHERE ` + mayUpdate +
		` AND ` + data.LiveSession + `
ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, archive = excluded.archive, body = excluded.body`

	afterUpdate = `SELECT x.revision, x.body = ` + patched + ` FROM site_settings x WHERE x.id = 1`

	wholeRow = `SELECT revision, archive, body FROM site_settings WHERE id = 1`
	// Of two changes the later one stays, in whichever order they are written.
	copySettings = `INSERT INTO site_settings (id, revision, archive, body) VALUES (1, :revision, :archive, :body)
ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, archive = excluded.archive, body = excluded.body
  WHERE revision < excluded.revision`
)

// Find reads the settings along with a page, unless they were read a moment ago. Now returns them after Run.
func (s *Store) Find(r *data.Read) {
	if now := s.Source.Now(); s.isOld(now, r.Changes.Last, Life) {
		s.read(r, now)
	}
}

// read adds the read of the settings, and with it the read of moved slots.
func (s *Store) read(r *data.Read, now time.Time) {
	found := DefaultSettings()
	r.Find(settings, nil, func(row *data.Row) { scan(row, found) })
	s.DB.FindSlots(r)
	r.After(func() { s.keep(found, now.Add(-r.Lag())) })
}

func scan(row *data.Row, set *Settings) {
	set.Revision = row.Int()
	if err := json.Unmarshal([]byte(row.Text()), set); err != nil {
		row.Fail(err)
	}
}

// refreshAfter is how long pages without other reads use the cached settings.
const refreshAfter = 30 * time.Second

// Refresh reads the settings for pages without other reads. After an error the cached ones stay.
func (s *Store) Refresh(ctx context.Context) error {
	now := s.Source.Now()
	if !s.isOld(now, time.Time{}, refreshAfter) || !s.tries(now) {
		return nil
	}
	r := s.DB.Read()
	s.read(r, now)
	return r.Run(ctx)
}

// tries records an attempt of Refresh. It returns false if another was less than Life ago.
func (s *Store) tries(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.tried) < Life {
		return false
	}
	s.tried = now
	return true
}

// FindStored reads the settings along with the page of their form.
func (s *Store) FindStored(r *data.Read) *Settings {
	set := DefaultSettings()
	r.Find(settings, nil, func(row *data.Row) { scan(row, set) })
	return set
}

// copyTime is how long a request waits for the other databases.
const copyTime = 2 * time.Second

// Update changes the settings. set.Revision is the revision that the form was based on. It returns the stored revision, also with Conflict,
// which means that another administrator has changed them meanwhile. Invalid, Forbidden (not an administrator) and Unauthenticated.
//
// CopySettings later writes the copies that fail here.
func (s *Store) Update(ctx context.Context, a data.Actor, set Settings) (revision int64, err error) {
	if err := set.Validate(); err != nil {
		return set.Revision, err
	}
	body, err := json.Marshal(set)
	if err != nil {
		return set.Revision, err
	}
	args := data.Args{"from": set.Revision, "body": string(body)}
	w := s.DB.Write()
	modlog.Add(w, a, modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Action: modlog.Settings}, mayUpdate, args)
	w.Do(update, a.Args(data.Args{"from": set.Revision, "body": string(body), "archive": set.ArchiveAge()}))
	admin := data.CheckAdmin(w, a)
	var stored int64
	same := false // equals the form
	w.Find(afterUpdate, data.Args{"body": string(body)}, func(row *data.Row) { stored, same = row.Int(), row.Bool() })
	if err := w.Run(ctx); err != nil {
		return set.Revision, err
	}
	if err := admin.Err(); err != nil {
		return set.Revision, err
	}
	if !same {
		return stored, &data.Error{Code: data.Conflict, Message: "Somebody else changed these settings in the meantime. " +
			"Below is what you wrote; saving it once more replaces theirs."}
	}
	set.Revision = stored
	s.keep(&set, s.Source.Now())
	_ = s.CopySettings(deadline.ForPart(ctx, copyTime)) // a job of each minute writes the missing copies
	return set.Revision, nil
}

// CopySettings writes the settings to every database except the directory. With one database it does nothing. It skips copies that are up
// to date.
func (s *Store) CopySettings(ctx context.Context) error {
	others := s.DB.Databases()[1:]
	if len(others) == 0 {
		return nil
	}
	var stored data.Args
	r := s.DB.Read()
	r.Find(wholeRow, nil, func(row *data.Row) {
		stored = data.Args{"revision": row.Int(), "archive": row.Int(), "body": row.Text()}
	})
	if err := r.Run(ctx); err != nil || stored == nil {
		return err
	}
	return data.OnEach(others, func(where data.Where) error {
		var copied int64
		r := s.DB.Read()
		r.FindAt(where, settings, nil, func(row *data.Row) { copied = row.Int() })
		if err := r.Run(ctx); err != nil || copied == stored["revision"] {
			return err
		}
		w := s.DB.WriteAt(where)
		w.Do(copySettings, stored)
		return w.Run(ctx)
	})
}
