// Package editions stores editions of the front page. An edition is a list of posts with an end. A job chooses it at the hours of a
// Schedule, and it never changes afterwards: pages read the posts as they are now, and leave out those that are gone. Members who were here
// lately get one of their own beside the site's.
//
// Begin with Store.Make and Store.MakeForMembers, which choose editions, and Store.Find. docs/inside/lists.md says how posts are chosen.
package editions

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"plaza/data"
	"plaza/data/content/posts"
)

// Store stores editions. The directory has the lists, and shards have the posts.
type Store struct {
	data.Base

	mu   sync.Mutex // never held across I/O
	last Number     // the edition that this instance made or found last
}

// Edition is an edition and its posts.
type Edition struct {
	Number         Number // 0: there is no such edition
	PublishedAt    time.Time
	Own            bool   // it is the viewer's, not the site's
	Earlier, Later Number // the editions before and after it; 0 for none
	OwnNeighbours  bool   // these are the viewer's
	Quote          *Quote // a comment on the lead that the page quotes; nil for none

	ids   []data.ID
	posts map[data.ID]*posts.Post
}

// Quote is a comment on the lead.
type Quote struct {
	ID       data.ID
	AuthorID data.ID
	Author   string
	Ups      int64
	Downs    int64
	Text     string // the beginning of its Markdown
}

// Posts returns the posts that are still there, in the order of the edition. Read them after Run.
func (e *Edition) Posts() []*posts.Post {
	list := make([]*posts.Post, 0, len(e.ids))
	for _, id := range e.ids {
		if p := e.posts[id]; p != nil {
			list = append(list, p)
		}
	}
	return list
}

// InFront reports whether a post stands above the sections.
func (e *Edition) InFront(id data.ID) bool {
	return slices.Contains(e.ids[:min(len(e.ids), Front)], id)
}

// Lead returns the post that leads the edition; nil if it is gone.
func (e *Edition) Lead() *posts.Post {
	if len(e.ids) == 0 {
		return nil
	}
	return e.posts[e.ids[0]]
}

// The statements of a page. :number is the edition, or 0 for the last one. :reader is the member whose own editions are shown, or 0.
// Without an own one, the site's last edition is found, and no earlier one. All rows are found by primary keys.
const (
	editionOf = ` FROM editions e LEFT JOIN member_editions m ON m.user_id = :reader AND m.number = e.number`
	wanted    = `e.number = coalesce(nullif(:number, 0), (SELECT max(z.number) FROM editions z))
  AND (m.user_id IS NOT NULL OR :reader = 0 OR :number = 0)`
	postsOf  = `coalesce(m.posts, e.posts)`
	quotedBy = `iif(m.user_id IS NULL, e.quote, m.quote)`

	found = `SELECT e.number, e.published_at, ` + postsOf + `, coalesce(` + quotedBy + `, 0), m.user_id IS NOT NULL,
  coalesce((SELECT max(x.number) FROM editions x WHERE x.number < e.number), 0),
  coalesce((SELECT min(x.number) FROM editions x WHERE x.number > e.number), 0),
  coalesce((SELECT max(x.number) FROM member_editions x WHERE x.user_id = :reader AND x.number < e.number), 0),
  coalesce((SELECT min(x.number) FROM member_editions x WHERE x.user_id = :reader AND x.number > e.number), 0)` +
		editionOf + ` WHERE ` + wanted

	quoteColumns = `SELECT c.id, c.author_id, c.author_name, c.ups, c.downs, substr(c.body, 1, 1000) FROM comments c
WHERE c.status = 'published' AND c.held = 0 AND c.id = `
	quoteByID = quoteColumns + `:quote`
	quoteOf   = quoteColumns + `(SELECT ` + quotedBy + editionOf + ` WHERE ` + wanted + `)`
)

// The statements that read posts: for visitors and members, and by ids or along with the edition.
var (
	ofVisitor = `SELECT ` + posts.Columns + posts.NoViewerColumns
	ofMember  = `SELECT ` + posts.Columns + posts.ViewerColumns
	byIDs     = ` FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value`
	ofEdition = editionOf + ` CROSS JOIN json_each(` + postsOf + `) j CROSS JOIN posts p ON p.id = j.value`
	visible   = ` WHERE p.status = 'published' AND p.nsfw = 0 AND p.spoiler = 0`

	byIDsForVisitor  = ofVisitor + byIDs + visible
	byIDsForMember   = ofMember + byIDs + posts.JoinViewerVote + visible
	listedForVisitor = ofVisitor + ofEdition + visible + ` AND ` + wanted
	listedForMember  = ofMember + ofEdition + posts.JoinViewerVote + visible + ` AND ` + wanted
)

// Find reads an edition for a viewer, together with what else r reads. number 0 is the last edition, viewer 0 a visitor. own asks for the
// viewer's own; without one beside the site's last edition, it is the site's. If posts are in other databases than editions, it reads the
// list first.
func (s *Store) Find(ctx context.Context, r *data.Read, number Number, viewer data.ID, own bool) (*Edition, error) {
	e := &Edition{posts: map[data.ID]*posts.Post{}}
	args := data.Args{"number": int64(number), "reader": data.ID(0)}
	if own {
		args["reader"] = viewer
	}
	var quote data.ID
	scan := func(row *data.Row) {
		e.Number, e.PublishedAt = Number(row.Int()), row.Time()
		row.Fail(json.Unmarshal([]byte(row.Text()), &e.ids))
		quote, e.Own, e.Earlier, e.Later = row.ID(), row.Bool(), Number(row.Int()), Number(row.Int())
		if earlier, later := Number(row.Int()), Number(row.Int()); e.Own || earlier != 0 {
			e.Earlier, e.Later, e.OwnNeighbours = earlier, later, true
		}
	}
	known, listed, about := byIDsForVisitor, listedForVisitor, data.Args{}
	if viewer != 0 {
		known, listed, about["viewer"] = byIDsForMember, listedForMember, viewer
	}
	if s.DB.HasShards() {
		first := r.More()
		first.Find(found, args, scan)
		if err := first.Run(ctx); err != nil {
			return nil, err
		}
		r.FindByIDs(e.ids, known, about, e.scanPost)
		if quote != 0 {
			r.FindAt(quote, quoteByID, data.Args{"quote": quote}, e.scanQuote)
		}
		return e, nil
	}
	about["number"], about["reader"] = args["number"], args["reader"]
	r.Find(found, args, scan)
	r.Find(listed, about, e.scanPost)
	r.Find(quoteOf, args, e.scanQuote)
	return e, nil
}

func (e *Edition) scanPost(row *data.Row) {
	p := &posts.Post{}
	p.Scan(row)
	e.posts[p.ID] = p
}

func (e *Edition) scanQuote(row *data.Row) {
	e.Quote = &Quote{ID: row.ID(), AuthorID: row.ID(), Author: row.Text(), Ups: row.Int(), Downs: row.Int(), Text: row.Text()}
}

const (
	// notAgain is the number of editions in which a post is not shown again.
	notAgain = 14
	// fewest is the number of posts that make an edition. With less to show, the edition before stays the last one.
	fewest = 5
	// latest is the time after which an edition is not made any more. Meanwhile each instance looks once whether there are enough posts.
	latest = 3 * time.Hour
	// perShard is the number of posts that each shard offers for an edition.
	perShard = 200

	// Primary key, backwards.
	lastEditions = `SELECT e.number, e.posts FROM editions e ORDER BY e.number DESC LIMIT :limit`

	offered = `SELECT p.id, p.community_id, p.created_at, p.hot, p.pictures <> '' OR p.image <> ''`
	// presentable leaves out posts that no edition has.
	presentable = ` WHERE p.status = 'published' AND p.nsfw = 0 AND p.spoiler = 0 AND ` + data.NotOnProfile

	// posts_site_hot, backwards. Some of the hottest posts are left out, so more are read than are offered.
	candidates = offered + ` FROM (SELECT h.id FROM posts h WHERE h.status = 'published' ORDER BY h.hot DESC LIMIT 2 * :limit) hottest
CROSS JOIN posts p ON p.id = hottest.id` + presentable + ` LIMIT :limit`

	// comments_best: the first of the best comments on a post that is long enough to say something, and short enough to be read at once.
	quotable = `SELECT j.value, c.id FROM json_each(:ids) j CROSS JOIN comments c ON c.id = (
  SELECT q.id FROM (SELECT b.id, b.status, b.author_name, b.score, b.body FROM comments b
    WHERE b.post_id = j.value AND b.parent_id = 0 AND b.held = 0 ORDER BY b.best DESC LIMIT 5) q
  WHERE q.status = 'published' AND q.author_name <> '' AND q.score > 1 AND length(q.body) BETWEEN 40 AND 600 LIMIT 1)`

	// Members' editions are made for those who were here since :here.
	insert = `INSERT INTO editions (number, published_at, posts, quote, members_seen)
VALUES (:number, :at, :posts, nullif(:quote, 0), :here) ON CONFLICT (number) DO NOTHING`
)

// Make chooses and stores the edition that is due, unless it exists. If there are too few new posts for it, none is stored. A job calls it
// every few minutes.
func (s *Store) Make(ctx context.Context, schedule Schedule) error {
	now := s.Source.Now()
	due := schedule.Last(now)
	if due == 0 || s.has(due) || now.Sub(schedule.Time(due)) > latest {
		return nil
	}
	taken, exists := map[data.ID]bool{}, false
	r := s.DB.Read()
	r.Find(lastEditions, data.Args{"limit": notAgain}, func(row *data.Row) {
		exists = exists || Number(row.Int()) >= due
		var ids []data.ID
		row.Fail(json.Unmarshal([]byte(row.Text()), &ids))
		for _, id := range ids {
			taken[id] = true
		}
	})
	if err := r.Run(ctx); err != nil {
		return err
	}
	if !exists {
		if err := s.make(ctx, due, schedule.Time(due), taken, now.Add(-schedule.window())); err != nil {
			return err
		}
	}
	s.keep(due)
	return nil
}

// make chooses an edition without the posts that are taken, and writes it.
func (s *Store) make(ctx context.Context, number Number, at time.Time, taken map[data.ID]bool, since time.Time) error {
	chosen, err := s.choose(ctx, taken, since)
	if err != nil || len(chosen) < fewest {
		return err
	}
	quotes, err := s.findQuotes(ctx, idsOf(chosen[:min(len(chosen), Front)]))
	if err != nil {
		return err
	}
	lead(chosen, quotes)
	w := s.DB.Write()
	w.Do(insert, data.Args{"number": int64(number), "at": at, "posts": idsOf(chosen), "quote": quotes[chosen[0].id],
		"here": at.Add(-seenWithin)})
	return w.Run(ctx)
}

// choose reads the hottest posts of the site, and chooses among them.
func (s *Store) choose(ctx context.Context, taken map[data.ID]bool, since time.Time) ([]candidate, error) {
	var list []hotCandidate
	r := s.DB.Read()
	r.FindAll(candidates, data.Args{"limit": perShard}, func(row *data.Row) {
		if c, own := scanCandidate(row); own {
			list = append(list, c)
		}
	})
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	return choose(sorted(list), taken, since), nil
}

// scanCandidate reads the columns of offered. own is false for a row of another shard.
func scanCandidate(row *data.Row) (c hotCandidate, own bool) {
	c = hotCandidate{candidate: candidate{id: row.ID(), community: row.ID(), createdAt: row.Time()}, hot: row.Float()}
	c.picture = row.Bool()
	return c, row.InOwnShard(c.id)
}

// findQuotes returns the comments that some of the posts can be quoted with, by their posts.
func (s *Store) findQuotes(ctx context.Context, list []data.ID) (map[data.ID]data.ID, error) {
	quotes := map[data.ID]data.ID{}
	r := s.DB.Read()
	r.FindByIDs(list, quotable, nil, func(row *data.Row) {
		post := row.ID()
		quotes[post] = row.ID()
	})
	return quotes, r.Run(ctx)
}

func (s *Store) has(number Number) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last >= number
}

func (s *Store) keep(number Number) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(s.last, number)
}

// hotCandidate is a candidate with the value that the shards' lists are merged by.
type hotCandidate struct {
	candidate
	hot float64
}
