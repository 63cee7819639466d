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

// Viewer is the state of the member that a page is made for.
type Viewer struct {
	Live       bool // the session or token is valid
	Admin      bool
	Avatar     Avatar
	Choices    Choices
	Filters    []Filter // including expired ones
	Name       string
	Unapproved bool // the account waits for approval by an administrator
	Agreed     data.Consent
	Unread     int       // unread notifications, and invitations
	SeenAt     time.Time // the last visit on record; zero for never

	moderated map[string]moderatedCommunity // by name
	blocked   []data.ID                     // sorted
	unread    []data.ID                     // subjects, sorted (unreadSubjects)
}

// moderatedCommunity is a community that a member moderates or approves for.
type moderatedCommunity struct {
	waiting  int // number of waiting items
	approver bool
}

// UnmarshalJSON decodes an element of Moderated.
func (p *moderatedCommunity) UnmarshalJSON(b []byte) error {
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

// Approves is Moderates, including approvers.
func (v *Viewer) Approves(community string) bool {
	_, has := v.moderated[community]
	return v.Admin || has
}

// ApprovesNamed is Approves for a name in any letter case.
func (v *Viewer) ApprovesNamed(community string) bool {
	return v.Admin || slices.ContainsFunc(v.Moderated(), func(name string) bool { return strings.EqualFold(name, community) })
}

// Waiting returns the number of reports and quarantined votes in all communities that the member moderates.
func (v *Viewer) Waiting() (n int) {
	for _, p := range v.moderated {
		n += p.waiting
	}
	return n
}

// WaitingIn returns the number of waiting items in one of these communities.
func (v *Viewer) WaitingIn(community string) int { return v.moderated[community].waiting }

// Moderated returns the names of the communities that the member moderates or approves for, 500 at most.
func (v *Viewer) Moderated() []string { return slices.Sorted(maps.Keys(v.moderated)) }

const (
	// Moderated is a column: a JSON object of the communities that user u moderates, 500 at most, with the number of waiting items in each
	// and whether u is an approver. Index moderators_user, then primary keys.
	Moderated = `(SELECT json_group_object(c.name, json_array(c.waiting, json(iif(x.role = 'approver', 'true', 'false')))) FROM (
  SELECT m.community_id, m.role FROM moderators m WHERE m.user_id = u.id ORDER BY m.community_id LIMIT 500) x
  CROSS JOIN communities c ON c.id = x.community_id)`

	// One look-up by primary key, the check of the session, two rows for each community that the member moderates, one for each invitation,
	// and, if anything is unread, up to unreadMax rows.
	viewerState = `SELECT u.status, u.admin, ` + Moderated + `, u.avatar, u.choices, u.unread + (SELECT count(*) FROM moderator_invitations i
  WHERE i.user_id = u.id), ` + unreadSubjects + `, u.blocked, u.seen_at, u.username,
  u.waiting IS NOT NULL, u.terms, coalesce(u.birth_year, 0), u.filters, ` +
		data.LiveSession + ` FROM users u WHERE u.id = :actor`
	// The same for an API token, with one more primary key.
	viewerByToken = viewerState + ` AND EXISTS (SELECT 1 FROM tokens t WHERE t.id = :session AND t.user_id = u.id AND t.hash = :token)`
)

// FindViewer reads the member's state along with a page. Live stays false if the session or token has ended, or if the account is
// suspended or deleted.
func (s *Store) FindViewer(r *data.Read, a data.Actor) *Viewer {
	v := &Viewer{}
	sql, args := viewerState, a.Args(nil)
	if a.Token != "" {
		sql, args["token"] = viewerByToken, a.Token
	}
	// The key has IssuedAt, because a session's older cookies may be void.
	r.FindCached(a.SessionID.Text()+strconv.FormatInt(a.IssuedAt.UnixMilli(), 36), sql, args, func(row *data.Row) {
		status := row.Text()
		v.ScanRights(row)
		v.Avatar = ParseAvatar(row.Text())
		v.Choices = scanChoices(row)
		v.Unread, v.unread, v.blocked = int(row.Int()), scanIDs(row), scanIDs(row)
		if seen := row.Time(); seen.UnixMilli() > 0 {
			v.SeenAt = seen
		}
		v.Name, v.Unapproved = row.Text(), row.Bool()
		v.Agreed = data.Consent{Terms: row.Int(), Born: row.Int()}
		v.Filters = scanFilters(row)
		v.Live = row.Bool() && status == "active"
		v.limit(a.Roles)
	})
	return v
}

// limit removes the rights that an actor may not use.
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
