package modlog

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"plaza/data"
)

// numbersMax limits the rows of a month: each is a moderator and an action.
const numbersMax = 1000

// Number is how often a moderator has made a kind of decision in a month.
type Number struct {
	Actor   data.ID // 0 is an automatic rule or, for the site, the operator on the command line
	Name    string  // "" for a deleted account
	Action  Action
	Entries int64
	Undone  int64 // how many of them were undone
}

// Numbers are the Number of each moderator and action in a month.
type Numbers struct {
	List           []Number // a moderator's are adjacent
	Earlier, Later Month    // the nearest months with decisions; 0 is none
}

// Month is a month, UTC: 202611 is November 2026.
type Month int64

// MonthOf returns the month of a time.
func MonthOf(t time.Time) Month {
	t = t.UTC()
	return Month(t.Year()*100 + int(t.Month()))
}

// ParseMonth parses the result of String. Invalid.
func ParseMonth(s string) (Month, error) {
	t, err := time.Parse("2006-01", s)
	if err != nil {
		return 0, data.Mistake("month", "There is no such month.")
	}
	return MonthOf(t), nil
}

// Time returns when the month begins.
func (m Month) Time() time.Time {
	return time.Date(int(m/100), time.Month(m%100), 1, 0, 0, 0, 0, time.UTC)
}

// String returns the month as in addresses, such as 2026-11.
func (m Month) String() string { return m.Time().Format("2006-01") }

const (
	// Primary key, in its order, and index moderation_log_actor. The name is from the actor's last entry. Only the directory has
	// members: if it is the shard as well, only one of the two statements finds its rows.
	numbers = `SELECT c.actor_id, coalesce((SELECT l.actor_name FROM moderation_log l WHERE l.actor_id = c.actor_id AND l.actor_name <> ''
  ORDER BY l.id DESC LIMIT 1), ''), c.action, c.entries, c.undone
FROM moderation_counts c WHERE c.community_id = ` + ofCommunity + ` AND c.month = :month AND (:directory OR NOT EXISTS (SELECT 1
  FROM users u WHERE u.id > 0)) ORDER BY c.actor_id, c.action LIMIT :limit`
	// Primary key, unique index on name_key.
	nearMonths = `SELECT (SELECT max(c.month) FROM moderation_counts c WHERE c.community_id = ` + ofCommunity + ` AND c.month < :month),
  (SELECT min(c.month) FROM moderation_counts c WHERE c.community_id = ` + ofCommunity + ` AND c.month > :month)`
	ofCommunity = `iif(:community = '', 0, (SELECT k.id FROM communities k WHERE k.name_key = :community))`
)

// FindNumbers reads along with a page how many decisions the moderators of a community have made in a month; "" is the site.
func FindNumbers(r *data.Read, community string, month Month) *Numbers {
	n := &Numbers{}
	type key struct {
		actor  data.ID
		action Action
	}
	index := map[key]int{} // in n.List
	find := func(where data.Where) {
		args := data.Args{"community": strings.ToLower(community), "month": int64(month)}
		r.FindAt(where, nearMonths, args, func(row *data.Row) {
			earlier, later := Month(row.Int()), Month(row.Int())
			if n.Earlier = max(n.Earlier, earlier); n.Later == 0 || later != 0 && later < n.Later {
				n.Later = later
			}
		})
		r.FindAt(where, numbers, data.Args{"community": args["community"], "month": args["month"], "directory": where == data.In(""),
			"limit": numbersMax}, func(row *data.Row) {
			one := Number{row.ID(), row.Text(), Action(row.Text()), row.Int(), row.Int()}
			k := key{one.Actor, one.Action}
			i, found := index[k]
			if !found {
				index[k], n.List = len(n.List), append(n.List, one)
				return
			}
			n.List[i].Entries += one.Entries // such as settings in the directory and automatic rules on the shard
			n.List[i].Undone += one.Undone
			n.List[i].Name = cmp.Or(n.List[i].Name, one.Name)
		})
	}
	find(data.In(""))
	if community != "" {
		find(data.In(community))
	}
	r.After(func() {
		names := map[data.ID]string{} // one database may have a name that the other lacks
		for _, one := range n.List {
			names[one.Actor] = cmp.Or(names[one.Actor], one.Name)
		}
		for i := range n.List {
			n.List[i].Name = names[n.List[i].Actor]
		}
		slices.SortStableFunc(n.List, func(a, b Number) int { return cmp.Compare(a.Actor, b.Actor) })
	})
	return n
}
