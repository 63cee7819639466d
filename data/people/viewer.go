package people

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"plaza/data"
)

// Viewer is what a page shows of the member it is made for.
type Viewer struct {
	Live    bool // the session or token stands
	Admin   bool
	Avatar  Avatar
	Choices Choices
	Name    string
	Unread  int       // things in the inbox
	SeenAt  time.Time // when their coming was last noted; zero for never

	moderated []string  // names of communities
	blocked   []data.ID // sorted
}

// Blocks tells whether the member blocks somebody.
func (v *Viewer) Blocks(id data.ID) bool {
	_, blocks := slices.BinarySearch(v.blocked, id)
	return blocks
}

// Moderates tells whether the member moderates a community or is an administrator. The name is spelled as in the
// community's posts.
func (v *Viewer) Moderates(community string) bool {
	return v.Admin || slices.Contains(v.moderated, community)
}

// Moderated are the names of the communities that the member moderates, 500 at most.
func (v *Viewer) Moderated() []string { return v.moderated }

const (
	// ModeratedNames is a column: a JSON array of the communities that user u moderates, 500 at most. Index moderators_user,
	// then primary keys.
	ModeratedNames = `(SELECT json_group_array(c.name) FROM (SELECT m.community_id FROM moderators m WHERE m.user_id = u.id ORDER BY m.community_id LIMIT 500) x
  CROSS JOIN communities c ON c.id = x.community_id)`

	// One look-up by primary key, the check of the session, and two rows for each community that the member moderates.
	viewerState = `SELECT u.status, u.admin, ` + ModeratedNames + `, u.avatar, u.choices, u.unread, u.blocked, u.seen_at, u.username, ` + data.LiveSession + ` FROM users u WHERE u.id = :actor`
	// The same for an API token, with one more primary key.
	viewerByToken = viewerState + ` AND EXISTS (SELECT 1 FROM tokens t WHERE t.id = :session AND t.user_id = u.id AND t.hash = :token)`
)

// FindViewer reads the member's state along with a page. Live stays false for a session or token that was ended or an
// account that is suspended or gone.
func (s *Sessions) FindViewer(r *data.Read, a data.Actor) *Viewer {
	v := &Viewer{}
	sql, args := viewerState, a.Args(nil)
	if a.Token != "" {
		sql, args["token"] = viewerByToken, a.Token
	}
	// A session's older cookies may be void.
	r.FindOwn(data.Directory, a.SessionID.Text()+strconv.FormatInt(a.IssuedAt.UnixMilli(), 36), sql, args, func(row *data.Row) {
		status := row.Text()
		v.ScanRights(row)
		v.Avatar = ParseAvatar(row.Text())
		v.Choices = scanChoices(row)
		v.Unread, v.blocked = int(row.Int()), scanBlocked(row)
		if seen := row.Time(); seen.UnixMilli() > 0 {
			v.SeenAt = seen
		}
		v.Name = row.Text()
		v.Live = row.Bool() && status == "active"
	})
	return v
}

// ScanRights reads two columns, users.admin and ModeratedNames.
func (v *Viewer) ScanRights(row *data.Row) {
	v.Admin = row.Bool()
	if names := row.Text(); names != "" && names != "[]" {
		if err := json.Unmarshal([]byte(names), &v.moderated); err != nil {
			row.Fail(err)
		}
	}
}
