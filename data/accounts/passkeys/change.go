package passkeys

import (
	"context"

	"plaza/data"
	"plaza/data/accounts/sessions"
)

const (
	renamePasskey = `UPDATE passkeys SET name = :name WHERE id = :id AND user_id = :actor AND ` + data.LiveSession
	removePasskey = `DELETE FROM passkeys WHERE id = :passkey AND user_id = :actor AND ` + sessions.AnotherMethod + ` AND ` + data.LiveSession
	ownPasskey    = `SELECT EXISTS (SELECT 1 FROM passkeys WHERE id = :id AND user_id = :actor), ` + data.LiveSession
)

// Rename changes the name of a passkey of the actor. Invalid, NotFound, Unauthenticated.
func (s *Store) Rename(ctx context.Context, a data.Actor, id, name string) error {
	name, err := validName(name)
	if err != nil {
		return err
	}
	w := s.DB.Write()
	w.Do(renamePasskey, a.Args(data.Args{"id": id, "name": name}))
	there, err := s.own(ctx, w, a, id)
	if err == nil && !there {
		err = &data.Error{Code: data.NotFound, Message: "You have no such passkey. It may have been removed."}
	}
	return err
}

// Remove removes a passkey of the actor. A repetition changes nothing. Conflict (it is the only way to log in), Unauthenticated.
func (s *Store) Remove(ctx context.Context, a data.Actor, id string) error {
	w := s.DB.Write()
	w.Do(removePasskey, a.Args(sessions.RemovedMethod{Passkey: id}.Args(data.Args{})))
	sessions.EnqueueMethodChanged(w, s.Source, a.UserID, sessions.PasskeyRemoved, "")
	there, err := s.own(ctx, w, a, id)
	if err != nil {
		return err
	}
	if there {
		return sessions.ErrLastMethod
	}
	return nil
}

// own runs w and reports whether the passkey is the actor's afterwards.
func (s *Store) own(ctx context.Context, w *data.Write, a data.Actor, id string) (there bool, err error) {
	var live bool
	w.Find(ownPasskey, a.Args(data.Args{"id": id}), func(row *data.Row) { there, live = row.Bool(), row.Bool() })
	if err := w.Run(ctx); err != nil {
		return false, err
	}
	if !live {
		return false, data.ErrSessionEnded
	}
	return there, nil
}
