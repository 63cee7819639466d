package communities

import (
	"slices"
	"strings"

	"plaza/data"
)

// Own is one of a member's communities, for a sidebar.
type Own struct {
	Name, Colour, Icon string
	Moderated          bool
}

// Two rows for each community: primary key of subscriptions by prefix, and primary key of communities.
const ownCommunities = `SELECT c.name, c.colour, c.icon FROM subscriptions own CROSS JOIN communities c ON c.id = own.community_id
WHERE own.user_id = :viewer ORDER BY own.community_id DESC LIMIT :limit`

// Owned are the communities of a member. Read it after Run.
type Owned struct {
	store *Store
	limit int
	all   []Own // one more than are shown, if there is one
}

// FindOwned reads up to limit communities that a member subscribes to along with a page. An instance caches them for data.OwnLife. Id 0
// has none.
func (s *Store) FindOwned(r *data.Read, member data.ID, limit int) *Owned {
	o := &Owned{store: s, limit: limit}
	if member != 0 {
		r.FindOwn("", ownCommunities, data.Args{"viewer": member, "limit": limit + 1}, func(row *data.Row) {
			o.all = append(o.all, Own{Name: row.Text(), Colour: row.Text(), Icon: row.Text()})
		})
	}
	return o
}

// List returns the communities for a sidebar, by name: first those that the member moderates, whose names are given, and then the others.
// more reports that some of the others are left out.
func (o *Owned) List(moderated []string) (list []Own, more bool) {
	for _, name := range moderated {
		list = append(list, Own{name, o.store.Colour(name), o.store.Icon(name), true})
	}
	byName := func(a, b Own) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) }
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
