package communities

import (
	"plaza/data"
	"plaza/data/hrana"
)

// The orders in which communities are listed; their letters begin the cursors.
const (
	OrderMembers        data.Order = 'M' // most members first
	OrderGrowth         data.Order = 'G' // most new members in seven days first
	OrderNewCommunities data.Order = 'N'
)

// What a list shows of a community, which is not its sidebar.
const (
	itemColumns = `SELECT c.id, c.name, c.title, c.description, c.colour, c.members, c.growth, c.created_at`
	itemMine    = `, EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = ?1 AND s.community_id = c.id)`
	itemNobody  = `, 0` // for a visitor: no look-up at all

	// Indexes communities_members, communities_growth, communities_new. ?2 limit, ?3 the
	// cursor's value, ?4 its id.
	listByMembers = ` FROM communities c WHERE (c.members, c.id) < (?3, ?4 COLLATE BINARY) ORDER BY c.members DESC, c.id DESC LIMIT ?2`
	listByGrowth  = ` FROM communities c WHERE (c.growth, c.id) < (?3, ?4 COLLATE BINARY) ORDER BY c.growth DESC, c.id DESC LIMIT ?2`
	listByAge     = ` FROM communities c WHERE (c.created_at, c.id) < (?3, ?4 COLLATE BINARY) ORDER BY c.created_at DESC, c.id DESC LIMIT ?2`
)

// CommunityListQuery asks for a page of the list of all communities.
type ListQuery struct {
	Order  data.Order
	After  data.Cursor
	Limit  int
	Viewer data.ID // 0 is a visitor
}

// CommunityList is a page of the list of all communities; read it after the Read ran.
type List struct {
	query ListQuery
	all   []Community // one more than the page, if there is one
}

// FindList reads a page of the list of all communities along with a page.
func (s *Store) FindList(r *data.Read, q ListQuery) *List {
	l := &List{query: q}
	columns := itemColumns + itemMine
	if q.Viewer == 0 {
		columns = itemColumns + itemNobody
	}
	from := listByMembers
	switch q.Order {
	case OrderGrowth:
		from = listByGrowth
	case OrderNewCommunities:
		from = listByAge
	}
	value, id := any(data.BeforeAll), data.ID(1<<62)
	if !q.After.IsZero() {
		value, id = q.After.Value, q.After.ID
	}
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(columns+from, q.Viewer, q.Limit+1, value, id), scanItems(&l.all))
	return l
}

// Items is the page in its order.
func (l *List) Items() []Community { return l.all[:min(len(l.all), l.query.Limit)] }

// Next is the cursor of the following page; zero on the last.
func (l *List) Next() data.Cursor {
	if len(l.all) <= l.query.Limit {
		return data.Cursor{}
	}
	last := l.all[l.query.Limit-1]
	c := data.Cursor{Order: byte(l.query.Order), Value: float64(last.Members), ID: last.ID}
	switch l.query.Order {
	case OrderGrowth:
		c.Value = float64(last.Growth)
	case OrderNewCommunities:
		c.Value = float64(last.CreatedAt.UnixMilli())
	}
	return c
}

// FindLargest reads the communities with the most members along with a page.
func (s *Store) FindLargest(r *data.Read, viewer data.ID, limit int) *[]Community {
	q := ListQuery{Order: OrderMembers, Limit: limit - 1, Viewer: viewer} // and the one more
	return &s.FindList(r, q).all
}

func scanItems(list *[]Community) func(hrana.Result) error {
	return func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) {
			var c Community
			c.ID, c.Name, c.Title, c.Description, c.Colour = row.ID(), row.Text(), row.Text(), row.Text(), row.Text()
			c.Members, c.Growth, c.CreatedAt, c.Subscribed = row.Int(), row.Int(), data.Millis(row.Int()), row.Bool()
			*list = append(*list, c)
		})
	}
}

// Primary key of subscriptions by prefix.
const communitiesOf = itemColumns + `, 1 FROM subscriptions s JOIN communities c ON c.id = s.community_id WHERE s.user_id = ?1 LIMIT ?2`

// FindSubscribed reads the communities a member takes part in along with a page.
func (s *Store) FindSubscribed(r *data.Read, user data.ID, limit int) *[]Community {
	list := &[]Community{}
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(communitiesOf, user, limit), scanItems(list))
	return list
}
