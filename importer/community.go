package importer

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/communities"
)

// community is a community that an import writes to.
type community struct {
	id     data.ID
	name   string // as the table spells it
	oldest time.Time
}

// titles are of the subreddits that come with the demo data; others are called by their name.
var titles = map[string][2]string{
	"askscience":      {"Ask Science", "Questions about how the world works, answered by people who study it."},
	"books":           {"Books", "What we are reading, and what it did to us."},
	"compsci":         {"Computer Science", "Algorithms, theory and the papers worth an evening."},
	"cooking":         {"Cooking", "Recipes, technique and rescued dinners."},
	"dataisbeautiful": {"Data Is Beautiful", "Charts and maps that make you see something new."},
	"diy":             {"Do It Yourself", "Things made, mended and taken apart at home."},
	"golang":          {"Go", "News, questions and projects around the Go language."},
	"haskell":         {"Haskell", "Lazy, pure and typed: the Haskell language and its ideas."},
	"history":         {"History", "What happened, how we know, and why it mattered."},
	"linux":           {"Linux", "The kernel, the distributions and the people who run them."},
	"machinelearning": {"Machine Learning", "Papers, models and honest results."},
	"netsec":          {"Network Security", "Vulnerabilities, defences and the stories behind them."},
	"philosophy":      {"Philosophy", "Arguments, old and new, taken seriously."},
	"programming":     {"Programming", "The craft of writing software, whatever the language."},
	"python":          {"Python", "News, libraries and tricks for the Python language."},
	"science":         {"Science", "New findings from every field, with the paper attached."},
	"space":           {"Space", "Rockets, planets and everything further out."},
	"technology":      {"Technology", "How new tools change work, law and daily life."},
	"woodworking":     {"Woodworking", "From rough boards to things that last."},
}

func describe(name string) (title, description string) {
	if t, ok := titles[strings.ToLower(name)]; ok {
		return t[0], t[1]
	}
	return name, "Posts about " + name + "."
}

const (
	insertCommunity = `INSERT INTO communities (id, name, name_key, title, description, colour, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name_key) DO NOTHING`
	// Unique index on name_key.
	findCommunity = `SELECT id, name, name_key, title, description, sidebar, sidebar_html, rules, colour, creator_id, revision, created_at
FROM communities WHERE name_key = ?`
	copyCommunity = `INSERT INTO communities (id, name, name_key, title, description, sidebar, sidebar_html, rules, colour, creator_id, revision, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
	// A community that came with its posts is as old as the oldest of them.
	ageCommunity = `UPDATE communities SET created_at = ?2 WHERE id = ?1 AND creator_id IS NULL AND created_at > ?2`
)

// place finds or creates the communities of posts.
func (w *writer) place(ctx context.Context, posts []*post) error {
	for _, p := range posts {
		key := strings.ToLower(p.community)
		c := w.communities[key]
		if c == nil {
			var err error
			if c, err = w.findOrCreate(ctx, p.community, key); err != nil {
				return fmt.Errorf("c/%s: %w", p.community, err)
			}
			c.oldest = p.created
			w.communities[key] = c
		}
		if p.place = c; p.created.Before(c.oldest) {
			c.oldest = p.created
		}
	}
	return nil
}

// findOrCreate finds a community in the directory or founds it, on the shard that its name's hash names, and sees
// to the shard's copy of it.
func (w *writer) findOrCreate(ctx context.Context, name, key string) (*community, error) {
	title, description := describe(name)
	shard := int(hash("shard of "+key) % uint32(len(w.shards)))
	for salt := uint32(0); ; salt++ {
		id := data.NewID(w.now, shard, data.KindOther, hash(key)+salt)
		done, err := w.directory.ExecContext(ctx, insertCommunity, int64(id), name, key, title, description,
			communities.DefaultColour(name), w.now.UnixMilli())
		if err == nil {
			if n, _ := done.RowsAffected(); n > 0 {
				w.result.Communities++
			}
			break
		}
		if !isConflict(err) || salt == conflictTries {
			return nil, err
		}
	}
	var row [12]any
	into := make([]any, len(row))
	for i := range row {
		into[i] = &row[i]
	}
	if err := w.directory.QueryRowContext(ctx, findCommunity, key).Scan(into...); err != nil {
		return nil, err
	}
	id, _ := row[0].(int64)
	c := &community{id: data.ID(id)}
	c.name, _ = row[1].(string)
	if c.id.Shard() >= len(w.shards) {
		return nil, fmt.Errorf("is on shard %d, of which no address was given", c.id.Shard())
	}
	if at := w.shards[c.id.Shard()]; at != w.directory {
		if _, err := at.ExecContext(ctx, copyCommunity, row[:]...); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// In an empty database nothing has been counted as new yet, so the week can begin where
// it belongs, and old posts are never taken for new ones.
const beginWeek = `INSERT INTO weeks (what, since) SELECT 'posts', ?1 WHERE NOT EXISTS (SELECT 1 FROM posts)
UNION ALL SELECT 'members', ?1 WHERE NOT EXISTS (SELECT 1 FROM subscriptions) ON CONFLICT (what) DO NOTHING`

// beginWeeks has the counts of a week begin a week ago.
func (w *writer) beginWeeks(ctx context.Context) error {
	for _, db := range w.all {
		if _, err := db.ExecContext(ctx, beginWeek, w.now.AddDate(0, 0, -7).UnixMilli()); err != nil {
			return fmt.Errorf("begin the week's counts: %w", err)
		}
	}
	return nil
}

// finish dates the communities of the import.
func (w *writer) finish(ctx context.Context) error {
	for _, c := range w.communities {
		for _, db := range slices.Compact([]*sql.DB{w.directory, w.shards[c.id.Shard()]}) {
			if _, err := db.ExecContext(ctx, ageCommunity, int64(c.id), c.oldest.UnixMilli()); err != nil {
				return fmt.Errorf("c/%s: %w", c.name, err)
			}
		}
	}
	return nil
}
