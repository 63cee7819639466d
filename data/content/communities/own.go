package communities

import (
	"slices"
	"strings"

	"plaza/data"
)

// Own is one of a member's communities, as a sidebar names it.
type Own struct {
	Name, Colour, Icon string
	Moderated          bool
}

// Two rows for each community: primary key of subscriptions by prefix, and that of communities.
const ownCommunities = `SELECT c.name, c.colour, c.icon FROM subscriptions own CROSS JOIN communities c ON c.id = own.community_id
WHERE own.user_id = :viewer ORDER BY own.community_id DESC LIMIT :limit`

// Owned are the communities of a member. Read it after Run.
type Owned struct {
	store *Store
	limit int
	all   []Own // one more than are shown, if there is one
}

// FindOwned reads up to limit communities that a member has subscribed to along with a page. An instance remembers them for
// data.OwnLife. Nobody is a member of id 0.
func (s *Store) FindOwned(r *data.Read, member data.ID, limit int) *Owned {
	o := &Owned{store: s, limit: limit}
	if member != 0 {
		r.FindOwn("", ownCommunities, data.Args{"viewer": member, "limit": limit + 1}, func(row *data.Row) {
			o.all = append(o.all, Own{Name: row.Text(), Colour: row.Text(), Icon: row.Text()})
		})
	}
	return o
}

// List is what a sidebar names, by name: first the communities that the member moderates, whose names are given, and then the others.
// more tells that there are others that it leaves out.
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
