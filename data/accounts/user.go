package accounts

import (
	"strings"
	"time"

	"plaza/data"
	"plaza/data/names"
)

// Limits of an account's fields, in characters.
var (
	UsernameMin = names.Member.Shortest
	UsernameMax = names.Member.Longest
)

// User is a person who signed up.
type User struct {
	ID        data.ID
	Username  string
	Former    string // the name that copies may still have, while the new one is being written into them
	Status    string // one of Statuses
	Admin     bool
	BioHTML   string
	Links     []Link
	Avatar    Avatar
	Followers int64
	Following int64
	CreatedAt time.Time
	Views     int64  // views of the profile, each viewer counted once a week
	Origin    string // the account at another site, as in users.origin; "" for none
	Unclaimed bool   // it was imported, and has no way to log in yet
}

// Store keeps accounts.
type Store struct{ data.Base }

const (
	userColumns = `id, username, status, admin, bio_html, links, avatar, followers, following, created_at, renaming, views, ` +
		`coalesce(origin, ''), unclaimed`
	// Unique index on username_key.
	userByName = `SELECT ` + userColumns + ` FROM users WHERE username_key = :name AND username <> ''`
	nameOfUser = `SELECT username FROM users WHERE id = :id`
)

// FindByName reads a profile's owner along with a page; ID stays 0 for an unknown name.
func (s *Store) FindByName(r *data.Read, name string) *User {
	u := &User{}
	r.Find(userByName, data.Args{"name": strings.ToLower(name)}, u.scan)
	return u
}

// FindName reads a member's name along with a page; "" for an unknown id.
func (s *Store) FindName(r *data.Read, id data.ID) *string {
	name := new(string)
	r.Find(nameOfUser, data.Args{"id": id}, func(row *data.Row) { *name = row.Text() })
	return name
}

// scan reads userColumns.
func (u *User) scan(row *data.Row) {
	u.ID, u.Username, u.Status, u.Admin, u.BioHTML = row.ID(), row.Text(), row.Text(), row.Bool(), row.Text()
	u.Links, u.Avatar = scanLinks(row), ParseAvatar(row.Text())
	u.Followers, u.Following, u.CreatedAt, u.Former, u.Views = row.Int(), row.Int(), row.Time(), row.Text(), row.Int()
	u.Origin, u.Unclaimed = row.Text(), row.Bool()
}

// Elsewhere returns the site and the name of the user's account at another site; "" for none. A site may have a port.
func (u *User) Elsewhere() (site, name string) {
	end := max(strings.LastIndexByte(u.Origin, ':'), 0)
	return u.Origin[:end], strings.TrimPrefix(u.Origin[end:], ":")
}

// NameAndAvatar is the name and the avatar of a member.
type NameAndAvatar struct {
	Name   string // "" for an unknown id, and for a deleted account
	Avatar Avatar
}

const named = `SELECT u.username, u.avatar FROM users u WHERE u.id = :id`

// FindNamed reads along with a page the name and avatar of the member with an id.
func (s *Store) FindNamed(r *data.Read, id data.ID) *NameAndAvatar {
	n := &NameAndAvatar{}
	r.Find(named, data.Args{"id": id}, func(row *data.Row) { n.Name, n.Avatar = row.Text(), ParseAvatar(row.Text()) })
	return n
}
