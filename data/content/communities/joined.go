package communities

import (
	"slices"
	"strconv"
	"strings"

	"plaza/data"
)

// JoinedCommunity is one of a member's communities, for a sidebar.
type JoinedCommunity struct {
	Name, Colour, Icon string
	Moderated          bool
}

// Two rows for each community: primary key of subscriptions by prefix, and primary key of communities.
const joinedCommunities = `SELECT c.name, c.colour, c.icon FROM subscriptions own CROSS JOIN communities c ON c.id = own.community_id
WHERE own.user_id = :viewer ORDER BY own.community_id DESC LIMIT :limit`

// Joined are the communities of a member. Read it after Run.
type Joined struct {
	store *Store
	limit int
	all   []JoinedCommunity // one more than are shown, if there is one
}

// FindJoined reads up to limit communities that a member subscribes to along with a page. An instance caches them for data.MemberCacheTTL.
// A visitor, whose id is 0, has none.
func (s *Store) FindJoined(r *data.Read, member data.ID, limit int) *Joined {
	o := &Joined{store: s, limit: limit}
	if member != 0 {
		r.FindCached(strconv.Itoa(limit), joinedCommunities, data.Args{"viewer": member, "limit": limit + 1}, func(row *data.Row) {
			o.all = append(o.all, JoinedCommunity{Name: row.Text(), Colour: row.Text(), Icon: row.Text()})
		})
	}
	return o
}

// Has reports whether the member has joined a community, by its name as posts have it. known is false if only part of the member's
// communities was read, and it is not among them.
func (o *Joined) Has(name string) (joined, known bool) {
	joined = slices.ContainsFunc(o.all, func(c JoinedCommunity) bool { return c.Name == name })
	return joined, joined || len(o.all) <= o.limit
}

// List returns the communities for a sidebar: first those that the member moderates, whose names are in moderated, and then the others;
// both by name. more reports that some communities are left out.
func (o *Joined) List(moderated []string) (list []JoinedCommunity, more bool) {
	for _, name := range moderated {
		list = append(list, JoinedCommunity{name, o.store.Colour(name), o.store.Icon(name), true})
	}
	byName := func(a, b JoinedCommunity) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	}
	slices.SortFunc(list, byName)
	first := len(list)
	for _, c := range o.all {
		if !slices.Contains(moderated, c.Name) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list[first:], byName)
	return list[:min(len(list), o.limit)], len(list) > o.limit
}
