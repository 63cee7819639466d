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
	id       data.ID
	name     string               // as the table spells it
	oldest   time.Time            // of its posts
	dated    bool                 // a line says when it was founded
	imported bool                 // created by an import, not by a member
	flairs   map[flairKey]data.ID // nil until they are read
}

// titles are the titles and descriptions of the subreddits in the demo data. For others, the name is the title.
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
	copiedColumns = append([]string{"id", "name", "creator_id", "name_key", "sidebar_html", "created_at", "revision"},
		communities.SettingColumns...)
	// The last column is the shard of its slot. Unique index on name_key, primary key.
	findCommunity = `SELECT ` + strings.Join(copiedColumns, ", ") + `, (SELECT s.shard FROM slots s WHERE s.slot = (id >> 12) & 1023)
FROM communities WHERE name_key = :key`
	copyImported = `INSERT INTO communities (id, name, creator_id, name_key, sidebar_html, created_at, revision, ` + settings + `)
VALUES (:id, :name, :creator_id, :name_key, :sidebar_html, :created_at, :revision, ` + settingArgs + `) ON CONFLICT DO NOTHING`
)

const (
	// The slot of a community that was founded. Primary keys, index slots_epoch from its end.
	insertSlot = `INSERT INTO slots (slot, shard, epoch) SELECT :slot, :shard, coalesce((SELECT max(epoch) FROM slots), 0) + 1
WHERE EXISTS (SELECT 1 FROM communities WHERE id = :id) ON CONFLICT DO NOTHING`
	// An imported community without a time of its own gets the time of its oldest post.
	ageCommunities = `UPDATE communities SET created_at = d.oldest
FROM (SELECT value ->> 0 AS id, value ->> 1 AS oldest FROM json_each(:rows)) d
WHERE communities.id = d.id AND communities.creator_id IS NULL AND communities.created_at > d.oldest`
	// In an empty database, the counts of new posts and members begin a week ago, so that older imported posts do not count as new.
	beginWeek = `INSERT INTO weeks (what, since) SELECT 'posts', :since WHERE NOT EXISTS (SELECT 1 FROM posts)
UNION ALL SELECT 'members', :since WHERE NOT EXISTS (SELECT 1 FROM subscriptions) ON CONFLICT (what) DO NOTHING`
)

// community finds or creates a community.
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

// addCommunity finds or creates the community of a line. It adds flairs and pages unless a member created the community here.
func (w *writer) addCommunity(ctx context.Context, about exchange.Community) error {
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

// findOrCreate finds a community in the directory or creates it, and writes its copy on the shard if there is none.
func (w *writer) findOrCreate(ctx context.Context, about exchange.Community, key string) (*community, error) {
	stored := data.Args{}
	scan := func(row *data.Row) {
		for _, column := range copiedColumns {
			stored[column] = row.Value()
		}
		if shard, taken := row.Value().(int64); taken {
			w.slots.Put(data.ID(stored["id"].(int64)).Slot(), int(shard))
		}
	}
	err := retry(ctx, w.db, func() error { return find(ctx, w.db, directory, findCommunity, data.Args{"key": key}, scan) })
	if err == nil && len(stored) == 0 {
		err = w.create(ctx, about, key, scan)
	}
	if err != nil {
		return nil, err
	}
	c := &community{id: data.ID(stored["id"].(int64)), name: strings.Clone(stored["name"].(string)), imported: stored["creator_id"] == nil}
	if _, ok := w.slots.Of(c.id.Slot()); !ok {
		return nil, errors.New("is on a shard of which no address was given")
	}
	if at := w.shardOf(c.id); !w.db.InDirectory(at) {
		if err := retry(ctx, w.db, func() error { return write(ctx, w.db, at, copyImported, stored) }); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// create creates a community, unless another import has created it meanwhile. The hash of its name decides its shard, and it gets a slot of
// its own while there are free slots. scan reads its row.
func (w *writer) create(ctx context.Context, about exchange.Community, key string, scan func(*data.Row)) error {
	if err := retry(ctx, w.db, func() error { return w.storeIcons(ctx, &about) }); err != nil {
		return err
	}
	row, shard := columnsOf(about), int(hash("shard of "+key)%uint32(len(w.db.Shards())))
	slot := w.slots.Choose(shard, key)
	return retry(ctx, w.db, func() error {
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

// shardOf returns the shard of a community, post or comment whose slot the import knows.
func (w *writer) shardOf(id data.ID) data.Where {
	shard, _ := w.slots.Of(id.Slot())
	return w.db.Shards()[shard]
}

// columnsOf returns the arguments of insertCommunity except the id. Call storeIcons first.
func columnsOf(about exchange.Community) data.Args {
	set := communities.Settings{Title: cut(data.Line(clean(about.Title)), communities.TitleMax),
		Description: cut(data.Plain(clean(about.Description)), communities.DescriptionMax),
		Sidebar:     cut(strings.TrimSpace(clean(about.Sidebar)), communities.SidebarMax),
		Colour:      about.Colour, Icon: about.Icon, Banner: about.Banner}
	if set.Title == "" { // only the name is known
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
	if c := about.CommentPictures; c == communities.CommentPicturesTrusted || c == communities.CommentPicturesNobody {
		set.CommentPictures = c
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

// finish counts as orphans the comments whose parent was not in the import: those that still wait, or were dropped from the waiting ones.
// If the import is complete, it fills the search and sets the times of communities.
func (w *writer) finish(ctx context.Context, complete bool) error {
	w.result.Orphans = w.dropped
	for _, list := range w.waiting {
		w.result.Orphans += len(list)
	}
	if !complete {
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
	return retry(ctx, w.db, func() error {
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

// pages writes the pages of an imported community, unless it has pages. It skips invalid pages, and those above wiki.Max.
func (w *writer) pages(ctx context.Context, c *community, list []exchange.Page) error {
	if len(list) == 0 || !c.imported {
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
	return retry(ctx, w.db, func() error {
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
	// insertMemberFlairs keeps a flair that the member already has in the community. Primary keys, index flairs_listed.
	insertMemberFlairs = `INSERT INTO member_flairs (user_id, community_id, flair_id, text, colour, fixed)
SELECT r.user, r.community, r.flair, iif(r.flair IS NULL, r.text, ''), 'plain', 0 FROM (
  SELECT v ->> 0 AS user, v ->> 1 AS community, v ->> 2 AS text, (SELECT f.id FROM flairs f
    WHERE f.community_id = v ->> 1 AND f.of_members = 1 AND f.text = v ->> 2 ORDER BY f.place LIMIT 1) AS flair
  FROM ` + rowsOfJSON + `) r WHERE true ON CONFLICT DO NOTHING`
)

// memberFlairsOf returns the rows of insertMemberFlairs for the authors of posts or comments.
func memberFlairsOf[T postOrComment](list []T) (rows [][]any) {
	for _, item := range list {
		if e := item.base(); e.authorFlair != "" && e.author.id != 0 {
			rows = append(rows, []any{int64(e.author.id), int64(e.communityID), e.authorFlair})
		}
	}
	return rows
}

// flairKey identifies a flair of a community.
type flairKey struct {
	text    string // in lower case
	members bool   // of members, not of posts
}

// flair returns the id of a community's flair with this text. A missing one is created in an imported community if it is within the limits;
// else it returns 0.
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
	err = retry(ctx, w.db, func() error {
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
		n := 0 // flairs of the same kind
		for k := range c.flairs {
			n += bit(k.members == members)
		}
		if id = c.flairs[key]; id != 0 || !c.imported || n >= flair.Max || utf8.RuneCountInString(text) > flair.TextMax {
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
			c.flairs = nil // another import may have created it meanwhile
			return err
		}
		id, c.flairs[key] = ids[0], ids[0]
		return nil
	})
	return id, err
}
