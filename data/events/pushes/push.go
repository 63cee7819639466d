package pushes

import (
	"cmp"
	"context"
	"time"

	"plaza/data"
	"plaza/data/events/inbox"
	"plaza/locale"
)

const (
	// Life is how long a message may be shown.
	Life = 24 * time.Hour
	// tries is the number of attempts of a message. Each wait is four times as long as the one before, from a minute on: nearly six hours.
	tries = 6
	// askLimit limits the result of one call of Ask.
	askLimit = 100
	// claimLife is the time limit of a message of the queue, and of its consumer's claim. Then the push is due again.
	claimLife = time.Minute
)

const (
	// Index pushes_due, from its front.
	duePushes = `SELECT id FROM pushes WHERE due_at <= ` + data.DatabaseNow + ` LIMIT 1`
	askPushes = `UPDATE pushes SET asked = 1, due_at = ` + data.DatabaseNow + ` + :wait
WHERE id IN (SELECT id FROM pushes WHERE due_at <= ` + data.DatabaseNow + ` ORDER BY due_at LIMIT :limit) RETURNING id`
)

// ClaimDue returns pushes that are due, the longest waiting first. The caller sends a message of the queue for each. For a minute, other
// calls of Ask don't return these pushes. Unavailable.
func (s *Store) ClaimDue(ctx context.Context) (ids []data.ID, err error) {
	due := false
	r := s.DB.Read()
	r.Find(duePushes, data.Args{"now": s.Source.DatabaseNow()}, func(*data.Row) { due = true })
	if err := r.Run(ctx); err != nil || !due {
		return nil, err
	}
	w := s.DB.Write()
	w.Find(askPushes, data.Args{"now": s.Source.DatabaseNow(), "wait": claimLife, "limit": askLimit},
		func(row *data.Row) { ids = append(ids, row.ID()) })
	err = w.Run(ctx)
	return ids, err
}

// Waiting is a push to send now.
type Waiting struct {
	ID     data.ID
	upto   int64
	device data.ID

	Endpoint, Key, Secret string // as in New
	// Last is the newest unread notification; nil if the push is not needed any more: the member has read it, has muted the thread, or has
	// logged out on the device.
	Last     *inbox.Item
	Language *locale.Language // the member's
	Unread   int              // the number of the member's unread rows in the thread
	TTL      time.Duration    // how long it may still be shown
	LastTry  bool             // if this attempt fails, there is no other
}

const (
	// Of two equal messages of the queue, only the first finds the push.
	claimPushes = `UPDATE pushes SET asked = 0, attempts = attempts + 1, due_at = ` + data.DatabaseNow + ` + :wait
WHERE id IN (SELECT value FROM json_each(:ids)) AND asked = 1 RETURNING id, upto`
	unreadThere = `FROM inbox n WHERE n.user_id = d.user_id AND n.unread = 1 AND +n.post_id = p.post_id`
	// Primary keys; index inbox_unread, among all unread rows, at most 1,000.
	claimedPushes = `SELECT p.id, d.id, d.endpoint, d.public_key, d.secret, p.attempts, p.came_at + :life - ` + data.DatabaseNow + `,
  (SELECT count(*) ` + unreadThere + `), i.kind, i.subject_id, i.post_id, i.community_name, i.slug, i.title, a.username, i.excerpt,
  i.event, i.about_id, coalesce(nullif(u.choices, '') ->> '$.language', '')
FROM json_each(:ids) j CROSS JOIN pushes p ON p.id = j.value CROSS JOIN devices d ON d.id = p.device_id
  CROSS JOIN users u ON u.id = d.user_id AND u.status = 'active'
CROSS JOIN inbox i ON i.id = (SELECT max(n.id) ` + unreadThere + ` AND +n.id > p.since AND +n.id <= p.upto)
  LEFT JOIN users a ON a.id = i.author_id
WHERE ` + signedIn + ` AND NOT EXISTS (SELECT 1 FROM watches q WHERE q.user_id = d.user_id AND q.post_id = p.post_id AND q.muted = 1
  AND q.quiet_to IS NULL)`
)

// Claim begins to send pushes. It returns those that no other call has claimed. A claim lasts a minute, in which the caller calls Report.
// Unavailable.
func (s *Store) Claim(ctx context.Context, ids []data.ID) (claimed []*Waiting, err error) {
	mine := map[data.ID]*Waiting{}
	w := s.DB.Write()
	w.Find(claimPushes, data.Args{"ids": ids, "now": s.Source.DatabaseNow(), "wait": claimLife}, func(row *data.Row) {
		p := &Waiting{ID: row.ID(), upto: row.Int()}
		mine[p.ID], claimed = p, append(claimed, p)
	})
	w.Find(claimedPushes, data.Args{"ids": ids, "now": s.Source.DatabaseNow(), "life": Life}, func(row *data.Row) {
		p := mine[row.ID()]
		if p == nil {
			return
		}
		p.device, p.Endpoint, p.Key, p.Secret = row.ID(), row.Text(), row.Text(), row.Text()
		attempts := row.Int()
		p.LastTry, p.TTL = attempts >= tries, time.Duration(row.Int())*time.Millisecond
		p.Unread = int(row.Int())
		item := &inbox.Item{Kind: row.Text(), Subject: row.ID(), Post: row.ID(), Community: row.Text(), Slug: row.Text(), Title: row.Text(),
			Author: row.Text(), Excerpt: row.Text(),
			Event: inbox.Event(row.Text()), About: row.ID()}
		p.Language = cmp.Or(locale.Find(row.Text()), locale.English)
		if p.TTL > 0 && attempts <= tries { // with more attempts, the push seems to crash instances
			p.Last = item
		}
	})
	return claimed, w.Run(ctx)
}

// Outcome is the result of a push.
type Outcome struct {
	*Waiting
	Accepted bool          // the push service has accepted it
	Gone     bool          // the push service does not know the device any more
	Again    bool          // the push will be tried again
	After    time.Duration // how long to wait before that, as the push service requests
}

const (
	// A notification that came meanwhile is another push.
	endPush  = `DELETE FROM pushes WHERE id = :id AND upto = :upto`
	goOnPush = `UPDATE pushes SET since = :upto, attempts = 0, due_at = ` + data.DatabaseNow +
		` WHERE id = :id AND upto > :upto AND since < :upto`
	againPush = `UPDATE pushes SET due_at = ` + data.DatabaseNow + ` + max(:after, 60000 << (2 * min(attempts - 1, 8))) WHERE id = :id
  AND asked = 0`
	markDeviceUsed   = `UPDATE devices SET last_push_at = ` + data.DatabaseNow + ` WHERE id = :device`
	deleteGoneDevice = `DELETE FROM devices WHERE id = :device AND endpoint = :endpoint`
)

// Report stores the results of pushes: they are done, or tried again later. If the error is Unavailable, they are sent once more.
func (s *Store) Report(ctx context.Context, list []Outcome) error {
	if len(list) == 0 {
		return nil
	}
	w := s.DB.Write()
	for _, o := range list {
		if o.Again {
			w.Do(againPush, data.Args{"id": o.ID, "after": min(o.After, Life), "now": s.Source.DatabaseNow()})
			continue
		}
		if o.Gone {
			w.Do(deleteGoneDevice, data.Args{"device": o.device, "endpoint": o.Endpoint})
		}
		if o.Accepted {
			w.Do(markDeviceUsed, data.Args{"device": o.device, "now": s.Source.DatabaseNow()})
		}
		w.Do(endPush, data.Args{"id": o.ID, "upto": o.upto})
		w.Do(goOnPush, data.Args{"id": o.ID, "upto": o.upto, "now": s.Source.DatabaseNow()})
	}
	return w.Run(ctx)
}
