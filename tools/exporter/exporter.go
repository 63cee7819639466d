// Package exporter writes communities in the neutral format of package exchange: only public content. It reads through database/sql, a
// page at a time, while the site serves.
package exporter

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"plaza/data"
	"plaza/tools/exchange"
	"plaza/tools/importer"
)

// Options say what to export.
type Options struct {
	Communities []string     // by name; none: all
	Pictures    *Pictures    // the source and target of pictures; nil: no pictures
	Progress    func(Result) // called after every page; may be nil
}

// Result counts what was written.
type Result struct {
	Communities, Users, Posts, Comments, Pictures int
	Missing                                       int // pictures that the bucket does not have
}

// Export writes communities, each followed by its posts and their comments, and authors before their posts. It excludes removed and held
// posts, drafts, and posts on profiles. For deleted posts, and for comments that were removed or held, only the place in the thread is
// exported. Votes are counts: individual votes are private.
func Export(ctx context.Context, db importer.Databases, out *exchange.Writer, o Options) (Result, error) {
	e := &exporter{db: db, out: out, o: o, names: map[int64]string{}, pictures: map[string]bool{}}
	if e.o.Progress == nil {
		e.o.Progress = func(Result) {}
	}
	err := e.run(ctx)
	return e.result, err
}

type exporter struct {
	db       importer.Databases
	out      *exchange.Writer
	o        Options
	names    map[int64]string // of authors that were written, by id
	pictures map[string]bool  // by the sum: whether they were written
	result   Result
}

const (
	communityColumns = `SELECT c.id, c.name, c.title, c.description, c.sidebar, c.rules, c.colour, c.icon, c.banner, c.comment_pictures,
  c.created_at
FROM communities c `
	// Unique index on name_key.
	communityNamed = communityColumns + `WHERE c.name_key = lower(?)`
	// Profiles are rows of this table as well (data/names.go).
	communitiesAfter = communityColumns + `WHERE c.id > ? AND c.kind = 'community' ORDER BY c.id LIMIT 100`
	// Index flairs_listed.
	flairsOf = `SELECT f.text, f.colour, f.restricted, f.of_members FROM flairs f WHERE f.community_id = ?
ORDER BY f.of_members, f.place, f.id`
	// Index wiki_pages_slug in its order.
	pagesOf = `SELECT g.title, g.text, g.slug FROM wiki_pages g WHERE g.community_id = ? AND g.deleted_at IS NULL ORDER BY g.slug`
)

type community struct {
	id int64
	exchange.Community
}

func (e *exporter) run(ctx context.Context) error {
	for _, name := range e.o.Communities {
		list, err := e.communities(ctx, communityNamed, name)
		switch {
		case err != nil:
			return err
		case len(list) == 0 || data.IsProfile(name):
			return fmt.Errorf("there is no community %q", name)
		}
		if err := e.community(ctx, list[0]); err != nil {
			return fmt.Errorf("c/%s: %w", name, err)
		}
	}
	for after := int64(0); len(e.o.Communities) == 0; {
		list, err := e.communities(ctx, communitiesAfter, after)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, c := range list {
			if err := e.community(ctx, c); err != nil {
				return fmt.Errorf("c/%s: %w", c.Name, err)
			}
			after = c.id
		}
	}
	return nil
}

func (e *exporter) communities(ctx context.Context, query string, arg any) (list []community, err error) {
	err = each(ctx, e.db.Directory, query, func(rows *sql.Rows) error {
		var c community
		var rules string
		var created int64
		err := rows.Scan(&c.id, &c.Name, &c.Title, &c.Description, &c.Sidebar, &rules, &c.Colour, &c.Icon, &c.Banner, &c.CommentPictures,
			&created)
		if err == nil {
			err = json.Unmarshal([]byte(rules), &c.Rules)
		}
		c.CreatedAt = moment(created)
		list = append(list, c)
		return err
	}, arg)
	return list, err
}

// community writes one community.
func (e *exporter) community(ctx context.Context, c community) error {
	shards := e.db.Shards
	if len(shards) == 0 {
		shards = []*sql.DB{e.db.Directory}
	}
	slots, err := e.db.Slots(ctx)
	if err != nil {
		return err
	}
	n, ok := slots.Of(data.ID(c.id).Slot())
	if !ok {
		return errors.New("is on a shard of which no address was given")
	}
	if err := each(ctx, shards[n], flairsOf, func(rows *sql.Rows) error {
		var f exchange.Flair
		members := false
		err := rows.Scan(&f.Text, &f.Colour, &f.Restricted, &members)
		if members {
			c.MemberFlairs = append(c.MemberFlairs, f)
		} else {
			c.Flairs = append(c.Flairs, f)
		}
		return err
	}, c.id); err != nil {
		return err
	}
	if err := each(ctx, e.db.Directory, pagesOf, func(rows *sql.Rows) error {
		var p exchange.Page
		err := rows.Scan(&p.Title, &p.Text, &p.Slug)
		c.Pages = append(c.Pages, p)
		return err
	}, c.id); err != nil {
		return err
	}
	if err := e.portray(ctx, &c.Community); err != nil {
		return err
	}
	if err := e.out.Write(c.Community); err != nil {
		return err
	}
	e.result.Communities++
	for slug := ""; ; {
		page, err := e.posts(ctx, shards[n], c, slug)
		if err != nil || len(page) == 0 {
			return err
		}
		slug = page[len(page)-1].Slug
		if err := e.threads(ctx, shards[n], page); err != nil {
			return err
		}
		e.o.Progress(e.result)
	}
}

// each calls scan for each row.
func each(ctx context.Context, db *sql.DB, query string, scan func(*sql.Rows) error, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// moment returns the time of a column; the zero time for none.
func moment(milli int64) time.Time {
	if milli == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milli).UTC()
}

const authors = `SELECT u.id, u.username, u.created_at, iif(u.status = 'active', u.bio, '') FROM json_each(?) j
  JOIN users u ON u.id = j.value`

// introduce writes the authors with these ids that were not written yet. Deleted accounts have no name.
func (e *exporter) introduce(ctx context.Context, ids []int64) error {
	unknown := map[int64]bool{}
	for _, id := range ids {
		if _, known := e.names[id]; !known && id != 0 {
			unknown[id] = true
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	var list []data.ID
	for id := range unknown {
		list = append(list, data.ID(id))
	}
	return each(ctx, e.db.Directory, authors, func(rows *sql.Rows) error {
		var id, created int64
		var u exchange.User
		if err := rows.Scan(&id, &u.Name, &created, &u.Bio); err != nil {
			return err
		}
		e.names[id] = strings.Clone(u.Name)
		if u.Name == "" {
			return nil
		}
		u.ID, u.CreatedAt = data.ID(id).Text(), moment(created)
		e.result.Users++
		return e.out.Write(u)
	}, data.JSONIDs(list))
}
