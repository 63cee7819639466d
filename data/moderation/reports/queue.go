package reports

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/pictures"
	"plaza/data/rights/reputation"
)

// The orders of a queue.
const (
	Newest   data.Order = 'w' // by the time since when items wait
	Heaviest data.Order = 'y' // by the weight of the reports
)

// Item is an item that waits for a moderator. The triggers queue_items_post_made, queue_items_post_due and queue_items_comment_made add
// held items to the queue. queue_items_post_deleted and queue_items_comment_deleted remove items that their author deletes.
type Item struct {
	Target     data.ID
	Community  string // "" for a member, whose name is Author
	Slug       string
	Title      string // of the post
	Kind       string // of the post
	Link       string // of the post: its link or picture
	Author     string
	AuthorID   data.ID // 0 for a member
	Text       string  // the beginning of its text
	Reports    int64
	Weight     int64    // of the reports, by the reputation of the reporters
	Held       bool     // it is hidden until a decision
	Rules      []string // automatic rules that have hit it
	CameAt     time.Time
	Reasons    []Reason              // the most frequent first
	Texts      []string              // the texts of reporters, the newest first
	Reputation reputation.Reputation // of the author in the community
	Pictures   []pictures.Picture
	// CommunityRules are the rules of its community.
	CommunityRules []communities.Rule
}

// Reason is the number of reports with a reason.
type Reason struct {
	Title   string
	Reports int64
}

// URL returns the address of the item.
func (i *Item) URL() string {
	switch {
	case i.Community == "":
		return "/u/" + i.Author
	case i.Target.IsComment():
		return "/c/" + i.Community + "/p/" + i.Slug + "/" + i.Target.Text()
	}
	return "/c/" + i.Community + "/p/" + i.Slug
}

const (
	// Primary keys, and the indexes reports_said and moderation_log_author. A row shows at most three texts, and ten titles of rules,
	// each once: blocked pictures have one title. A community and the site have 50 rules each.
	itemColumns = `SELECT q.target_id, q.reports, q.weight, q.came_at, p.community_name, p.slug, p.title, p.kind, iif(p.link = '', p.image,
  p.link), coalesce(c.author_name, p.author_name, (SELECT u.username FROM users u WHERE u.id = q.target_id
  AND q.community_id = 0)), coalesce(c.author_id, p.author_id),
  coalesce(substr(c.body, 1, 2000), p.excerpt),
  (SELECT json_group_array(json_array(x.reason, x.reports)) FROM report_reasons x WHERE x.target_id = q.target_id),
  (SELECT json_group_array(w.text) FROM (SELECT r.text FROM reports r WHERE r.target_id = q.target_id AND r.text <> ''
  AND r.created_at >= q.came_at ORDER BY r.created_at DESC LIMIT 3) w), q.held,
  (SELECT json_group_array(h.title) FROM (SELECT DISTINCT y.title FROM (SELECT z.title FROM rule_hits z WHERE z.target_id = q.target_id
  LIMIT 200) y LIMIT 10) h),
  (SELECT k.rules FROM communities k WHERE k.id = q.community_id), coalesce(c.pictures, p.pictures, ''),
  ` + reputation.FactsOfWriter + ` `
	itemJoins = ` LEFT JOIN comments c ON c.id = q.target_id LEFT JOIN posts p ON p.id = coalesce(c.post_id, q.target_id) `

	// In one community: the index of the filter, in its order. Names in braces are filled in: {only} is the filter's condition, {column} the
	// sort column of the order.
	ofCommunity = itemColumns + `FROM queue_items q` + itemJoins + `WHERE q.community_id = (SELECT k.id FROM communities k
  WHERE k.name_key = :community)
  AND q.status = 'open'{only} AND (q.{column}, q.target_id) < (:value, :id COLLATE BINARY) ORDER BY q.{column} DESC, q.target_id DESC
  LIMIT :limit`

	// In the communities that a member moderates: a page of each by the same indexes, and the first of all these. The directory knows the
	// communities; other databases get their names.
	moderated = itemColumns + `FROM (SELECT f.target_id FROM (SELECT m.community_id AS id FROM moderators m WHERE m.user_id = :actor
    UNION ALL SELECT k.id FROM json_each(:communities) j CROSS JOIN communities k ON k.name_key = j.value LIMIT 500) o
  CROSS JOIN queue_items f ON f.target_id IN (SELECT q.target_id FROM queue_items q WHERE q.community_id = o.id AND q.status = 'open'` +
		first

	// In all communities, and about members, for administrators: the index of the filter whose name has "all". :admin is for databases that do
	// not know administrators.
	anywhere = itemColumns + `FROM (SELECT f.target_id FROM (SELECT 1 WHERE :admin OR EXISTS (SELECT 1 FROM users u WHERE u.id = :actor
  AND u.admin = 1)) o CROSS JOIN queue_items f ON f.target_id IN (SELECT q.target_id FROM queue_items q WHERE q.status = 'open'` + first

	first = `{only} AND (q.{column}, q.target_id) < (:value, :id COLLATE BINARY)
  ORDER BY q.{column} DESC, q.target_id DESC LIMIT :limit)
  ORDER BY f.{column} DESC, f.target_id DESC LIMIT :limit) t CROSS JOIN queue_items q ON q.target_id = t.target_id` + itemJoins
)

// Filter selects a part of a queue.
type Filter string

// The filters of a queue.
const (
	Everything Filter = ""
	Reported   Filter = "reports"
	Held       Filter = "held"
	Hit        Filter = "rules" // by automatic rules
)

// conditions are the filters' conditions, as in the partial indexes.
var conditions = map[Filter]string{Everything: "", Reported: " AND q.reports > 0", Held: " AND q.held = 1", Hit: " AND q.hits > 0"}

// show is the part of a queue that a page shows.
type show struct {
	filter Filter
	order  data.Order
}

// statements are all statements that read queues.
var statements = sync.OnceValue(func() map[show][3]string {
	all := map[show][3]string{}
	for filter, only := range conditions {
		for order, column := range map[data.Order]string{Newest: "came_at", Heaviest: "weight"} {
			condition := only
			if order == Heaviest {
				condition = "" // items in this order have reports anyway
			}
			fill := strings.NewReplacer("{only}", condition, "{column}", column)
			all[show{filter, order}] = [3]string{fill.Replace(ofCommunity), fill.Replace(moderated), fill.Replace(anywhere)}
		}
	}
	return all
})

func scanItem(row *data.Row) *Item {
	i := &Item{Target: row.ID(), Reports: row.Int(), Weight: row.Int(), CameAt: row.Time(), Community: row.Text(), Slug: row.Text(),
		Title: row.Text(), Kind: row.Text(), Link: row.Text(),
		Author: row.Text(), AuthorID: row.ID(), Text: row.Text()}
	var reasons [][2]any
	row.Fail(json.Unmarshal([]byte(row.Text()), &reasons))
	for _, r := range reasons {
		title, _ := r[0].(string)
		n, _ := r[1].(float64)
		i.Reasons = append(i.Reasons, Reason{title, int64(n)})
	}
	slices.SortStableFunc(i.Reasons, func(a, b Reason) int { return cmp.Compare(b.Reports, a.Reports) })
	row.Fail(json.Unmarshal([]byte(row.Text()), &i.Texts))
	i.Held = row.Bool()
	row.Fail(json.Unmarshal([]byte(row.Text()), &i.Rules))
	if list := row.Text(); list != "" {
		row.Fail(json.Unmarshal([]byte(list), &i.CommunityRules))
	}
	i.Pictures = pictures.Scan(row)
	i.Reputation.Scan(row)
	return i
}

// scanned returns the function that reads an item and its place in an order.
func (s *Store) scanned(order data.Order) func(*data.Row) (i *Item, value float64, id data.ID) {
	now := s.Source.Now()
	return func(row *data.Row) (*Item, float64, data.ID) {
		i := scanItem(row)
		if i.AuthorID != 0 {
			i.Reputation.Age = now.Sub(i.AuthorID.Time())
		}
		if order == Heaviest {
			return i, float64(i.Weight), i.Target
		}
		return i, float64(i.CameAt.UnixMilli()), i.Target
	}
}

// FindQueue reads a page of the waiting items of a community along with a page of the site. It reads about the same number of rows
// however many wait.
func (s *Store) FindQueue(r *data.Read, community string, filter Filter, order data.Order, after data.Cursor, limit int) *data.Page[*Item] {
	value, id := data.KeysetFrom(after)
	return data.NewPage[*Item](order, limit).FindAt(r, data.In(community), statements()[show{filter, order}][0],
		data.Args{"community": strings.ToLower(community), "value": value, "id": id, "since": reputation.Since(s.Source)}, s.scanned(order))
}

// Moderator is the reader of the queue of all communities that they moderate or, for an administrator, of all communities. With one
// database the statements find these communities. With shards the caller has to pass them, because only the directory has them.
type Moderator struct {
	ID          data.ID
	Communities []string // names
	Admin       bool
}

// FindAll reads a page of the waiting items of all communities of a moderator, along with a page of the site.
func (s *Store) FindAll(r *data.Read, m Moderator, filter Filter, order data.Order, after data.Cursor, limit int) *data.Page[*Item] {
	p := data.NewPage[*Item](order, limit)
	value, id := data.KeysetFrom(after)
	names := []string{}
	for _, name := range m.Communities {
		names = append(names, strings.ToLower(name))
	}
	args := func(more string, v any) data.Args {
		return data.Args{"actor": m.ID, "value": value, "id": id, "since": reputation.Since(s.Source), more: v}
	}
	p.FindEverywhere(r, statements()[show{filter, order}][1], args("communities", names), s.scanned(order))
	p.FindEverywhere(r, statements()[show{filter, order}][2], args("admin", m.Admin), s.scanned(order))
	return p
}
