package accounts

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/data"
)

// Viewer is what a page shows of the member it is made for.
type Viewer struct {
	Live    bool // the session or token stands
	Admin   bool
	Avatar  Avatar
	Choices Choices
	Filters []Filter // some may have ended
	Name    string
	Waits   bool // administrators have to approve the account
	Agreed  data.Agreed
	Unread  int       // things in the inbox, and invitations
	SeenAt  time.Time // when their coming was last noted; zero for never

	moderated map[string]place // by the names of communities
	blocked   []data.ID        // sorted
	unread    []data.ID        // subjects, sorted (unreadSubjects)
}

// place is a community that somebody moderates or approves for.
type place struct {
	waiting  int // what waits for a moderator
	approver bool
}

// UnmarshalJSON reads an element of Moderated.
func (p *place) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&p.waiting, &p.approver})
}

// Blocks reports whether the member blocks another.
func (v *Viewer) Blocks(id data.ID) bool {
	_, blocks := slices.BinarySearch(v.blocked, id)
	return blocks
}

// Moderates reports whether the member moderates a community or is an administrator. The name is spelled as in the community's posts.
func (v *Viewer) Moderates(community string) bool {
	p, has := v.moderated[community]
	return v.Admin || has && !p.approver
}

// Approves is Moderates of approvers, too.
func (v *Viewer) Approves(community string) bool {
	_, has := v.moderated[community]
	return v.Admin || has
}

// ApprovesNamed is Approves for a name that is spelled in any way.
func (v *Viewer) ApprovesNamed(community string) bool {
	return v.Admin || slices.ContainsFunc(v.Moderated(), func(name string) bool { return strings.EqualFold(name, community) })
}

// Waiting is how much waits for a moderator in all communities that the member moderates: reports and quarantined votes.
func (v *Viewer) Waiting() (n int) {
	for _, p := range v.moderated {
		n += p.waiting
	}
	return n
}

// WaitingIn is how much waits in one of them.
func (v *Viewer) WaitingIn(community string) int { return v.moderated[community].waiting }

// Moderated are the names of the communities that the member moderates or approves for, 500 at most.
func (v *Viewer) Moderated() []string { return slices.Sorted(maps.Keys(v.moderated)) }

const (
	// Moderated is a column: a JSON object of the communities that user u moderates, 500 at most, with how much waits for a moderator
	// in each and whether u is an approver. Index moderators_user, then primary keys.
	Moderated = `(SELECT json_group_object(c.name, json_array(c.waiting, json(iif(x.role = 'approver', 'true', 'false')))) FROM (
  SELECT m.community_id, m.role FROM moderators m WHERE m.user_id = u.id ORDER BY m.community_id LIMIT 500) x
  CROSS JOIN communities c ON c.id = x.community_id)`

	// One look-up by primary key, the check of the session, two rows for each community that the member moderates, and one for each
	// invitation, and for who has something unread up to unreadLook rows.
	viewerState = `SELECT u.status, u.admin, ` + Moderated + `, u.avatar, u.choices, u.unread + (SELECT count(*) FROM moderator_invitations i
  WHERE i.user_id = u.id), ` + unreadSubjects + `, u.blocked, u.seen_at, u.username,
  u.waiting IS NOT NULL, u.terms, coalesce(u.birth_year, 0), u.filters, ` +
		data.LiveSession + ` FROM users u WHERE u.id = :actor`
	// The same for an API token, with one more primary key.
	viewerByToken = viewerState + ` AND EXISTS (SELECT 1 FROM tokens t WHERE t.id = :session AND t.user_id = u.id AND t.hash = :token)`
)

// FindViewer reads the member's state along with a page. Live stays false for a session or token that was ended or an
// account that is suspended or gone.
func (s *Store) FindViewer(r *data.Read, a data.Actor) *Viewer {
	v := &Viewer{}
	sql, args := viewerState, a.Args(nil)
	if a.Token != "" {
		sql, args["token"] = viewerByToken, a.Token
	}
	// A session's older cookies may be void.
	r.FindOwn(a.SessionID.Text()+strconv.FormatInt(a.IssuedAt.UnixMilli(), 36), sql, args, func(row *data.Row) {
		status := row.Text()
		v.ScanRights(row)
		v.Avatar = ParseAvatar(row.Text())
		v.Choices = scanChoices(row)
		v.Unread, v.unread, v.blocked = int(row.Int()), scanIDs(row), scanIDs(row)
		if seen := row.Time(); seen.UnixMilli() > 0 {
			v.SeenAt = seen
		}
		v.Name, v.Waits = row.Text(), row.Bool()
		v.Agreed = data.Agreed{Terms: row.Int(), Born: row.Int()}
		v.Filters = scanFilters(row)
		v.Live = row.Bool() && status == "active"
		v.limit(a.Roles)
	})
	return v
}

// limit takes away the rights that an actor may not use.
func (v *Viewer) limit(roles data.Roles) {
	if roles == data.NoRoles {
		v.Admin, v.moderated = false, nil
	}
}

// ScanRights reads two columns, users.admin and Moderated.
func (v *Viewer) ScanRights(row *data.Row) {
	v.Admin = row.Bool()
	if names := row.Text(); names != "" && names != "{}" {
		if err := json.Unmarshal([]byte(names), &v.moderated); err != nil {
			row.Fail(err)
		}
	}
}
