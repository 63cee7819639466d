package invitations

import "plaza/data"

// Invited is a member in the tree of invitations.
type Invited struct {
	ID     data.ID
	Name   string // "" for a deleted account
	Status string
	Depth  int    // below the root of the tree
	By     string // the member who invited them, in a flat list
}

const (
	// Index users_invited, in its order, and primary keys.
	newestInvited = `SELECT n.username, n.status, 0, h.username, n.id FROM users n CROSS JOIN invites i ON i.id = n.invite_id
  CROSS JOIN users h ON h.id = i.user_id
WHERE n.invite_id IS NOT NULL AND (n.invite_id, n.id) < (coalesce((SELECT x.invite_id FROM users x
  WHERE x.id = :after), 1 << 62), :after COLLATE BINARY) ORDER BY n.invite_id DESC, n.id DESC LIMIT :limit`
	// Below is a member and all below: the members they invited, and so on, each after the member who invited them. Unique index on
	// username_key, indexes invites_user and users_invited, primary keys.
	Below = `WITH RECURSIVE below (id, depth) AS (SELECT ` + data.MemberNamed + `, 0 UNION ALL
  SELECT n.id, b.depth + 1 FROM below b CROSS JOIN invites i ON i.user_id = b.id CROSS JOIN users n ON n.invite_id = i.id ORDER BY 2 DESC
  LIMIT :limit)`
	inviteTree = Below + `SELECT u.username, u.status, b.depth, '', u.id FROM below b CROSS JOIN users u ON u.id = b.id`
	// The member who invited a member, and so on upwards.
	above = `WITH RECURSIVE above (id, height) AS (SELECT ` + data.MemberNamed + `, 0 UNION ALL
  SELECT i.user_id, a.height + 1 FROM above a CROSS JOIN users n ON n.id = a.id CROSS JOIN invites i ON i.id = n.invite_id LIMIT :limit)
SELECT u.username, u.status, -a.height, '', u.id FROM above a CROSS JOIN users u ON u.id = a.id WHERE a.height > 0`
)

// FindInvited reads, along with a page, up to limit members who signed up by an invitation, the newest invitations first, after the given
// member (0: from the first).
func (s *Store) FindInvited(r *data.Read, after data.ID, limit int) *[]Invited {
	if after == 0 {
		after = 1 << 62
	}
	return findInvited(r, newestInvited, data.Args{"after": after, "limit": limit})
}

// FindInviteTree reads, along with a page, a member and up to limit members below, each after the member who invited them. It is empty for
// an unknown name.
func (s *Store) FindInviteTree(r *data.Read, name string, limit int) *[]Invited {
	return findInvited(r, inviteTree, data.Args{"name": name, "limit": limit + 1})
}

// FindAbove reads, along with a page, up to 50 members above a member, the nearest first.
func (s *Store) FindAbove(r *data.Read, name string) *[]Invited {
	return findInvited(r, above, data.Args{"name": name, "limit": 51})
}

func findInvited(r *data.Read, sql string, args data.Args) *[]Invited {
	list := &[]Invited{}
	r.Find(sql, args, func(row *data.Row) {
		m := Invited{Name: row.Text(), Status: row.Text(), Depth: int(row.Int()), By: row.Text()}
		m.ID = row.ID()
		*list = append(*list, m)
	})
	return list
}
