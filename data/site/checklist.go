package site

import "plaza/data"

// peopleWanted is how many people the checklist of a new site asks the administrator to invite.
const peopleWanted = 3

// Checklist is what the directory knows of what the administrator of a new site has done.
type Checklist struct {
	Rules  bool // the page of the rules was written
	People bool // enough people were invited, or are here
}

// Index users_admins, which finds nothing for other members. For an administrator it also reads one row of site_pages by primary key, up
// to :people + 1 rows of users_listed, and up to :people of invites_user.
const checklist = `SELECT EXISTS (SELECT 1 FROM site_pages p WHERE p.name = 'rules'),
  (SELECT count(*) FROM (SELECT 1 FROM users u WHERE u.status = 'active' AND u.username <> '' LIMIT 1 + :people)),
  (SELECT coalesce(sum(i.uses), 0) FROM (SELECT uses FROM invites WHERE user_id = :actor LIMIT :people) i)
FROM users a INDEXED BY users_admins WHERE a.admin = 1 AND a.id = :actor`

// FindChecklist reads the checklist along with a page. It returns nil, and reads nothing, once all is done or an administrator has
// dismissed it. For a member who is no administrator it finds nothing.
func (s *Store) FindChecklist(r *data.Read, member data.ID) *Checklist {
	if s.checked.Load() || s.Now().ChecklistDismissed {
		return nil
	}
	list := &Checklist{}
	r.FindCached("", checklist, data.Args{"actor": member, "people": peopleWanted}, func(row *data.Row) {
		rules, members, invited := row.Bool(), row.Int(), row.Int()
		list.Rules, list.People = rules, members > peopleWanted || invited >= peopleWanted
	})
	return list
}

// CompleteChecklist notes that all of the checklist is done. This instance does not read it again.
func (s *Store) CompleteChecklist() { s.checked.Store(true) }

// HasOwnLook reports whether an administrator has given the site a name, a logo or a colour.
func (s *Settings) HasOwnLook() bool {
	return s.Name != "" || s.Letter != "" || s.Logo != "" || s.Accent != Accents[0]
}
