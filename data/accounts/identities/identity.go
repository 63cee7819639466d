// Package identities keeps members' accounts at other sites, with which they log in. All of it is in the directory. An identity is known by
// issuer and subject (OpenID Connect) and belongs to one member. Package worker/oidc checks the login at the other site before anything
// here is called.
package identities

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/accounts/onetime"
	"plaza/data/accounts/sessions"
)

// Identity is an account at another site.
type Identity struct {
	ID              data.ID // at this site
	Issuer, Subject string
	Name            string // at the other site
	CreatedAt       time.Time
	UsedAt          time.Time // zero for never
}

// Store keeps identities.
type Store struct{ data.Base }

// identitiesMax is how many identities an account may have.
const identitiesMax = 20

// Index identities_user, in its order.
const identitiesOf = `SELECT id, issuer, name, created_at, used_at FROM identities WHERE user_id = :user ORDER BY id LIMIT :most`

// Find reads a member's identities along with a page, the oldest first, without their subjects.
func (s *Store) Find(r *data.Read, member data.ID) *[]Identity {
	list := &[]Identity{}
	r.Find(identitiesOf, data.Args{"user": member, "most": identitiesMax}, func(row *data.Row) {
		*list = append(*list, Identity{ID: row.ID(), Issuer: row.Text(), Name: row.Text(), CreatedAt: row.Time(), UsedAt: row.Time()})
	})
	return list
}

// Owner is the member of an identity; the zero Owner is no member.
type Owner struct {
	ID   data.ID
	Name string
}

const (
	// Unique index of issuer and subject.
	useIdentity = `UPDATE identities SET used_at = :at, name = :name WHERE issuer = :issuer AND subject = :subject AND ` + onetime.Mine
	// Unique index of issuer and subject, and a primary key.
	ownerOf = `SELECT u.id, u.username FROM identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = :issuer AND i.subject = :subject`
)

// ErrUsedBefore is returned for a response of a provider that was used before.
var ErrUsedBefore = &data.Error{Code: data.Conflict, Message: "That login was used before. Please log in again."}

// Use records a login with an identity, and returns its owner. Conflict when the state was used before.
func (s *Store) Use(ctx context.Context, state onetime.Token, i Identity) (Owner, error) {
	var o Owner
	w := s.DB.Write()
	mine := state.Use(w)
	w.Do(useIdentity, state.Args(data.Args{"issuer": i.Issuer, "subject": i.Subject, "name": i.Name, "at": s.Source.Now()}))
	w.Find(ownerOf, data.Args{"issuer": i.Issuer, "subject": i.Subject}, func(row *data.Row) { o.ID, o.Name = row.ID(), row.Text() })
	if err := w.Run(ctx); err != nil {
		return Owner{}, err
	}
	if !*mine {
		return Owner{}, ErrUsedBefore
	}
	return o, nil
}

const (
	// An identity of another member makes the transaction fail, so that no account is without a sign-in method.
	firstIdentity = `INSERT INTO identities (id, issuer, subject, user_id, name, created_at, used_at)
SELECT :id, :issuer, :subject, :user, :name, :at, :at WHERE EXISTS (SELECT 1 FROM users WHERE id = :user)
AND NOT EXISTS (SELECT 1 FROM identities WHERE issuer = :issuer AND subject = :subject AND user_id = :user)`
	// Primary keys, the unique index of issuer and subject, and the index identities_user.
	addIdentity = `INSERT INTO identities (id, issuer, subject, user_id, name, created_at)
SELECT :id, :issuer, :subject, :actor, :name, :at WHERE ` + data.LiveSession + `
AND (SELECT count(*) FROM identities WHERE user_id = :actor) < :most ON CONFLICT DO NOTHING`
	addedIdentity = `SELECT coalesce((SELECT user_id FROM identities WHERE issuer = :issuer AND subject = :subject), 0), ` + data.LiveSession
)

// AddFirst adds an identity to the transaction that makes its member's account. It is called after the statement that makes the account. If
// the identity belongs to another account, the transaction fails (data.IsTaken).
func (s *Store) AddFirst(w *data.Write, user data.ID, i Identity) {
	w.Do(firstIdentity, s.args(i, data.Args{"user": user}))
}

func (s *Store) args(i Identity, args data.Args) data.Args {
	args["id"], args["issuer"], args["subject"] = s.Source.NewID(0, data.KindOther), i.Issuer, i.Subject
	args["name"], args["at"] = i.Name, s.Source.Now()
	return args
}

// ErrOther is returned for an identity of another member.
var ErrOther = &data.Error{Code: data.Conflict, Message: "Another member's account here already uses that login. To use that account, " +
	"log out here first."}

// Add gives the actor an identity to log in with, once. Conflict, Unauthenticated.
func (s *Store) Add(ctx context.Context, a data.Actor, i Identity) error {
	w := s.DB.Write()
	w.Do(addIdentity, a.Args(s.args(i, data.Args{"most": identitiesMax})))
	sessions.EnqueueMethodChanged(w, s.Source, a.UserID, sessions.IdentityAdded, i.Name)
	var owner data.ID
	var live bool
	w.Find(addedIdentity, a.Args(data.Args{"issuer": i.Issuer, "subject": i.Subject}),
		func(row *data.Row) { owner, live = row.ID(), row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !live:
		return data.ErrSessionEnded
	case owner == 0:
		return &data.Error{Code: data.Conflict, Message: "You can add at most 20 accounts at other sites. Please remove one that you don't use " +
			"any more."}
	case owner != a.UserID:
		return ErrOther
	}
	return nil
}

const (
	removeIdentity = `DELETE FROM identities WHERE id = :identity AND user_id = :actor AND ` + sessions.AnotherMethod + ` AND ` +
		data.LiveSession
	// Primary key and the index identities_user: if identities are the only sign-in method, the last one stays.
	removeOfSeveral = `DELETE FROM identities WHERE id = :identity AND user_id = :actor
AND (SELECT count(*) FROM identities WHERE user_id = :actor) > 1 AND ` + data.LiveSession
	ownIdentity = `SELECT EXISTS (SELECT 1 FROM identities WHERE id = :id AND user_id = :actor), ` + data.LiveSession
)

// Remove removes an identity from the actor. only means that the site has no other sign-in methods. A repetition changes nothing.
// Conflict (it is the only way to log in), Unauthenticated.
func (s *Store) Remove(ctx context.Context, a data.Actor, id data.ID, only bool) error {
	w := s.DB.Write()
	if only {
		w.Do(removeOfSeveral, a.Args(data.Args{"identity": id}))
	} else {
		w.Do(removeIdentity, a.Args(sessions.RemovedMethod{Identity: id}.Args(data.Args{})))
	}
	sessions.EnqueueMethodChanged(w, s.Source, a.UserID, sessions.IdentityRemoved, "")
	var there, live bool
	w.Find(ownIdentity, a.Args(data.Args{"id": id}), func(row *data.Row) { there, live = row.Bool(), row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	if !live {
		return data.ErrSessionEnded
	}
	if there {
		return sessions.ErrLastMethod
	}
	return nil
}
