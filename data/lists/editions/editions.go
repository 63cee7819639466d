// Package editions stores editions of the front page. An edition is a list of posts with an end. A job chooses it at the hours of a
// Schedule, and it never changes afterwards: pages read the posts as they are now, and leave out those that are gone.
//
// Begin with Store.Make, which chooses an edition, and Store.Find. docs/inside/lists.md says how posts are chosen.
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
	Earlier, Later Number // the editions before and after it; 0 for none
	Quote          *Quote // what the lead is quoted with; nil for nothing

	ids   []data.ID
	posts map[data.ID]*posts.Post
}

// Quote is a comment on the lead.
type Quote struct {
	ID       data.ID
	AuthorID data.ID
	Author   string
	Score    int64
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

// The statements of a page. :number is the edition, or 0 for the last one. All rows are found by primary keys.
const (
	wanted = `e.number = coalesce(nullif(:number, 0), (SELECT max(z.number) FROM editions z))`

	found = `SELECT e.number, e.posts, coalesce(e.quote, 0), coalesce((SELECT max(x.number) FROM editions x WHERE x.number < e.number), 0),
  coalesce((SELECT min(x.number) FROM editions x WHERE x.number > e.number), 0) FROM editions e WHERE ` + wanted

	quoteColumns = `SELECT c.id, c.author_id, c.author_name, c.ups - c.downs, substr(c.body, 1, 1000) FROM comments c
WHERE c.status = 'published' AND c.held = 0 AND c.id = `
	quoteByID = quoteColumns + `:quote`
	quoteOf   = quoteColumns + `(SELECT e.quote FROM editions e WHERE ` + wanted + `)`

	visitorColumns = `SELECT ` + posts.Columns + posts.NoViewerColumns
	memberColumns  = `SELECT ` + posts.Columns + posts.ViewerColumns
	postsByID      = ` FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value`
	postsOf        = ` FROM editions e CROSS JOIN json_each(e.posts) j CROSS JOIN posts p ON p.id = j.value`
	visible        = ` WHERE p.status = 'published'`
)

// Find reads an edition, or the last one for 0, along with a page for a viewer, who is 0 for a visitor. If posts are in other databases than
// editions, it reads the list first.
func (s *Store) Find(ctx context.Context, r *data.Read, number Number, viewer data.ID) (*Edition, error) {
	e := &Edition{posts: map[data.ID]*posts.Post{}}
	args := data.Args{"number": int64(number)}
	var quote data.ID
	scan := func(row *data.Row) {
		e.Number = Number(row.Int())
		row.Fail(json.Unmarshal([]byte(row.Text()), &e.ids))
		quote, e.Earlier, e.Later = row.ID(), Number(row.Int()), Number(row.Int())
	}
	columns, vote, about := visitorColumns, "", data.Args{}
	if viewer != 0 {
		columns, vote, about["viewer"] = memberColumns, posts.JoinViewerVote, viewer
	}
	if s.DB.HasShards() {
		before := r.More()
		before.Find(found, args, scan)
		if err := before.Run(ctx); err != nil {
			return nil, err
		}
		r.FindByIDs(e.ids, columns+postsByID+vote+visible, about, e.scanPost)
		if quote != 0 {
			r.FindAt(quote, quoteByID, data.Args{"quote": quote}, e.scanQuote)
		}
		return e, nil
	}
	about["number"] = int64(number)
	r.Find(found, args, scan)
	r.Find(columns+postsOf+vote+visible+` AND `+wanted, about, e.scanPost)
	r.Find(quoteOf, args, e.scanQuote)
	return e, nil
}

func (e *Edition) scanPost(row *data.Row) {
	p := &posts.Post{}
	p.Scan(row)
	e.posts[p.ID] = p
}

func (e *Edition) scanQuote(row *data.Row) {
	e.Quote = &Quote{ID: row.ID(), AuthorID: row.ID(), Author: row.Text(), Score: row.Int(), Text: row.Text()}
}

const (
	// earlier is for how many editions a post is not shown again.
	earlier = 14
	// hottest is how many posts an edition is chosen from on each shard.
	hottest = 200

	// Primary key, backwards.
	before = `SELECT e.number, e.posts FROM editions e ORDER BY e.number DESC LIMIT :limit`

	// posts_site_hot, backwards.
	candidates = `SELECT p.id, p.community_id, p.created_at, p.hot,
  p.pictures <> '' OR p.image <> '' OR EXISTS (SELECT 1 FROM link_previews l WHERE l.url = p.link AND l.image <> '')
FROM posts p WHERE p.status = 'published' AND ` + data.NotOnProfile + ` AND p.nsfw = 0 AND p.spoiler = 0
ORDER BY p.hot DESC LIMIT :limit`

	// comments_best: the first of the best comments on a post that is long enough to say something, and short enough to be read at once.
	quotable = `SELECT c.id FROM (SELECT b.id, b.status, b.score, b.body, b.best FROM comments b WHERE b.post_id = :post AND b.parent_id = 0 AND b.held = 0
  ORDER BY b.best DESC LIMIT 5) c
WHERE c.status = 'published' AND c.score > 1 AND length(c.body) BETWEEN 40 AND 600 ORDER BY c.best DESC LIMIT 1`

	insert = `INSERT INTO editions (number, posts, quote) VALUES (:number, :posts, nullif(:quote, 0)) ON CONFLICT (number) DO NOTHING`
)

// Make chooses the edition that came out last, unless there is one. A job calls it every few minutes.
func (s *Store) Make(ctx context.Context, schedule Schedule) error {
	now := s.Source.Now()
	due := schedule.Last(now)
	if due == 0 || s.has(due) {
		return nil
	}
	taken, exists := map[data.ID]bool{}, false
	r := s.DB.Read()
	r.Find(before, data.Args{"limit": earlier}, func(row *data.Row) {
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
		if err := s.make(ctx, due, taken, now.Add(-schedule.window())); err != nil {
			return err
		}
	}
	s.keep(due)
	return nil
}

// make chooses an edition without the posts that are taken, and writes it.
func (s *Store) make(ctx context.Context, number Number, taken map[data.ID]bool, since time.Time) error {
	chosen, err := s.choose(ctx, taken, since)
	if err != nil || len(chosen) == 0 {
		return err
	}
	quotes, err := s.findQuotes(ctx, chosen[:min(len(chosen), Front)])
	if err != nil {
		return err
	}
	lead(chosen, quotes)
	ids := make([]int64, len(chosen))
	for i, c := range chosen {
		ids[i] = int64(c.id)
	}
	text, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	w := s.DB.Write()
	w.Do(insert, data.Args{"number": int64(number), "posts": string(text), "quote": quotes[chosen[0].id]})
	return w.Run(ctx)
}

// choose reads the hottest posts of the site, and chooses among them.
func (s *Store) choose(ctx context.Context, taken map[data.ID]bool, since time.Time) ([]candidate, error) {
	var list []hotCandidate
	r := s.DB.Read()
	r.FindAll(candidates, data.Args{"limit": hottest}, func(row *data.Row) {
		c := hotCandidate{candidate: candidate{id: row.ID(), community: row.ID(), createdAt: row.Time()}, hot: row.Float()}
		c.picture = row.Bool()
		if row.InOwnShard(c.id) {
			list = append(list, c)
		}
	})
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	return choose(sorted(list), taken, since), nil
}

// findQuotes returns the comments that some of the posts can be quoted with, by their posts.
func (s *Store) findQuotes(ctx context.Context, list []candidate) (map[data.ID]data.ID, error) {
	quotes := map[data.ID]data.ID{}
	r := s.DB.Read()
	for _, c := range list {
		r.FindAt(c.id, quotable, data.Args{"post": c.id}, func(row *data.Row) { quotes[c.id] = row.ID() })
	}
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
