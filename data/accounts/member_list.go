package accounts

import (
	"time"

	"plaza/data"
)

// ListedMember is a member in the administrators' list.
type ListedMember struct {
	ID        data.ID
	Name      string
	Avatar    Avatar
	CreatedAt time.Time
	Karma     int64     // from the last copy (CopyKarma)
	Until     time.Time // when a suspension ends; the zero time is never
	Rule      string    // the reason of the suspension or ban
	Note      string
	By        string // who decided it; "" if not known
}

// Statuses are the statuses of members.
var Statuses = []string{"active", "suspended", "banned"}

// The orders of the administrators' list.
const (
	Newest    data.Order = 'j' // the newest first
	MostKarma data.Order = 'z' // the highest karma first
)

const (
	listedMember = `SELECT u.id, u.username, u.avatar, u.created_at, u.karma, u.suspended_until, l.rule, l.note, l.actor_name
FROM users u LEFT JOIN moderation_log l ON l.id = u.suspension AND u.status <> 'active'
WHERE u.status = :status AND u.username <> '' AND `
	// Index users_listed, in its order, and primary keys.
	newestMembers = listedMember + `u.id < :before ORDER BY u.id DESC LIMIT :limit`
	// Index users_rated, in its order, and primary keys.
	ratedMembers = listedMember + `(u.karma, u.id) < (:karma, :before COLLATE BINARY) ORDER BY u.karma DESC, u.id DESC LIMIT :limit`
)

// FindOfStatus reads, along with a page, up to limit members with a status, in the given order, after a cursor of that order.
func (s *Store) FindOfStatus(r *data.Read, status string, order data.Order, after data.Cursor, limit int) *[]ListedMember {
	karma, before := data.KeysetFrom(after)
	sql, args := newestMembers, data.Args{"status": status, "before": before, "limit": limit}
	if order == MostKarma {
		sql, args["karma"] = ratedMembers, karma
	}
	list := &[]ListedMember{}
	r.Find(sql, args, func(row *data.Row) {
		*list = append(*list, ListedMember{row.ID(), row.Text(), ParseAvatar(row.Text()), row.Time(), row.Int(), row.Time(), row.Text(),
			row.Text(),
			row.Text()})
	})
	return list
}

// Cursor returns the cursor of the page after the member.
func (l *ListedMember) Cursor(order data.Order) data.Cursor {
	return data.Cursor{Order: byte(order), Value: float64(l.Karma), ID: l.ID}
}
