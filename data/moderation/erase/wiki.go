package erase

import (
	"context"

	"plaza/data"
	"plaza/data/events/modlog"
)

// WikiTarget is a page of a community to erase, or one of its revisions.
type WikiTarget struct {
	ID        data.ID
	Community string
	Slug      string
	Title     string
	Text      string
	Revision  int64 // its number; 0 is the whole page
	Current   bool  // the page shows this revision now, so it can only be erased with the page
}

// ErrNoWiki is returned for a page or revision that does not exist.
var ErrNoWiki = &data.Error{Code: data.NotFound, Message: "There is no such page or revision any more."}

// ErrCurrentRevision is returned for the revision that a page shows now.
var ErrCurrentRevision = &data.Error{Code: data.Conflict,
	Message: "The page says this now. Take the words out of the page first, or erase the whole page."}

const (
	// Primary keys.
	wikiToErase = `SELECT g.id, k.name, g.slug, coalesce(v.title, g.title), coalesce(v.text, g.text), coalesce(v.number, 0),
  coalesce(v.number = g.revision, 0)
FROM wiki_pages g JOIN communities k ON k.id = g.community_id LEFT JOIN wiki_revisions v ON v.page_id = g.id AND v.number = :number
WHERE g.id = :id AND (:number = 0 OR v.number IS NOT NULL)`
	// The log does not quote pages, and no other table copies them. Revisions are deleted with their page.
	eraseWiki     = `DELETE FROM wiki_pages WHERE id = :id AND :number = 0 AND ` + erased
	eraseRevision = `DELETE FROM wiki_revisions WHERE page_id = :id AND number = :number AND number <> (SELECT g.revision FROM wiki_pages g
  WHERE g.id = :id) AND ` + erased
)

// Primary keys.
var logWiki = modlog.Insert(modlog.Values{ID: ":entry", Community: "g.community_id", Target: "g.id",
	Action: "'" + string(modlog.PageErase) + "'", Rule: ":rule"},
	`FROM wiki_pages g WHERE g.id = :id AND (:number = 0 OR g.revision <> :number AND EXISTS (SELECT 1 FROM wiki_revisions v
  WHERE v.page_id = g.id AND v.number = :number)) AND `+data.ByAdmin+` AND `+data.LiveSession)

func (t *WikiTarget) scan(row *data.Row) {
	*t = WikiTarget{ID: row.ID(), Community: row.Text(), Slug: row.Text(), Title: row.Text(), Text: row.Text(), Revision: row.Int(),
		Current: row.Bool()}
}

// FindWiki reads the wiki page to erase; if number is not 0, that revision of it. It is read with the other statements of r. Only
// administrators may see it.
func (s *Store) FindWiki(r *data.Read, id data.ID, number int64) *WikiTarget {
	t := &WikiTarget{}
	r.Find(wikiToErase, data.Args{"id": id, "number": number}, t.scan)
	return t
}

// EraseWiki erases a wiki page with its history, or the former revision number if it is not 0. ground is one of Grounds. Invalid (no such
// ground), Conflict (ErrCurrentRevision), Unauthenticated, Forbidden (not an administrator), NotFound, Unavailable.
func (s *Store) EraseWiki(ctx context.Context, a data.Actor, id data.ID, number int64, ground string) (*WikiTarget, error) {
	w := s.DB.Write()
	may := check(w, a, ground)
	t := &WikiTarget{}
	w.Find(wikiToErase, data.Args{"id": id, "number": number}, t.scan)
	if may.known {
		entry := s.Source.NewID(0, data.KindOther)
		w.Do(logWiki, a.Args(data.Args{"id": id, "number": number, "entry": entry, "rule": ground, "name": a.Name}))
		w.Do(eraseWiki, data.Args{"id": id, "number": number, "entry": entry})
		w.Do(eraseRevision, data.Args{"id": id, "number": number, "entry": entry})
	}
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	if err := may.Err(); err != nil {
		return nil, err
	}
	switch {
	case t.ID == 0:
		return nil, ErrNoWiki
	case t.Current:
		return nil, ErrCurrentRevision
	}
	return t, nil
}
