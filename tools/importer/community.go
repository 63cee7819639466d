package importer

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/searchwords"
	"plaza/tools/exchange"
)

// community is a community that an import writes to.
type community struct {
	id     data.ID
	name   string             // as the table spells it
	oldest time.Time          // of its posts
	dated  bool               // a line has its creation time
	ours   bool               // an import made it, not a member
	flairs map[string]data.ID // by text in lower case; nil until the first is needed
}

// titles are the titles of the subreddits in the demo data; others have their name.
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

var (
	settings        = strings.Join(communities.SettingColumns, ", ")
	settingMarks    = strings.Repeat(", ?", len(communities.SettingColumns))
	insertCommunity = `INSERT INTO communities (id, name, name_key, sidebar_html, created_at, ` + settings + `, words,
  about_words)
VALUES (?, ?, ?, ?, ?` + settingMarks + `, ?, ?) ON CONFLICT (name_key) DO NOTHING`
	// Unique index on name_key.
	isKnown       = `SELECT EXISTS (SELECT 1 FROM communities WHERE name_key = ?)`
	findCommunity = `SELECT id, name, creator_id, name_key, sidebar_html, created_at, revision, ` + settings + `
FROM communities WHERE name_key = ?`
	copyImported = `INSERT INTO communities (id, name, creator_id, name_key, sidebar_html, created_at, revision, ` + settings + `)
VALUES (?, ?, ?, ?, ?, ?, ?` + settingMarks + `) ON CONFLICT DO NOTHING`
)

// A community that was imported with its posts, and without a time of its own, is as old as its oldest post.
const ageCommunity = `UPDATE communities SET created_at = ?2 WHERE id = ?1 AND creator_id IS NULL AND created_at > ?2`

// place finds or creates the communities of posts.
func (w *writer) place(ctx context.Context, posts []*post) error {
	for _, p := range posts {
		c, err := w.community(ctx, exchange.Community{Name: p.community, CreatedAt: p.created})
		if err != nil {
			return err
		}
		if p.place = c; p.created.Before(c.oldest) {
			c.oldest = p.created
		}
	}
	return nil
}

// community finds or makes a community.
func (w *writer) community(ctx context.Context, about exchange.Community) (*community, error) {
	key := strings.ToLower(about.Name)
	c := w.communities[key]
	if c == nil {
		var err error
		if c, err = w.findOrCreate(ctx, about, key); err != nil {
			return nil, fmt.Errorf("c/%s: %w", about.Name, err)
		}
		c.oldest = about.CreatedAt
		if c.oldest.IsZero() {
			c.oldest = w.now
		}
		w.communities[key] = c
	}
	return c, nil
}

// found finds or makes the community of a line, and gives it flairs and pages if no member made it here.
func (w *writer) found(ctx context.Context, about exchange.Community) error {
	c, err := w.community(ctx, about)
	if err != nil {
		return err
	}
	c.dated = c.dated || !about.CreatedAt.IsZero()
	for _, f := range about.Flairs {
		if _, err := w.defineFlair(ctx, c, f); err != nil {
			return fmt.Errorf("c/%s: %w", c.name, err)
		}
	}
	if err := w.pages(ctx, c, about.Pages); err != nil {
		return fmt.Errorf("c/%s: %w", c.name, err)
	}
	for _, f := range about.MemberFlairs {
		if _, err := w.defineFlairOf(ctx, c, f, true); err != nil {
			return fmt.Errorf("c/%s: %w", c.name, err)
		}
	}
	return nil
}

// findOrCreate finds a community in the directory or makes it, on the shard of its name's hash, in a slot of its own while there are any,
// and writes the shard's copy.
func (w *writer) findOrCreate(ctx context.Context, about exchange.Community, key string) (*community, error) {
	if err := w.portray(ctx, &about, key); err != nil {
		return nil, err
	}
	row, err := w.rowOf(about)
	if err != nil {
		return nil, err
	}
	shard := int(hash("shard of "+key) % uint32(len(w.shards)))
	slot := w.slots.Choose(shard, key)
	for salt := uint32(0); ; salt++ {
		id := data.NewID(w.now, slot, data.KindOther, hash(key)+salt)
		created, err := w.foundIn(ctx, slot, shard, append([]any{int64(id), about.Name, key}, row...))
		if err == nil {
			if created {
				w.result.Communities++
			}
			break
		}
		if !isConflict(err) || salt == conflictTries {
			return nil, err
		}
	}
	var id int64
	var name string
	var creator any
	row = make([]any, 4+len(communities.SettingColumns)) // the columns after the creator
	into := []any{&id, &name, &creator}
	for i := range row {
		into = append(into, &row[i])
	}
	if err := w.directory.QueryRowContext(ctx, findCommunity, key).Scan(into...); err != nil {
		return nil, err
	}
	c := &community{id: data.ID(id), name: name, ours: creator == nil}
	if err := w.findSlot(ctx, c.id.Slot()); err != nil {
		return nil, err
	}
	if _, ok := w.slots.Of(c.id.Slot()); !ok {
		return nil, errors.New("is on a shard of which no address was given")
	}
	if at := w.shards[w.shardOf(c.id)]; at != w.directory {
		if _, err := at.ExecContext(ctx, copyImported, append([]any{id, name, creator}, row...)...); err != nil {
			return nil, err
		}
	}
	return c, nil
}

const (
	insertSlot = `INSERT INTO slots (slot, shard, epoch) SELECT ?1, ?2, coalesce((SELECT max(epoch) FROM slots), 0) + 1 WHERE true
ON CONFLICT DO NOTHING`
	findSlot = `SELECT shard FROM slots WHERE slot = ?1`
)

// foundIn makes a community in a slot of a shard, unless the name exists.
func (w *writer) foundIn(ctx context.Context, slot, shard int, args []any) (created bool, err error) {
	tx, err := w.directory.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }()
	done, err := tx.ExecContext(ctx, insertCommunity, args...)
	if err != nil {
		return false, err
	}
	if n, _ := done.RowsAffected(); n == 0 {
		return false, nil
	}
	if _, err := tx.ExecContext(ctx, insertSlot, slot, shard); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

// findSlot reads the shard of a slot.
func (w *writer) findSlot(ctx context.Context, slot int) error {
	var shard int
	switch err := w.directory.QueryRowContext(ctx, findSlot, slot).Scan(&shard); {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	w.slots.Put(slot, shard)
	return nil
}

// shardOf returns the number of the shard of a community, post or comment that the import knows.
func (w *writer) shardOf(id data.ID) int {
	shard, _ := w.slots.Of(id.Slot())
	return shard
}

// rowOf returns the columns of insertCommunity after the name's, and last its words. The icon and the banner are stored by then
// (portray).
func (w *writer) rowOf(about exchange.Community) ([]any, error) {
	title, description := cut(data.Line(clean(about.Title)), communities.TitleMax), cut(data.Plain(clean(about.Description)),
		communities.DescriptionMax)
	if title == "" { // only the name is known
		title, description = describe(about.Name)
	}
	sidebar, html := cut(strings.TrimSpace(clean(about.Sidebar)), communities.SidebarMax), ""
	if sidebar != "" {
		html = htmlOf(sidebar, data.SidebarHTMLMax)
	}
	set := communities.Settings{Title: title, Description: description, Sidebar: sidebar, Colour: about.Colour,
		Icon: about.Icon, Banner: about.Banner, Rules: []communities.Rule{}}
	for _, r := range about.Rules[:min(len(about.Rules), communities.RulesMax)] {
		set.Rules = append(set.Rules, communities.Rule{Title: cut(data.Line(clean(r.Title)), communities.RuleTitleMax),
			Text: cut(data.Plain(clean(r.Text)), communities.RuleTextMax)})
	}
	if says := about.CommentPictures; says == communities.CommentPicturesTrusted || says == communities.CommentPicturesNobody {
		set.CommentPictures = says
	}
	rules, err := json.Marshal(set.Rules)
	if err != nil {
		return nil, err
	}
	if data.InPalette(set.Colour) < 0 {
		set.Colour = communities.DefaultColour(about.Name)
	}
	created := w.now
	if !about.CreatedAt.IsZero() {
		created = about.CreatedAt
	}
	row := []any{html, created.UnixMilli()}
	for _, column := range communities.SettingColumns {
		if text := set.Text(column); text != nil {
			row = append(row, *text)
		} else {
			row = append(row, string(rules))
		}
	}
	return append(row, searchwords.Words(title), searchwords.Words(description)), nil
}

// In an empty database nothing has been counted as new yet, so the week can begin at its right time, and old posts never count as new
// ones.
const beginWeek = `INSERT INTO weeks (what, since) SELECT 'posts', ?1 WHERE NOT EXISTS (SELECT 1 FROM posts)
UNION ALL SELECT 'members', ?1 WHERE NOT EXISTS (SELECT 1 FROM subscriptions) ON CONFLICT (what) DO NOTHING`

// beginWeeks makes the counts of a week begin a week ago.
func (w *writer) beginWeeks(ctx context.Context) error {
	for _, db := range w.all {
		if _, err := db.ExecContext(ctx, beginWeek, w.now.AddDate(0, 0, -7).UnixMilli()); err != nil {
			return fmt.Errorf("begin the week's counts: %w", err)
		}
	}
	return nil
}

// finish counts the comments that still wait and, if the import is complete, fills the search and dates the communities.
func (w *writer) finish(ctx context.Context, whole bool) error {
	if w.result.Lost = w.lost(); !whole {
		return nil
	}
	for _, shard := range w.shards {
		if err := w.fillSearch(ctx, shard); err != nil {
			return err
		}
	}
	if err := w.mayWrite(ctx); err != nil {
		return err
	}
	for _, c := range w.communities {
		if c.dated {
			continue
		}
		for _, db := range slices.Compact([]*sql.DB{w.directory, w.shards[w.shardOf(c.id)]}) {
			if _, err := db.ExecContext(ctx, ageCommunity, int64(c.id), c.oldest.UnixMilli()); err != nil {
				return fmt.Errorf("c/%s: %w", c.name, err)
			}
		}
	}
	return nil
}
