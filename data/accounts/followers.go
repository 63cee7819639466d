package accounts

import (
	"strings"

	"plaza/data"
)

// Person is a member in a list.
type Person struct {
	ID        data.ID
	Name      string
	Followers int64
	Followed  bool // by the viewer
}

const (
	// PersonColumns, and then either PersonForMember or PersonForVisitor, are the columns of a member u that ScanPerson reads.
	PersonColumns    = `SELECT u.id, u.username, u.followers`
	PersonForMember  = `, EXISTS (SELECT 1 FROM follows m WHERE m.follower_id = :viewer AND m.followee_id = u.id)`
	PersonForVisitor = `, 0` // for a visitor
	// Index follows_followee in its order, then primary keys.
	fromFollowers = ` FROM follows f CROSS JOIN users u ON u.id = f.follower_id
WHERE f.followee_id = (SELECT o.id FROM users o WHERE o.username_key = :name) AND f.follower_id < :before ORDER BY f.follower_id DESC
  LIMIT :limit`
	// Primary key of follows in its order, then primary keys.
	fromFollowees = ` FROM follows f CROSS JOIN users u ON u.id = f.followee_id
WHERE f.follower_id = (SELECT o.id FROM users o WHERE o.username_key = :name) AND f.followee_id < :before ORDER BY f.followee_id DESC
  LIMIT :limit`

	followersForMember  = PersonColumns + PersonForMember + fromFollowers
	followersForVisitor = PersonColumns + PersonForVisitor + fromFollowers
	followeesForMember  = PersonColumns + PersonForMember + fromFollowees
	followeesForVisitor = PersonColumns + PersonForVisitor + fromFollowees
)

// PeopleQuery selects a page of a member's followers, or of the members they follow, the newest first.
type PeopleQuery struct {
	Name      string
	Followees bool    // the members they follow, instead of their followers
	Before    data.ID // the id of the previous page's last row; 0 for the first page
	Limit     int
	Viewer    data.ID // 0 is a visitor
}

// People is a page of members. Read it after Run.
type People struct {
	limit int
	all   []Person // the page, and one more if there is one
}

// ScanPerson returns a function that appends a row to a list.
func ScanPerson(list *[]Person) func(*data.Row) {
	return func(row *data.Row) {
		*list = append(*list, Person{ID: row.ID(), Name: row.Text(), Followers: row.Int(), Followed: row.Bool()})
	}
}

// FindPeople reads a page of followers or followees along with a page. It is empty for an unknown name.
func (s *Store) FindPeople(r *data.Read, q PeopleQuery) *People {
	l := &People{limit: q.Limit}
	args := data.Args{"name": strings.ToLower(q.Name), "before": q.Before, "limit": q.Limit + 1}
	if q.Before == 0 {
		args["before"] = data.ID(1 << 62)
	}
	sql := followersForVisitor
	switch {
	case q.Viewer == 0 && q.Followees:
		sql = followeesForVisitor
	case q.Viewer == 0:
	case q.Followees:
		sql, args["viewer"] = followeesForMember, q.Viewer
	default:
		sql, args["viewer"] = followersForMember, q.Viewer
	}
	r.Find(sql, args, ScanPerson(&l.all))
	return l
}

// Items returns the page in its order.
func (l *People) Items() []Person { return l.all[:min(len(l.all), l.limit)] }

// Next returns Before of the following page; 0 on the last.
func (l *People) Next() data.ID {
	if len(l.all) <= l.limit {
		return 0
	}
	return l.all[l.limit-1].ID
}
