package site

import (
	"context"
	"embed"
	"slices"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/events/modlog"
)

// pageMax is the longest page, in characters.
const pageMax = 40000

// Pages are the names, and the addresses, of the pages that administrators write.
var Pages = []string{"about", "rules", "privacy", "terms", "contact"}

//go:embed texts/*.md
var texts embed.FS

// Page is a page of the site.
type Page struct {
	Name     string
	Revision int64  // 0 if it was never written: then Body is the default text
	Body     string // Markdown
	HTML     string // of Body; "" for the default text
}

const (
	pageByName = `SELECT revision, body, body_html FROM site_pages WHERE name = :name`
	mayWrite   = `coalesce((SELECT x.revision FROM site_pages x WHERE x.name = :name), 0) = :from
  AND coalesce((SELECT x.body FROM site_pages x WHERE x.name = :name), '') <> :body AND ` + data.ByAdmin
	writePage = `INSERT INTO site_pages (name, revision, body, body_html) SELECT :name, :from + 1, :body, :html WHERE ` + mayWrite + ` AND ` +
		data.LiveSession + `
ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, body = excluded.body, body_html = excluded.body_html`
)

// IsPage reports whether there is a page with that name.
func IsPage(name string) bool { return slices.Contains(Pages, name) }

// FindPage reads a page of Pages along with another.
func (s *Store) FindPage(r *data.Read, name string) *Page {
	p := &Page{Name: name}
	text, _ := texts.ReadFile("texts/" + name + ".md")
	p.Body = string(text)
	r.Find(pageByName, data.Args{"name": name}, func(row *data.Row) {
		p.Revision, p.Body, p.HTML = row.Int(), row.Text(), row.Text()
	})
	return p
}

// ValidatePage checks a page before its HTML is rendered.
func ValidatePage(body string) error {
	return data.AllMistakes(
		data.MistakeIf(data.Blank(body), "body", "Please write something."),
		data.MistakeIf(utf8.RuneCountInString(body) > pageMax, "body", "A page has at most 40,000 characters."))
}

// WritePage changes a page. p.Revision is the revision that the form was based on. It returns the stored revision, also with Conflict.
// Invalid, Forbidden (not an administrator) and Unauthenticated.
func (s *Store) WritePage(ctx context.Context, a data.Actor, p Page) (revision int64, err error) {
	if err := ValidatePage(p.Body); err != nil {
		return p.Revision, err
	}
	guard := data.Args{"name": p.Name, "from": p.Revision, "body": p.Body}
	w := s.DB.Write()
	modlog.Add(w, a, modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Action: modlog.Settings}, mayWrite, guard)
	w.Do(writePage, a.Args(data.Args{"name": p.Name, "from": p.Revision, "body": p.Body, "html": p.HTML}))
	admin := data.CheckAdmin(w, a)
	var stored string
	w.Find(pageByName, data.Args{"name": p.Name}, func(row *data.Row) { revision, stored = row.Int(), row.Text() })
	if err := w.Run(ctx); err != nil {
		return p.Revision, err
	}
	if err := admin.Err(); err != nil {
		return p.Revision, err
	}
	if stored != p.Body {
		return revision, &data.Error{Code: data.Conflict, Message: "Somebody else changed this page in the meantime. " +
			"Below is what you wrote; saving it once more replaces theirs."}
	}
	return revision, nil
}
