package communities

import "plaza/data"

// The orders of lists of communities. Their letters begin the cursors.
const (
	OrderMembers data.Order = 'M' // most members first
	OrderGrowth  data.Order = 'G' // most new members in seven days first
	OrderNew     data.Order = 'N'
	OrderOwn     data.Order = 'O' // the viewer's own, the newest first
)

const (
	// ItemColumns, and then either ItemMine or ItemVisitor, are the columns of a community c in a list, which shows no sidebar. ScanItem
	// reads them.
	ItemColumns = `SELECT c.id, c.name, c.title, c.description, c.colour, c.icon, c.members, c.growth, c.created_at`
	ItemMine    = `, EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = :viewer AND s.community_id = c.id)`
	ItemVisitor = `, 0` // for a visitor: no look-up at all

	// Indexes communities_members, communities_growth and communities_new. :value and :id are the cursor's.
	listByMembers = ` FROM communities c WHERE c.kind = 'community' AND (c.members, c.id) < (:value, :id COLLATE BINARY)
  ORDER BY c.members DESC, c.id DESC LIMIT :limit`
	listByGrowth = ` FROM communities c WHERE c.kind = 'community' AND (c.growth, c.id) < (:value, :id COLLATE BINARY)
  ORDER BY c.growth DESC, c.id DESC LIMIT :limit`
	// Primary keys of subscriptions, by prefix, and communities.
	listJoined = ItemColumns + `, 1 FROM subscriptions own CROSS JOIN communities c ON c.id = own.community_id
WHERE own.user_id = :viewer AND own.community_id < :id ORDER BY own.community_id DESC LIMIT :limit`
	listByAge = ` FROM communities c WHERE c.kind = 'community' AND (c.created_at, c.id) < (:value, :id COLLATE BINARY)
  ORDER BY c.created_at DESC, c.id DESC LIMIT :limit`
)

// ListQuery selects a page of the list of all communities.
type ListQuery struct {
	Order  data.Order
	After  data.Cursor
	Limit  int
	Viewer data.ID // 0 is a visitor
}

// FindList reads a page of the list of all communities along with a page.
func (s *Store) FindList(r *data.Read, q ListQuery) *data.Page[Community] {
	sql, args := q.statement()
	return data.NewPage[Community](q.Order, q.Limit).Find(r, sql, args, func(row *data.Row) (Community, float64, data.ID) {
		c := scanItem(row)
		switch q.Order {
		case OrderGrowth:
			return c, float64(c.Growth), c.ID
		case OrderNew:
			return c, float64(c.CreatedAt.UnixMilli()), c.ID
		}
		return c, float64(c.Members), c.ID
	})
}

// statement returns the statement that finds the page, and its arguments without the limit.
func (q *ListQuery) statement() (sql string, args data.Args) {
	value, id := data.KeysetFrom(q.After)
	args = data.Args{"value": value, "id": id}
	columns := ItemColumns + ItemVisitor
	if q.Viewer != 0 {
		columns, args["viewer"] = ItemColumns+ItemMine, q.Viewer
	}
	from := listByMembers
	switch q.Order {
	case OrderGrowth:
		from = listByGrowth
	case OrderNew:
		from = listByAge
	case OrderOwn:
		columns, from = "", listJoined
		delete(args, "value")
	}
	return columns + from, args
}

// FindLargest reads the limit communities with the most members along with a page.
func (s *Store) FindLargest(r *data.Read, viewer data.ID, limit int) *[]Community {
	q := ListQuery{Order: OrderMembers, Viewer: viewer}
	sql, args := q.statement()
	args["limit"] = limit
	list := &[]Community{}
	r.Find(sql, args, ScanItem(list))
	return list
}

// ScanItem returns a function that appends a row to a list.
func ScanItem(list *[]Community) func(*data.Row) {
	return func(row *data.Row) { *list = append(*list, scanItem(row)) }
}

func scanItem(row *data.Row) (c Community) {
	c.ID, c.Name, c.Title, c.Description, c.Colour = row.ID(), row.Text(), row.Text(), row.Text(), row.Text()
	c.Icon = row.Text()
	c.Members, c.Growth, c.CreatedAt, c.Subscribed = row.Int(), row.Int(), row.Time(), row.Bool()
	return c
}

// Primary key of subscriptions by prefix.
const communitiesOf = ItemColumns + `, 1 FROM subscriptions s JOIN communities c ON c.id = s.community_id WHERE s.user_id = :user
  LIMIT :limit`

// FindSubscribed reads up to limit communities that a member subscribes to along with a page.
func (s *Store) FindSubscribed(r *data.Read, user data.ID, limit int) *[]Community {
	list := &[]Community{}
	r.Find(communitiesOf, data.Args{"user": user, "limit": limit}, ScanItem(list))
	return list
}
