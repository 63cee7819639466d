package pushes

import (
	"context"
	"time"

	"plaza/data"
)

// Store keeps devices and messages to them.
type Store struct{ data.Base }

// Device is a browser that shows a member's notifications.
type Device struct {
	ID         data.ID
	Name       string
	Endpoint   string // the address for its messages
	CreatedAt  time.Time
	LastSentAt time.Time // when its push service accepted the last message; zero for never
}

// DevicesMax is how many devices a member may have.
const DevicesMax = 10

// signedIn is the condition that the session of device d is live. When a session is deleted, the trigger devices_signed_out deletes its
// devices. A revocation is stored for 31 days (data/accounts/sessions).
const signedIn = `EXISTS (SELECT 1 FROM sessions s WHERE s.id = d.session_id AND s.user_id = d.user_id AND s.seen_at > ` +
	data.DatabaseNow + ` - 2678400000
  AND NOT EXISTS (SELECT 1 FROM revocations r WHERE r.subject IN (s.user_id, s.id) AND r.before > s.issued_at))`

// Index devices_user, in its order.
const devicesOf = `SELECT d.id, d.name, d.endpoint, d.created_at, d.last_push_at FROM devices d WHERE d.user_id = :user AND ` + signedIn +
	` ORDER BY d.id LIMIT :limit`

// Find reads a member's devices along with a page, the oldest first.
func (s *Store) Find(r *data.Read, member data.ID) *[]Device {
	list := &[]Device{}
	r.Find(devicesOf, data.Args{"user": member, "limit": DevicesMax, "now": s.Source.DatabaseNow()}, func(row *data.Row) {
		*list = append(*list, Device{row.ID(), row.Text(), row.Text(), row.Time(), row.Time()})
	})
	return list
}

// New is a device to add.
type New struct {
	Name, Endpoint string
	Key, Secret    string // p256dh and auth of the subscription
}

const (
	// Unique index devices_endpoint. If two members use the same browser, one after the other, it shows the last one's notifications.
	takeDevice = `DELETE FROM devices WHERE endpoint = :endpoint AND user_id <> :actor AND public_key = :key AND secret = :secret AND ` +
		data.LiveSession
	// Unique index devices_endpoint; index devices_user for their number.
	addDevice = `INSERT INTO devices (id, user_id, session_id, endpoint, public_key, secret, name, created_at)
SELECT :id, :actor, :session, :endpoint, :key, :secret, :name, :at WHERE ` + data.LiveSession + `
AND (SELECT count(*) FROM devices d WHERE d.user_id = :actor AND d.endpoint <> :endpoint AND ` + signedIn + `) < :most
ON CONFLICT (endpoint) DO UPDATE SET session_id = excluded.session_id, public_key = excluded.public_key, secret = excluded.secret,
  name = excluded.name
WHERE user_id = excluded.user_id`
	addedDevice = `SELECT coalesce((SELECT user_id FROM devices WHERE endpoint = :endpoint), 0), ` + data.LiveSession
)

var (
	errFull = &data.Error{Code: data.Conflict, Message: "At most ten devices can show notifications. Please remove one that you don't use " +
		"any more."}
	errOther = &data.Error{Code: data.Conflict, Message: "This browser shows the notifications of another account. Please remove it in that " +
		"account's settings first."}
)

// Add makes a device show the actor's notifications until the session ends. A repetition changes nothing. Conflict (too many devices, or
// the device shows another account's notifications), Unauthenticated.
func (s *Store) Add(ctx context.Context, a data.Actor, d New) error {
	w := s.DB.Write()
	w.Do(takeDevice, a.Args(data.Args{"endpoint": d.Endpoint, "key": d.Key, "secret": d.Secret}))
	w.Do(addDevice, a.Args(data.Args{"id": s.Source.NewID(0, data.KindOther), "endpoint": d.Endpoint, "key": d.Key, "secret": d.Secret,
		"name": d.Name,
		"at":   s.Source.Now(), "most": DevicesMax, "now": s.Source.DatabaseNow()}))
	var owner data.ID
	var live bool
	w.Find(addedDevice, a.Args(data.Args{"endpoint": d.Endpoint}), func(row *data.Row) { owner, live = row.ID(), row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch owner {
	case a.UserID:
	case 0:
		if live {
			return errFull
		}
	default:
		if live {
			return errOther
		}
	}
	if !live {
		return data.ErrSessionEnded
	}
	return nil
}

const removeDevice = `DELETE FROM devices WHERE id = :id AND user_id = :actor AND ` + data.LiveSession

// Remove ends notifications on one of the actor's devices. A repetition changes nothing. Unauthenticated.
func (s *Store) Remove(ctx context.Context, a data.Actor, id data.ID) error {
	w := s.DB.Write()
	w.Do(removeDevice, a.Args(data.Args{"id": id}))
	return w.RunAs(ctx, a)
}

// Choices are the kinds of notifications that a member's devices show.
type Choices struct{ Replies, Mentions, Threads bool }

const (
	choicesOf = `SELECT replies, mentions, threads FROM push_choices WHERE user_id = :user`
	choose    = `INSERT INTO push_choices (user_id, replies, mentions, threads) SELECT :actor, :replies, :mentions, :threads WHERE ` +
		data.LiveSession + `
ON CONFLICT (user_id) DO UPDATE SET replies = excluded.replies, mentions = excluded.mentions, threads = excluded.threads`
)

// FindChoices reads a member's choices along with a page. By default, all kinds are shown.
func (s *Store) FindChoices(r *data.Read, member data.ID) *Choices {
	c := &Choices{true, true, true}
	r.Find(choicesOf, data.Args{"user": member}, func(row *data.Row) { *c = Choices{row.Bool(), row.Bool(), row.Bool()} })
	return c
}

// Choose stores the member's choices, for later notifications. Unauthenticated.
func (s *Store) Choose(ctx context.Context, a data.Actor, c Choices) error {
	w := s.DB.Write()
	w.Do(choose, a.Args(data.Args{"replies": c.Replies, "mentions": c.Mentions, "threads": c.Threads}))
	return w.RunAs(ctx, a)
}
