package accounts

import (
	"slices"

	"plaza/data"
)

// unreadMax is how many subjects of unread notifications the member's state has at most: the ones with the highest ids.
const unreadMax = 20

// unreadSubjects is a column with these subjects of the user u, comma separated. It reads the index inbox_unread, and no row of it if
// nothing is unread. The 20 in it is unreadMax.
const unreadSubjects = `iif(u.unread > 0, (SELECT group_concat(x.subject_id) FROM (SELECT subject_id FROM inbox
  WHERE user_id = u.id AND unread = 1 ORDER BY subject_id DESC LIMIT 20) x), '')`

// MayHaveUnread reports whether the member may have an unread notification about a subject: it is in the member's state, or its id is
// lower than all ids of a full state.
func (v *Viewer) MayHaveUnread(subject data.ID) bool {
	_, has := slices.BinarySearch(v.unread, subject)
	return has || len(v.unread) == unreadMax && subject < v.unread[0]
}
