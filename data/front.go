package data

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"plaza/data/hrana"
	"plaza/data/upstash"
	"plaza/ranking"
)

// Shape of a member's front page.
const (
	// FrontCommunities is how many subscriptions one front page draws on; of more, a
	// sample that changes with every cache life.
	FrontCommunities = 50
	frontDepth       = 20               // posts of each
	frontLife        = 30 * time.Second // of the merged order in Redis
	// frontSilence is the age of the fresh post that silent communities are measured
	// from (ranking.Merge).
	frontSilence = 48 * time.Hour
	frontLength  = 400 // posts of the merged order
)

// OrderFront is the letter of a front page's cursors.
const OrderFront Order = 'f'

// Front is a page of what a member's communities talk about; read it after the Read
// ran. It is the normalised merge of their hot listings (ranking.Merge), kept in Redis
// for half a minute so that its pages fit together.
type Front struct {
	user   ID
	limit  int
	after  Cursor
	order  []frontItem // the merged order, from Redis
	posts  []*Post
	lists  map[ID]ranking.List // what the database knows, when Redis did not
	floor  float64
	cached bool
	merged []frontItem
	// RedisErr is why Redis could not be asked, if so.
	RedisErr error
}

type frontItem struct {
	id     ID
	weight float64
}

// Subscriptions by primary key, at most ?3 of them in an order that ?2 shuffles; then
// of each the first ?4 of posts_hot.
const (
	frontSample = `WITH mine (community_id) AS MATERIALIZED (
  SELECT s.community_id FROM subscriptions s WHERE s.user_id = ?1 ORDER BY ((s.community_id >> 12) * ?2) % 1000003, s.community_id LIMIT ?3)
`
	frontEntries = ` FROM mine m CROSS JOIN posts p ON p.id IN (
  SELECT q.id FROM posts q WHERE q.community_id = m.community_id AND q.status = 'published' ORDER BY q.hot DESC, q.id DESC LIMIT ?4)`
	frontLists = frontSample + `SELECT p.id, p.community_id, p.hot` + frontEntries

	// The same merge in SQL, for the page that finds Redis empty: its posts come with
	// the lists in one request. ?5 floor, ?6 ?7 the cursor's weight and id, ?8 limit.
	frontWeight = `p.hot - max(?5, (SELECT q.hot FROM posts q WHERE q.community_id = m.community_id AND q.status = 'published' ORDER BY q.hot DESC, q.id DESC LIMIT 1))`
	frontPage   = frontSample + `SELECT ` + postColumns + postMine + `, ` + frontWeight + ` AS weight` + frontEntries + `
WHERE (` + frontWeight + `, p.hot, p.id) < (?6, coalesce((SELECT hot FROM posts WHERE id = ?7), ?6), ?7)
ORDER BY weight DESC, p.hot DESC, p.id DESC LIMIT ?8`
)

// FindFront reads a page of a member's front page along with a page. ok is false for
// a member known to take part nowhere, who gets the site's listing instead.
func (s *PostStore) FindFront(ctx context.Context, r *Read, user ID, after Cursor, limit int) (f *Front, ok bool) {
	now := s.Source.Now()
	f = &Front{user: user, limit: limit, after: after, lists: map[ID]ranking.List{}, floor: ranking.Hot(1, 0, now.Add(-frontSilence))}
	reply, err := s.Hot.Redis.Do(ctx, upstash.Cmd{"GET", frontKey(user)})
	if text, found, errText := reply.Text(); err == nil && errText == nil && found {
		if f.order, f.cached = decodeFront(text); f.cached {
			if len(f.order) == 0 {
				return nil, false
			}
			s.readFront(r, f)
			return f, true
		}
	}
	f.RedisErr = err
	value, id := math.MaxFloat64, ID(1<<62)
	if !after.IsZero() {
		value, id = after.Value, after.ID
	}
	seed := now.Unix()/int64(frontLife/time.Second)%1000000 + 1
	for _, shard := range s.DB.shards {
		r.add(shard, stmt(frontLists, user, seed, FrontCommunities, frontDepth), func(res hrana.Result) error {
			return each(res, func(row *row) {
				entry, community := ranking.Entry{ID: row.int()}, row.id()
				entry.Hot = row.float()
				f.lists[community] = append(f.lists[community], entry)
			})
		})
		r.add(shard, stmt(frontPage, user, seed, FrontCommunities, frontDepth, f.floor, value, id, limit), f.scan)
	}
	return f, true
}

func (f *Front) scan(res hrana.Result) error {
	return each(res, func(row *row) {
		p := &Post{}
		scanPost(row, p)
		f.posts = append(f.posts, p)
	})
}

// readFront asks for the posts of a page of the cached order.
func (s *PostStore) readFront(r *Read, f *Front) {
	byShard := map[*hrana.Client][]ID{}
	for _, item := range f.page() {
		if c := s.DB.shard(item.id); c != nil {
			byShard[c] = append(byShard[c], item.id)
		}
	}
	for shard, ids := range byShard {
		r.add(shard, stmt(selectPost+listByIDs, f.user, jsonIDs(ids)), f.scan)
	}
}

// items is the merged order.
func (f *Front) items() []frontItem {
	if f.cached {
		return f.order
	}
	if f.merged == nil {
		lists := make([]ranking.List, 0, len(f.lists))
		for _, l := range f.lists {
			lists = append(lists, l)
		}
		for _, item := range ranking.Merge(lists, f.floor, frontLength) {
			f.merged = append(f.merged, frontItem{ID(item.ID), item.Weight})
		}
	}
	return f.merged
}

// page is the part of the order that follows the cursor.
func (f *Front) page() []frontItem {
	items, from := f.items(), f.from()
	return items[from:min(from+f.limit, len(items))]
}

// from is where the page begins in the order: right after the cursor's post, or, when
// that has left the order, after its weight.
func (f *Front) from() int {
	items := f.items()
	from := 0
	if !f.after.IsZero() {
		from = len(items)
		for i, item := range items {
			if item.id == f.after.ID {
				from = i + 1
				break
			}
			if from == len(items) && item.weight < f.after.Value {
				from = i
			}
		}
	}
	return from
}

// Empty tells that the member takes part nowhere where something was posted.
func (f *Front) Empty() bool { return len(f.items()) == 0 }

// Items is the page in its order, without what the member has hidden.
func (f *Front) Items() []*Post {
	byID := make(map[ID]*Post, len(f.posts))
	for _, p := range f.posts {
		byID[p.ID] = p
	}
	var list []*Post
	for _, item := range f.page() {
		if p := byID[item.id]; p != nil && !p.Hidden { // hidden, or deleted since: its place stays empty
			list = append(list, p)
		}
	}
	return list
}

// Next is the cursor of the following page; zero on the last.
func (f *Front) Next() Cursor {
	page, all := f.page(), f.items()
	if len(page) == 0 || page[len(page)-1] == all[len(all)-1] {
		return Cursor{}
	}
	last := page[len(page)-1]
	return Cursor{Order: byte(OrderFront), Value: last.weight, ID: last.id}
}

// Fresh tells that the order was merged just now and wants to be kept.
func (f *Front) Fresh() bool { return !f.cached && f.RedisErr == nil }

// KeepFront keeps the merged order for half a minute.
func (s *PostStore) KeepFront(ctx context.Context, f *Front) error {
	_, err := s.Hot.Redis.Do(ctx, upstash.Cmd{"SET", frontKey(f.user), encodeFront(f.items()), "EX", int(frontLife / time.Second)})
	return err
}

// ForgetFront makes the next front page merge anew, for a member who just joined or
// left a community.
func (s *PostStore) ForgetFront(ctx context.Context, user ID) error {
	_, err := s.Hot.Redis.Do(ctx, upstash.Cmd{"DEL", frontKey(user)})
	return err
}

func frontKey(user ID) string { return "front:" + user.Text() }

// encodeFront is one line an item, id and exact weight.
func encodeFront(items []frontItem) string {
	b := make([]byte, 0, 32*len(items))
	for _, item := range items {
		b = append(b, item.id.Text()...)
		b = strconv.AppendFloat(b, item.weight, 'g', -1, 64)
		b = append(b, '\n')
	}
	return string(b)
}

func decodeFront(s string) (items []frontItem, ok bool) {
	for s != "" {
		line, rest, _ := strings.Cut(s, "\n")
		s = rest
		if len(line) <= IDTextLen {
			return nil, false
		}
		id, errID := ParseID(line[:IDTextLen])
		weight, errW := strconv.ParseFloat(line[IDTextLen:], 64)
		if errID != nil || errW != nil {
			return nil, false
		}
		items = append(items, frontItem{id, weight})
	}
	return items, true
}
