package importer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/flair"
	"plaza/data/content/posts"
	"plaza/data/content/wiki"
	"plaza/data/searchwords"
	"plaza/ops/exchange"
)

// community is a community that an import writes to.
type community struct {
	id     data.ID
	name   string               // as the table spells it
	oldest time.Time            // of its posts
	dated  bool                 // a line says when it was founded
	ours   bool                 // nobody founded it: it came by an import
	flairs map[flairKey]data.ID // nil until one is asked for
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
	settingArgs     = ":" + strings.Join(communities.SettingColumns, ", :")
	insertCommunity = `INSERT INTO communities (id, name, name_key, sidebar_html, created_at, ` + settings + `, words, about_words)
VALUES (:id, :name, :name_key, :sidebar_html, :created_at, ` + settingArgs + `, :words, :about_words) ON CONFLICT (name_key) DO NOTHING`
	// The columns of a shard's copy.
	copied = append([]string{"id", "name", "creator_id", "name_key", "sidebar_html", "created_at", "revision"}, communities.SettingColumns...)
	// The last column is the shard of its slot. Unique index on name_key, primary key.
	findCommunity = `SELECT ` + strings.Join(copied, ", ") + `, (SELECT s.shard FROM slots s WHERE s.slot = (id >> 12) & 1023)
FROM communities WHERE name_key = :key`
	copyImported = `INSERT INTO communities (id, name, creator_id, name_key, sidebar_html, created_at, revision, ` + settings + `)
VALUES (:id, :name, :creator_id, :name_key, :sidebar_html, :created_at, :revision, ` + settingArgs + `) ON CONFLICT DO NOTHING`
)

const (
	// The slot of a community that was founded. Primary keys, index slots_epoch from its end.
	insertSlot = `INSERT INTO slots (slot, shard, epoch) SELECT :slot, :shard, coalesce((SELECT max(epoch) FROM slots), 0) + 1
WHERE EXISTS (SELECT 1 FROM communities WHERE id = :id) ON CONFLICT DO NOTHING`
	// A community that came with its posts, and without a time of its own, is as old as the oldest of them.
	ageCommunities = `UPDATE communities SET created_at = d.oldest
FROM (SELECT value ->> 0 AS id, value ->> 1 AS oldest FROM json_each(:rows)) d
WHERE communities.id = d.id AND communities.creator_id IS NULL AND communities.created_at > d.oldest`
	// In an empty database nothing has been counted as new yet, so the week can begin where
	// it belongs, and old posts are never taken for new ones.
	beginWeek = `INSERT INTO weeks (what, since) SELECT 'posts', :since WHERE NOT EXISTS (SELECT 1 FROM posts)
UNION ALL SELECT 'members', :since WHERE NOT EXISTS (SELECT 1 FROM subscriptions) ON CONFLICT (what) DO NOTHING`
)

// community finds or makes a community.
func (w *writer) community(ctx context.Context, about exchange.Community) (*community, error) {
	key := strings.ToLower(about.Name)
	if c := w.communities[key]; c != nil {
		return c, nil
	}
	if about.CreatedAt.IsZero() {
		about.CreatedAt = w.now
	}
	c, err := w.findOrCreate(ctx, about, key)
	if err != nil {
		return nil, fmt.Errorf("c/%s: %w", about.Name, err)
	}
	c.oldest, w.communities[key] = about.CreatedAt, c
	return c, nil
}

// found finds or makes the community of a line, and gives it flairs and pages if no member made it here.
func (w *writer) found(ctx context.Context, about exchange.Community) error {
	c, err := w.community(ctx, about)
	if err != nil {
		return err
	}
	c.dated = c.dated || !about.CreatedAt.IsZero()
	for i, f := range slices.Concat(about.Flairs, about.MemberFlairs) {
		if _, err := w.flair(ctx, c, f, i >= len(about.Flairs)); err != nil {
			return fmt.Errorf("c/%s: %w", c.name, err)
		}
	}
	if err := w.pages(ctx, c, about.Pages); err != nil {
		return fmt.Errorf("c/%s: pages: %w", c.name, err)
	}
	return nil
}

// findOrCreate finds a community in the directory or founds it, and sees to the shard's copy of it.
func (w *writer) findOrCreate(ctx context.Context, about exchange.Community, key string) (*community, error) {
	there := data.Args{}
	scan := func(row *data.Row) {
		for _, column := range copied {
			there[column] = row.Value()
		}
		if shard, taken := row.Value().(int64); taken {
			w.slots.Put(data.ID(there["id"].(int64)).Slot(), int(shard))
		}
	}
	err := again(ctx, w.db, func() error { return find(ctx, w.db, directory, findCommunity, data.Args{"key": key}, scan) })
	if err == nil && len(there) == 0 {
		err = w.create(ctx, about, key, scan)
	}
	if err != nil {
		return nil, err
	}
	c := &community{id: data.ID(there["id"].(int64)), name: strings.Clone(there["name"].(string)), ours: there["creator_id"] == nil}
	if _, ok := w.slots.Of(c.id.Slot()); !ok {
		return nil, errors.New("is on a shard of which no address was given")
	}
	if at := w.shardOf(c.id); !w.db.InDirectory(at) {
		if err := again(ctx, w.db, func() error { return write(ctx, w.db, at, copyImported, there) }); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// create founds a community on the shard that its name's hash names, in a slot of its own as long as there are any, unless another import
// has founded it meanwhile. scan gets its row.
func (w *writer) create(ctx context.Context, about exchange.Community, key string, scan func(*data.Row)) error {
	if err := again(ctx, w.db, func() error { return w.portray(ctx, &about) }); err != nil {
		return err
	}
	row, shard := columnsOf(about), int(hash("shard of "+key)%uint32(len(w.db.Shards())))
	slot := w.slots.Choose(shard, key)
	return again(ctx, w.db, func() error {
		ids, err := giveIDs(ctx, w.db, directory, takenCommunities, 1, func(_ int, salt uint32) data.ID {
			return importID(w.now, slot, key, salt)
		})
		if err != nil {
			return err
		}
		row["id"] = ids[0]
		t := w.db.Write()
		created := t.Do(insertCommunity, row)
		t.Do(insertSlot, data.Args{"slot": slot, "shard": shard, "id": row["id"]})
		t.Find(findCommunity, data.Args{"key": key}, scan)
		err = t.Run(ctx)
		w.result.Communities += int(created.Rows)
		return err
	})
}

// shardOf is the shard that has a community, a post or a comment of which the import knows.
func (w *writer) shardOf(id data.ID) data.Where {
	shard, _ := w.slots.Of(id.Slot())
	return w.db.Shards()[shard]
}

// columnsOf are the columns of insertCommunity but the id. The icon and the banner are stored by then (portray).
func columnsOf(about exchange.Community) data.Args {
	set := communities.Settings{Title: cut(data.Line(clean(about.Title)), communities.TitleMax),
		Description: cut(data.Plain(clean(about.Description)), communities.DescriptionMax),
		Sidebar:     cut(strings.TrimSpace(clean(about.Sidebar)), communities.SidebarMax),
		Colour:      about.Colour, Icon: about.Icon, Banner: about.Banner}
	if set.Title == "" { // nothing is known but the name
		set.Title, set.Description = describe(about.Name)
	}
	html := ""
	if set.Sidebar != "" {
		html = htmlOf(set.Sidebar, data.SidebarHTMLMax)
	}
	rules := []communities.Rule{}
	for _, r := range about.Rules[:min(len(about.Rules), communities.RulesMax)] {
		rules = append(rules, communities.Rule{Title: cut(data.Line(clean(r.Title)), communities.RuleTitleMax),
			Text: cut(data.Plain(clean(r.Text)), communities.RuleTextMax)})
	}
	if says := about.CommentPictures; says == communities.CommentPicturesTrusted || says == communities.CommentPicturesNobody {
		set.CommentPictures = says
	}
	if data.InPalette(set.Colour) < 0 {
		set.Colour = communities.DefaultColour(about.Name)
	}
	row := data.Args{"name": about.Name, "name_key": strings.ToLower(about.Name), "sidebar_html": html, "created_at": about.CreatedAt,
		"rules": listOf(rules), "words": searchwords.Words(set.Title), "about_words": searchwords.Words(set.Description)}
	for _, column := range communities.SettingColumns {
		if text := set.Text(column); text != nil {
			row[column] = *text
		}
	}
	return row
}

// finish counts the comments that still wait and, if the import is complete, fills the search and dates the communities.
func (w *writer) finish(ctx context.Context, whole bool) error {
	w.result.Lost = w.passedOver
	for _, list := range w.waiting {
		w.result.Lost += len(list)
	}
	if !whole {
		return nil
	}
	for _, shard := range w.db.Shards() {
		if err := w.fillSearch(ctx, shard); err != nil {
			return err
		}
	}
	if err := w.mayWrite(ctx); err != nil {
		return err
	}
	var undated [][]any
	for _, c := range w.communities {
		if !c.dated {
			undated = append(undated, []any{int64(c.id), c.oldest.UnixMilli()})
		}
	}
	return again(ctx, w.db, func() error {
		return w.db.WriteEach(ctx, w.db.Databases(), func(t *data.Write) { doRows(t, ageCommunities, undated) })
	})
}

const (
	// A community that has pages of its own keeps them. Index wiki_pages_slug.
	hasPages   = `SELECT EXISTS (SELECT 1 FROM wiki_pages g WHERE g.community_id = :community)`
	insertPage = `INSERT INTO wiki_pages (id, community_id, slug, title, text, html, revision)
VALUES (:id, :community, :slug, :title, :text, :html, 1)`
	insertRevision = `INSERT INTO wiki_revisions (page_id, number, created_at, title, text) VALUES (:id, 1, :at, :title, :text)`
)

// pages gives a community that nobody founded here its pages, unless it has some. What is no page, or one too many, is left out.
func (w *writer) pages(ctx context.Context, c *community, list []exchange.Page) error {
	if len(list) == 0 || !c.ours {
		return nil
	}
	slugs := map[string]bool{}
	var kept []exchange.Page
	for _, p := range list {
		p.Title, p.Text = cut(data.Line(clean(p.Title)), wiki.TitleMax), cut(clean(p.Text), wiki.TextMax)
		if !posts.IsSlug(p.Slug) {
			p.Slug = wiki.FreeSlug(p.Title, func(slug string) bool { return slugs[slug] })
		}
		if p.Title != "" && !data.Blank(p.Text) && !slugs[p.Slug] && len(kept) < wiki.Max {
			slugs[p.Slug], kept = true, append(kept, p)
		}
	}
	return again(ctx, w.db, func() error {
		has := false
		err := find(ctx, w.db, directory, hasPages, data.Args{"community": c.id}, func(row *data.Row) { has = row.Bool() })
		if err != nil || has {
			return err
		}
		ids, err := giveIDs(ctx, w.db, directory, takenPages, len(kept), func(i int, salt uint32) data.ID {
			return importID(w.now, 0, c.name+" page "+kept[i].Slug, salt)
		})
		if err != nil {
			return err
		}
		t := w.db.Write()
		for i, p := range kept {
			t.Do(insertPage, data.Args{"id": ids[i], "community": c.id, "slug": p.Slug, "title": p.Title, "text": p.Text,
				"html": htmlOf(p.Text, data.PostHTMLMax)})
			t.Do(insertRevision, data.Args{"id": ids[i], "at": w.now, "title": p.Title, "text": p.Text})
		}
		return t.Run(ctx)
	})
}

const (
	// Index flairs_listed.
	findFlairs  = `SELECT f.id, f.text, f.of_members FROM flairs f WHERE f.community_id = :community`
	insertFlair = `INSERT INTO flairs (id, community_id, place, text, colour, restricted, of_members)
VALUES (:id, :community, :place, :text, :colour, :restricted, :members)`
	beginFlairs = `INSERT INTO flair_sets (community_id, revision, required) VALUES (:community, 1, 0) ON CONFLICT (community_id) DO NOTHING`
	// insertWorn keeps a flair that the member already has in the community. Primary keys, index flairs_listed.
	insertWorn = `INSERT INTO member_flairs (user_id, community_id, flair_id, text, colour, fixed)
SELECT r.user, r.community, r.flair, iif(r.flair IS NULL, r.text, ''), 'plain', 0 FROM (
  SELECT v ->> 0 AS user, v ->> 1 AS community, v ->> 2 AS text, (SELECT f.id FROM flairs f
    WHERE f.community_id = v ->> 1 AND f.of_members = 1 AND f.text = v ->> 2 ORDER BY f.place LIMIT 1) AS flair
  FROM ` + rowsOfJSON + `) r WHERE true ON CONFLICT DO NOTHING`
)

// wornBy are the rows of insertWorn for the authors of posts or comments.
func wornBy[T entered](list []T) (worn [][]any) {
	for _, item := range list {
		if e := item.base(); e.worn != "" && e.author.id != 0 {
			worn = append(worn, []any{int64(e.author.id), int64(e.communityID), e.worn})
		}
	}
	return worn
}

// flairKey is what flairs of one community differ in.
type flairKey struct {
	text    string // in lower case
	members bool   // of members, not of posts
}

// flair returns the id of a community's flair with this text; 0 for none. It creates a missing flair in a community that an import made. In
// a community that a member made, there is none then.
func (w *writer) flair(ctx context.Context, c *community, f exchange.Flair, members bool) (id data.ID, err error) {
	text := data.Line(clean(f.Text))
	if text == "" {
		return 0, nil
	}
	key, colour := flairKey{strings.ToLower(text), members}, f.Colour
	if !slices.Contains(flair.Colours, colour) {
		colour = flair.Colours[0]
	}
	shard := w.shardOf(c.id)
	err = again(ctx, w.db, func() error {
		if c.flairs == nil {
			found := map[flairKey]data.ID{}
			if err := find(ctx, w.db, shard, findFlairs, data.Args{"community": c.id}, func(row *data.Row) {
				id, text := row.ID(), strings.ToLower(strings.Clone(row.Text()))
				found[flairKey{text, row.Bool()}] = id
			}); err != nil {
				return err
			}
			c.flairs = found
		}
		there := 0
		for k := range c.flairs {
			there += bit(k.members == members)
		}
		if id = c.flairs[key]; id != 0 || !c.ours || there >= flair.Max || utf8.RuneCountInString(text) > flair.TextMax {
			return nil
		}
		ids, err := giveIDs(ctx, w.db, shard, takenFlairs, 1, func(_ int, salt uint32) data.ID {
			return importID(w.now, c.id.Slot(), c.name+" "+key.text, salt)
		})
		if err != nil {
			return err
		}
		t := w.db.WriteAt(shard)
		t.Do(insertFlair, data.Args{"id": ids[0], "community": c.id, "place": len(c.flairs) + 1, "text": text, "colour": colour,
			"restricted": f.Restricted, "members": members})
		t.Do(beginFlairs, data.Args{"community": c.id})
		if err := t.Run(ctx); err != nil {
			c.flairs = nil // another import may have made it meanwhile
			return err
		}
		id, c.flairs[key] = ids[0], ids[0]
		return nil
	})
	return id, err
}
