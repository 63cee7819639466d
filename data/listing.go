package data

import (
	"context"
	"sort"
	"strings"

	"plaza/data/hrana"
)

// Order is how a listing sorts, and the letter its cursors begin with.
type Order byte

// The orders of a listing.
const (
	OrderHot Order = 'h'
	OrderNew Order = 'n'
)

// ListingQuery asks for one page of a listing.
type ListingQuery struct {
	Community string // "" is site-wide
	Author    string // posts of one author, new first; excludes Community
	Order     Order
	After     Cursor
	Limit     int
	Viewer    ID // 0 is a visitor
	// FromDatabase leaves Redis out, for a page that asks it for something else.
	FromDatabase bool
}

// Listing is a page of posts; read its Items after the Read ran.
type Listing struct {
	query ListingQuery
	posts []*Post
	ids   []HotMember // from Redis, in their order; nil when the database lists
	more  bool        // Redis has more after ids
	// Stale tells that the hot set could not say and wants a rebuild.
	Stale bool
	// RedisErr is why the set could not be asked, if that was the reason.
	RedisErr error
}

// The keyset condition is a row value over the index's own columns, so that a page
// costs its rows and no more, however deep. ?2 limit, ?3 cursor's value, ?4 its id.
const (
	listHotOfCommunity = ` FROM posts p WHERE p.community_id = (SELECT c.id FROM communities c WHERE c.name_key = ?5)
AND p.status = 'published' AND (p.hot, p.id) < (?3, ?4) ORDER BY p.hot DESC, p.id DESC LIMIT ?2` // posts_hot
	listNewOfCommunity = ` FROM posts p WHERE p.community_id = (SELECT c.id FROM communities c WHERE c.name_key = ?5)
AND p.status = 'published' AND (p.created_at, p.id) < (?3, ?4) ORDER BY p.created_at DESC, p.id DESC LIMIT ?2` // posts_new
	listHotOfSite = ` FROM posts p WHERE p.status = 'published' AND (p.hot, p.id) < (?3, ?4)
ORDER BY p.hot DESC, p.id DESC LIMIT ?2` // posts_site_hot
	listNewOfSite = ` FROM posts p WHERE p.status = 'published' AND (p.created_at, p.id) < (?3, ?4)
ORDER BY p.created_at DESC, p.id DESC LIMIT ?2` // posts_site_new
	listNewOfAuthor = ` FROM posts p WHERE p.author_name = ?5 COLLATE NOCASE AND p.author_id IS NOT NULL AND p.status = 'published' AND (p.created_at, p.id) < (?3, ?4)
ORDER BY p.created_at DESC, p.id DESC LIMIT ?2` // posts_author
	// Primary key, one row an id.
	listByIDs = ` FROM json_each(?2) j JOIN posts p ON p.id = j.value WHERE p.status = 'published'`

	selectPost     = `SELECT ` + postColumns + postMine
	selectPostAnon = `SELECT ` + postColumns + postNobody
)

// beforeAll is the cursor before the first item of any order.
const beforeAll = 9e15

// FindListing reads one page of a listing along with a page. Hot listings ask Redis
// first, at once, for the ids; the rest waits for the Read.
func (s *PostStore) FindListing(ctx context.Context, r *Read, q ListingQuery) (*Listing, error) {
	l := &Listing{query: q}
	shards := s.DB.shards
	if q.Community != "" {
		shard, err := s.DB.ShardOf(ctx, q.Community)
		if err != nil {
			return nil, err
		}
		shards = []*hrana.Client{shard}
	}
	columns := selectPost
	if q.Viewer == 0 {
		columns = selectPostAnon
	}
	if q.Order == OrderHot && q.Author == "" && !q.FromDatabase {
		members, ok, err := s.Hot.Page(ctx, q.Community, q.After, q.Limit+1)
		if ok {
			s.addByIDs(r, l, columns, members)
			return l, nil
		}
		l.Stale, l.RedisErr = err == nil, err
	}
	value, id := any(beforeAll), ID(1<<62)
	if !q.After.IsZero() {
		value, id = q.After.Value, q.After.ID
	}
	args := []any{q.Viewer, q.Limit + 1, value, id}
	var from string
	switch {
	case q.Author != "":
		from, args = listNewOfAuthor, append(args, q.Author)
	case q.Community != "" && q.Order == OrderHot:
		from, args = listHotOfCommunity, append(args, strings.ToLower(q.Community))
	case q.Community != "":
		from, args = listNewOfCommunity, append(args, strings.ToLower(q.Community))
	case q.Order == OrderHot:
		from = listHotOfSite
	default:
		from = listNewOfSite
	}
	for _, shard := range shards {
		r.add(shard, stmt(columns+from, append([]any(nil), args...)...), l.scan)
	}
	return l, nil
}

func (s *PostStore) addByIDs(r *Read, l *Listing, columns string, members []HotMember) {
	if len(members) > l.query.Limit {
		members, l.more = members[:l.query.Limit], true
	}
	l.ids = members
	byShard := map[*hrana.Client][]ID{}
	for _, m := range members {
		if c := s.DB.shard(m.ID); c != nil {
			byShard[c] = append(byShard[c], m.ID)
		}
	}
	for shard, ids := range byShard {
		r.add(shard, stmt(columns+listByIDs, l.query.Viewer, jsonIDs(ids)), l.scan)
	}
	if l.ids == nil {
		l.ids = []HotMember{}
	}
}

func (l *Listing) scan(res hrana.Result) error {
	return each(res, func(row *row) {
		p := &Post{}
		scanPost(row, p)
		l.posts = append(l.posts, p)
	})
}

func (l *Listing) value(p *Post) float64 {
	if l.query.Order == OrderHot && l.query.Author == "" {
		return p.Hot
	}
	return float64(p.CreatedAt.UnixMilli())
}

// Items is the page in its order.
func (l *Listing) Items() []*Post {
	if l.ids != nil {
		byID := make(map[ID]*Post, len(l.posts))
		for _, p := range l.posts {
			byID[p.ID] = p
		}
		items := make([]*Post, 0, len(l.ids))
		for _, m := range l.ids {
			if p := byID[m.ID]; p != nil { // deleted since: its place stays empty
				items = append(items, p)
			}
		}
		return items
	}
	sort.Slice(l.posts, func(i, j int) bool {
		a, b := l.value(l.posts[i]), l.value(l.posts[j])
		return a > b || a == b && l.posts[i].ID > l.posts[j].ID
	})
	return l.posts[:min(len(l.posts), l.query.Limit)]
}

// Next is the cursor of the following page; zero on the last.
func (l *Listing) Next() Cursor {
	if l.ids != nil {
		if !l.more {
			return Cursor{}
		}
		last := l.ids[len(l.ids)-1]
		return Cursor{Order: byte(l.query.Order), Value: last.Hot, ID: last.ID}
	}
	items := l.Items()
	if len(l.posts) <= l.query.Limit || len(items) == 0 {
		return Cursor{}
	}
	last := items[len(items)-1]
	return Cursor{Order: byte(l.query.Order), Value: l.value(last), ID: last.ID}
}

// jsonIDs is a JSON array for json_each, whose integers SQLite reads exactly.
func jsonIDs(ids []ID) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(id.String())
	}
	b.WriteByte(']')
	return b.String()
}
