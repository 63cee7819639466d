package communities

import (
	"context"
	"slices"
	"strings"

	"plaza/data"
)

const (
	// Unique index on name_key and primary keys.
	subscribe = `INSERT INTO subscriptions (user_id, community_id, created_at)
SELECT :actor, c.id, :at FROM communities c WHERE c.name_key = :key AND c.kind = 'community' AND ` + data.LiveSession + `
ON CONFLICT DO NOTHING`
	unsubscribe = `DELETE FROM subscriptions WHERE user_id = :actor
AND community_id = (SELECT id FROM communities WHERE name_key = :key) AND ` + data.LiveSession
	subscribeAll = `INSERT INTO subscriptions (user_id, community_id, created_at)
SELECT :actor, c.id, :at FROM json_each(:keys) j CROSS JOIN communities c ON c.name_key = j.value AND c.kind = 'community'
WHERE ` + data.LiveSession + ` ON CONFLICT DO NOTHING`
	// Unique index on name_key and primary key.
	joinedOf = `SELECT c.name FROM json_each(:keys) j CROSS JOIN communities c ON c.name_key = j.value
JOIN subscriptions s ON s.user_id = :actor AND s.community_id = c.id ORDER BY j.key`
	communityExists = `SELECT EXISTS (SELECT 1 FROM communities WHERE name_key = :key AND kind = 'community'), ` + data.LiveSession
)

// Subscribe subscribes to a community, or unsubscribes from it. It does not accept profiles. The triggers subscriptions_added and
// subscriptions_ended count the members. NotFound and Unauthenticated.
func (s *Store) Subscribe(ctx context.Context, a data.Actor, name string, on bool) error {
	defer s.cache.Clear()
	key := strings.ToLower(name)
	exists := &data.Permission{Refused: data.ErrNoCommunity}
	w := s.DB.Write()
	if on {
		w.Do(subscribe, a.Args(data.Args{"key": key, "at": s.Source.Now()}))
	} else {
		w.Do(unsubscribe, a.Args(data.Args{"key": key}))
	}
	w.Find(communityExists, a.Args(data.Args{"key": key}), exists.Scan)
	if err := w.Run(ctx); err != nil {
		return err
	}
	return exists.Err()
}

// SubscribeAll subscribes to several communities at once, and returns the canonical names of those to which the actor now subscribes. It
// skips unknown names. Unauthenticated.
func (s *Store) SubscribeAll(ctx context.Context, a data.Actor, names []string) (joined []string, err error) {
	defer s.cache.Clear()
	keys := []string{}
	for _, name := range names {
		if key := strings.ToLower(name); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	w := s.DB.Write()
	w.Do(subscribeAll, a.Args(data.Args{"keys": keys, "at": s.Source.Now()}))
	joined = []string{}
	w.Find(joinedOf, data.Args{"keys": keys, "actor": a.UserID}, func(row *data.Row) { joined = append(joined, row.Text()) })
	return joined, w.RunAs(ctx, a)
}
