package sessions

import (
	"context"
	"time"

	"plaza/data"
)

const (
	// networkLife is how long a network from which a member has logged in is stored.
	networkLife = 180 * 24 * time.Hour
	// NetworkStep is how old that record has to be for the next login to renew it.
	NetworkStep = 24 * time.Hour
)

const (
	SawNetwork = `INSERT INTO sign_in_networks (user_id, network, seen_at) VALUES (:user, :network, :at)
ON CONFLICT (user_id, network) DO UPDATE SET seen_at = excluded.seen_at`
	// The same for a new account, if there is one.
	SawNetworkAtFirst = `INSERT INTO sign_in_networks (user_id, network, seen_at) SELECT :user, :network, :at WHERE EXISTS (SELECT 1 FROM users
  WHERE id = :user)
ON CONFLICT (user_id, network) DO UPDATE SET seen_at = excluded.seen_at`
	// The same, if the previous statement wrote a row.
	SawNetworkIfChanged = `INSERT INTO sign_in_networks (user_id, network, seen_at) SELECT :user, :network, :at WHERE changes() > 0
ON CONFLICT (user_id, network) DO UPDATE SET seen_at = excluded.seen_at`
	// Index sign_in_networks_seen.
	purgeNetworks = `DELETE FROM sign_in_networks WHERE seen_at < :before`
)

// PurgeNetworks deletes the networks of old logins.
func (s *Store) PurgeNetworks(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(purgeNetworks, data.Args{"before": s.Source.Now().Add(-networkLife)})
	return w.Run(ctx)
}

const logsInFrom = `SELECT 1 FROM sign_in_networks WHERE user_id = :user AND network = :network`

// LogsInFrom reports whether a member has logged in from a network. network is as in SignIn. Unavailable.
func (s *Store) LogsInFrom(ctx context.Context, member data.ID, network string) (known bool, err error) {
	r := s.DB.Read()
	r.Find(logsInFrom, data.Args{"user": member, "network": network}, func(*data.Row) { known = true })
	return known, r.Run(ctx)
}
