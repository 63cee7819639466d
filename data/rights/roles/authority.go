package roles

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"plaza/data"
)

// Authority is an actor's right to act for a community. The transaction in which they act checks it once more.
type Authority struct {
	Home    data.Where // the community's shard, wherever it is when a transaction runs
	Shard   data.Where // of DB.Shards, its current shard
	Slot    int        // the community's, for the ids of decisions
	Allowed bool       // the actor may, by the directory or an earlier decision; the value of :allowed in ByModerator

	check     string
	actor     data.Actor
	community string
}

// Authorize returns the authority of the actor over a community, in the role Moderator or Approver. A shard does not know who moderates:
// if the community's shard is another database, Authorize reads the directory first. It also does so before it returns mistake, or
// NotFound for an unknown community, so that only those who may act see the mistake. along adds reads to that transaction; with it, the
// directory is always read. Unauthenticated, Forbidden, NotFound, mistake, Unavailable.
func Authorize(ctx context.Context, db *data.DB, a data.Actor, community string, role Role, mistake error,
	along ...func(*data.Write)) (*Authority, error) {
	home, err := db.Home(ctx, community)
	if errors.Is(err, data.ErrNoCommunity) {
		mistake, err = cmp.Or(mistake, err), nil
	}
	if err != nil {
		return nil, err
	}
	slot := 0
	if mistake == nil {
		if slot, err = db.Slot(ctx, community); errors.Is(err, data.ErrNoCommunity) {
			mistake, err = err, nil
		}
	}
	if err != nil {
		return nil, err
	}
	auth := &Authority{Home: data.In(community), Shard: home, Slot: slot, check: isModerator, actor: a,
		community: strings.ToLower(community), Allowed: a.Decided}
	if role == Approver {
		auth.check = isApprover
	}
	if mistake != nil || len(along) > 0 || NeedsDirectory(db, home) {
		w := db.Write()
		may := auth.Check(w)
		for _, find := range along {
			find(w)
		}
		if err := w.Run(ctx); err != nil {
			return nil, err
		}
		if err := cmp.Or(may.Err(), mistake); err != nil {
			return nil, err
		}
	}
	auth.Allowed = a.Decided || NeedsDirectory(db, home)
	return auth, nil
}

// ModeratorIn returns an Authority for transactions of the directory alone, whose Check reads there whether the actor is a moderator.
func ModeratorIn(a data.Actor, community string) *Authority {
	return &Authority{Home: data.In(""), check: isModerator, actor: a, community: strings.ToLower(community)}
}

// NeedsDirectory reports whether transactions on a shard can't check who moderates, because the directory is another database.
func NeedsDirectory(db *data.DB, home data.Where) bool { return !db.InDirectory(home) }

// Check adds a check of the actor's right to a transaction on the community's shard. If they may not, Permission.Err is Forbidden or
// Unauthenticated. The check does not keep the other statements from writing: they need the conditions ByModerator or ByApprover, and
// LiveSession.
func (auth *Authority) Check(w *data.Write) *data.Permission {
	p := &data.Permission{Refused: errNotModerator}
	w.Find(auth.check, auth.Args(data.Args{}), p.Scan)
	return p
}

// Args adds the arguments of ByModerator, ByApprover and LiveSession to those of a statement.
func (auth *Authority) Args(more data.Args) data.Args {
	if more == nil {
		more = data.Args{}
	}
	more["community"], more["allowed"] = auth.community, auth.Allowed
	return auth.actor.Args(more)
}
