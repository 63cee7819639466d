package wiki

import (
	"cmp"
	"context"
	"strings"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/rights/roles"
)

// NewPage is a new page.
type NewPage struct {
	Title string
	Text  string // Markdown
	HTML  string // of Text
	Err   error  // why there is no HTML; nil otherwise
}

// Edit is the new content of a page.
type Edit struct {
	Slug  string
	Title string
	Text  string // Markdown
	HTML  string // of Text
	Err   error  // why there is no HTML, or no revision to restore; nil otherwise
	// Revision is the page's revision that the form was made from.
	Revision int64
	// Restored is the number of the revision to restore, which also undeletes a page; 0 is none.
	Restored int64
}

var (
	errMany = &data.Error{Code: data.Conflict, Message: "A community has at most 10 pages. Please delete one first."}
	errGone = &data.Error{Code: data.Conflict,
		Message: "Somebody else has deleted this page in the meantime. Its history has a button that restores it."}
	errChanged = &data.Error{Code: data.Conflict,
		Message: "Somebody else changed this page in the meantime. Below is what you wrote, and what " +
			"the page says now; saving it once more replaces theirs."}
)

const (
	// fullBegin + a community's id + fullEnd is the condition that the community has as many public pages as it may have (Max). Index
	// wiki_pages_slug.
	fullBegin = `(SELECT count(*) FROM wiki_pages n WHERE n.community_id = `
	fullEnd   = ` AND n.deleted_at IS NULL) >= 10`
	// clashBegin + a community's id + clashEnd is the condition that another of its public pages has the title.
	clashBegin = `EXISTS (SELECT 1 FROM wiki_pages o WHERE o.community_id = `
	clashEnd   = ` AND o.slug <> :slug AND o.deleted_at IS NULL AND lower(o.title) = lower(:title))`

	// Unique index on name_key, index wiki_pages_slug, primary keys.
	mayCreate = `EXISTS (SELECT 1 FROM communities c WHERE c.name_key = :community AND c.kind = 'community'
  AND NOT ` + fullBegin + `c.id` + fullEnd + ` AND NOT ` + clashBegin + `c.id` + clashEnd + `
  AND NOT EXISTS (SELECT 1 FROM wiki_pages t WHERE t.community_id = c.id AND t.slug = :slug)) AND ` + roles.ByModerator
	createPage = `INSERT INTO wiki_pages (id, community_id, slug, title, text, html, revision)
SELECT :id, ` + here + `, :slug, :title, :text, :html, 1 WHERE ` + mayCreate + ` AND ` + data.LiveSession + ` ON CONFLICT DO NOTHING`
	firstRevision = `INSERT INTO wiki_revisions (page_id, number, author_id, created_at, title, text)
SELECT g.id, 1, :author, ` + data.DatabaseNow + `, g.title, g.text FROM wiki_pages g WHERE g.id = :id AND g.revision = 1
ON CONFLICT DO NOTHING`

	// The condition that page g has the revision that the form was made from, and that the form changes its title or text or undeletes it. An
	// erased text can't be restored.
	mayEdit = `g.community_id = ` + here + ` AND g.slug = :slug AND g.revision = :from
  AND iif(g.deleted_at IS NULL, (g.title, g.text) <> (:title, :text), :restored <> 0 AND NOT ` + fullBegin + `g.community_id` + fullEnd + `)
  AND NOT ` + clashBegin + `g.community_id` + clashEnd + ` AND (:restored = 0 OR EXISTS (SELECT 1 FROM wiki_revisions b
  WHERE b.page_id = g.id AND b.number = :restored)) AND ` + roles.ByModerator + ` AND ` + data.LiveSession
	addRevision = `INSERT INTO wiki_revisions (page_id, number, author_id, created_at, restored, title, text)
SELECT g.id, g.revision + 1, :actor, ` + data.DatabaseNow + `, nullif(:restored, 0), :title, :text FROM wiki_pages g WHERE ` + mayEdit
	// After this mayEdit is false, so the statements with that condition must come before.
	editPage = `UPDATE wiki_pages AS g SET title = :title, text = :text, html = :html, revision = g.revision + 1, deleted_at = NULL
WHERE ` + mayEdit
	// Primary key.
	dropRevisions = `DELETE FROM wiki_revisions WHERE page_id = (SELECT g.id FROM wiki_pages g WHERE g.community_id = ` + here + `
  AND g.slug = :slug) AND number <= (SELECT g.revision FROM wiki_pages g WHERE g.community_id = ` + here + ` AND g.slug = :slug) - 100`
	// The result, and the reason of a refusal. Unique indexes.
	editedPage = `SELECT g.id, g.slug, g.title, g.text, g.revision, g.deleted_at IS NOT NULL, ` + clashBegin + `g.community_id` + clashEnd + `,
  ` + fullBegin + `g.community_id` + fullEnd + ` FROM wiki_pages g WHERE g.community_id = ` + here + ` AND g.slug = :slug`
	// The same before the page exists.
	inTheWay = `SELECT ` + clashBegin + `k.id` + clashEnd + `, ` + fullBegin + `k.id` + fullEnd + ` FROM communities k
WHERE k.name_key = :community AND k.kind = 'community'`

	mayDelete = `g.community_id = ` + here + ` AND g.slug = :slug AND g.deleted_at IS NULL AND ` + roles.ByModerator +
		` AND ` + data.LiveSession
	deletePage = `UPDATE wiki_pages AS g SET deleted_at = ` + data.DatabaseNow + ` WHERE ` + mayDelete
	// Index wiki_pages_deleted. Revisions are deleted with their pages.
	dropPages = `DELETE FROM wiki_pages WHERE community_id = ` + here + ` AND deleted_at IS NOT NULL
  AND (SELECT count(*) FROM wiki_pages d WHERE d.community_id = wiki_pages.community_id AND d.deleted_at IS NOT NULL
    AND d.deleted_at > wiki_pages.deleted_at) >= 10`
)

var (
	// Unique indexes, primary keys.
	logEdited = modlog.Insert(modlog.Values{ID: ":entry", Community: "g.community_id", Target: "g.id",
		Action: "iif(:restored = 0, '" + string(modlog.PageEdit) + "', '" + string(modlog.PageRestore) + "')"},
		`FROM wiki_pages g WHERE `+mayEdit)
	logDeleted = modlog.Insert(modlog.Values{ID: ":entry", Community: "g.community_id", Target: "g.id",
		Action: "'" + string(modlog.PageDelete) + "'"}, `FROM wiki_pages g WHERE `+mayDelete)
)

// Create stores a new page of a community by one of its moderators, and returns its slug. A repetition makes no second page. Invalid
// (title, text), Conflict (the limit is reached), NotFound, Forbidden and Unauthenticated.
func (s *Store) Create(ctx context.Context, a data.Actor, community string, c NewPage) (slug string, err error) {
	title, mistake := validate(c.Title, c.Text, c.Err)
	if err := s.mistakeOrRefusal(ctx, a, community, mistake); err != nil {
		return "", err
	}
	if slug, err = s.freeSlug(ctx, community, title); err != nil {
		return "", err
	}
	authority, id := roles.ModeratorIn(a, community), s.Source.NewID(0, data.KindOther)
	fields := func(more data.Args) data.Args {
		more["slug"], more["title"] = slug, title
		return more
	}
	w := s.DB.Write()
	modlog.Add(w, a, modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Community: community, Action: modlog.PageNew, Target: id},
		mayCreate, authority.Args(fields(data.Args{})))
	w.Do(createPage, authority.Args(fields(data.Args{"id": id, "text": c.Text, "html": c.HTML})))
	w.Do(firstRevision, data.Args{"id": id, "author": a.UserID, "now": s.Source.DatabaseNow()})
	moderator, stored := authority.Check(w), Source{}
	w.Find(sourceBySlug, args(community, slug), stored.scan)
	found, clash, full := false, false, false
	w.Find(inTheWay, fields(args(community, slug)), func(row *data.Row) { found, clash, full = true, row.Bool(), row.Bool() })
	if err := w.Run(ctx); err != nil {
		return "", err
	}
	switch err := moderator.Err(); {
	case err != nil:
		return "", err
	case !found:
		return "", data.ErrNoCommunity
	case stored.ID == id, !stored.Deleted && stored.Title == title && stored.Text == c.Text:
		return slug, nil
	case stored.Deleted:
		return "", data.Mistake("title", "A deleted page has this address. Please restore that page, or choose another title.")
	case clash || stored.ID != 0:
		return "", data.Mistake("title", "There is a page with this title already.")
	case full:
		return "", errMany
	}
	return "", errChanged
}

// freeSlug returns the slug of a new page. If a page with another title has its title's slug, a number is added: titles such as C and C++
// have the same slug. Two concurrent calls may return the same; then Create returns Invalid for one.
func (s *Store) freeSlug(ctx context.Context, community, title string) (string, error) {
	r := s.DB.Read()
	list := s.FindAll(r, community)
	if err := r.Run(ctx); err != nil {
		return "", err
	}
	taken := map[string]string{}
	for _, p := range *list {
		taken[p.Slug] = strings.ToLower(p.Title)
	}
	return FreeSlug(title, func(slug string) bool {
		other, ok := taken[slug]
		return ok && other != strings.ToLower(title)
	}), nil
}

// Save stores the new content of a page. It returns the stored revision, also with the Conflict that another user has changed or deleted
// the page since e.Revision. If the page can't be undeleted because the limit is reached (Conflict, too), it returns e.Revision. Equal
// content changes nothing. Invalid (title, text), NotFound, Forbidden (not a moderator) and Unauthenticated.
func (s *Store) Save(ctx context.Context, a data.Actor, community string, e Edit) (revision int64, err error) {
	title, mistake := validate(e.Title, e.Text, e.Err)
	if err := s.mistakeOrRefusal(ctx, a, community, mistake); err != nil {
		return e.Revision, err
	}
	authority := roles.ModeratorIn(a, community)
	fields := func(more data.Args) data.Args {
		more["slug"], more["title"], more["text"], more["from"], more["restored"] = e.Slug, title, e.Text, e.Revision, e.Restored
		return authority.Args(more)
	}
	w := s.DB.Write()
	entry := s.Source.NewID(0, data.KindOther)
	w.Do(logEdited, fields(data.Args{"entry": entry, "name": a.Name}))
	w.Do(addRevision, fields(data.Args{"now": s.Source.DatabaseNow()}))
	w.Do(editPage, fields(data.Args{"html": e.HTML}))
	w.Do(dropRevisions, args(community, e.Slug))
	if e.Restored != 0 {
		modlog.Follow(w, modlog.PageRestore, entry)
	}
	moderator, stored, clash, full := authority.Check(w), Source{}, false, false
	check := args(community, e.Slug)
	check["title"] = title
	w.Find(editedPage, check, func(row *data.Row) {
		stored.scan(row)
		clash, full = row.Bool(), row.Bool()
	})
	if err := w.Run(ctx); err != nil {
		return e.Revision, err
	}
	switch err := moderator.Err(); {
	case err != nil:
		return e.Revision, err
	case stored.ID == 0:
		return 0, ErrNoPage
	case !stored.Deleted && stored.Title == title && stored.Text == e.Text:
		return stored.Revision, nil
	case stored.Deleted && e.Restored == 0:
		return stored.Revision, errGone
	case clash:
		return e.Revision, data.Mistake("title", "There is a page with this title already.")
	case stored.Deleted && full:
		return e.Revision, errMany
	}
	return stored.Revision, errChanged
}

// Delete hides a page from its readers. The community's moderators can restore the ten pages that were deleted last; Delete removes older
// ones for good. A repetition changes nothing. NotFound, Forbidden (not a moderator) and Unauthenticated.
func (s *Store) Delete(ctx context.Context, a data.Actor, community, slug string) error {
	if err := s.mistakeOrRefusal(ctx, a, community, nil); err != nil {
		return err
	}
	authority, stored := roles.ModeratorIn(a, community), Source{}
	with := func(more data.Args) data.Args {
		more["slug"] = slug
		return authority.Args(more)
	}
	w := s.DB.Write()
	w.Do(logDeleted, with(data.Args{"entry": s.Source.NewID(0, data.KindOther), "name": a.Name}))
	w.Do(deletePage, with(data.Args{"now": s.Source.DatabaseNow()}))
	w.Do(dropPages, data.Args{"community": args(community, "")["community"]})
	moderator := authority.Check(w)
	w.Find(sourceBySlug, args(community, slug), stored.scan)
	if err := w.Run(ctx); err != nil {
		return err
	}
	if err := moderator.Err(); err != nil {
		return err
	}
	if stored.ID == 0 {
		return ErrNoPage
	}
	return nil
}

// mistakeOrRefusal returns nil without a mistake: the write itself checks the rights. With one, it returns the mistake to moderators, and
// to others why they may not write. Profiles have no pages.
func (s *Store) mistakeOrRefusal(ctx context.Context, a data.Actor, community string, mistake error) error {
	if data.IsProfile(community) {
		mistake = cmp.Or(mistake, error(data.ErrNoCommunity))
	}
	if mistake == nil {
		return nil
	}
	w := s.DB.Write()
	may := roles.ModeratorIn(a, community).Check(w)
	if err := w.Run(ctx); err != nil {
		return err
	}
	return cmp.Or(may.Err(), mistake)
}
