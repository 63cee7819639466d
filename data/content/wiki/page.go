// Package wiki keeps the pages of communities: up to Max Markdown texts that moderators write, with their history. They are in the
// directory, so the statement that writes a page also checks who moderates. A form has the revision that it was made from, so moderators
// don't overwrite each other.
//
// Begin with Page and Store.Save (write.go). Deleted pages and their history stay for moderators, up to DeletedMax. Erasing is in
// data/moderation/erase. The search does not find pages.
package wiki

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/posts"
)

// Limits of a community's pages.
const (
	Max          = 10
	DeletedMax   = 10
	RevisionsMax = 100   // of a page
	TitleMax     = 100   // characters
	TextMax      = 20000 // characters
)

// Store keeps pages.
type Store struct{ data.Base }

// ErrNoPage is returned if a community has no such page.
var ErrNoPage = &data.Error{Code: data.NotFound, Message: "There is no such page in this community."}

// Page is a page for its readers. ID is 0 if it does not exist.
type Page struct {
	ID       data.ID
	Slug     string
	Title    string
	HTML     string
	Plain    string // instead of HTML if that is larger than data.PostHTMLMax
	Revision int64
	Deleted  bool
	EditedAt time.Time
	EditedBy string // name; "" for a deleted account, and after an import
}

// Source is a page with its Markdown, for its form.
type Source struct {
	ID       data.ID
	Slug     string
	Title    string
	Text     string
	Revision int64
	Deleted  bool
}

// Revision is a revision of a page.
type Revision struct {
	Number   int64
	Title    string
	Text     string // only for a single revision
	At       time.Time
	Author   string // name; "" for a deleted account, and after an import
	Restored int64  // the number of the revision that it restored; 0 is none
}

const (
	here = `(SELECT k.id FROM communities k WHERE k.name_key = :community AND k.kind = 'community')`
	// Unique indexes on name_key and of wiki_pages, primary keys.
	pageBySlug = `SELECT g.id, g.slug, g.title, iif(octet_length(g.html) <= 262144, g.html, NULL),
  iif(octet_length(g.html) > 262144, substr(g.text, 1, 20000), NULL), g.revision, g.deleted_at IS NOT NULL, v.created_at, u.username
FROM wiki_pages g JOIN wiki_revisions v ON v.page_id = g.id AND v.number = g.revision LEFT JOIN users u ON u.id = v.author_id
WHERE g.community_id = ` + here + ` AND g.slug = :slug`
	sourceBySlug = `SELECT g.id, g.slug, g.title, g.text, g.revision, g.deleted_at IS NOT NULL FROM wiki_pages g
WHERE g.community_id = ` + here + ` AND g.slug = :slug`
	pagesOf = `SELECT g.id, g.slug, g.title, NULL, NULL, g.revision, g.deleted_at IS NOT NULL, v.created_at, u.username
FROM wiki_pages g JOIN wiki_revisions v ON v.page_id = g.id AND v.number = g.revision LEFT JOIN users u ON u.id = v.author_id
WHERE g.community_id = ` + here + ` ORDER BY g.slug`
	// Primary keys, in the order of wiki_revisions.
	revisionsOf = `SELECT v.number, v.title, '', v.created_at, u.username, v.restored FROM wiki_revisions v
  LEFT JOIN users u ON u.id = v.author_id
WHERE v.page_id = (SELECT g.id FROM wiki_pages g WHERE g.community_id = ` + here + ` AND g.slug = :slug) ORDER BY v.number DESC`
	// A revision and the one before it.
	revisionAt = `SELECT v.number, v.title, v.text, v.created_at, u.username, v.restored FROM wiki_revisions v
  LEFT JOIN users u ON u.id = v.author_id
WHERE v.page_id = (SELECT g.id FROM wiki_pages g WHERE g.community_id = ` + here + ` AND g.slug = :slug) AND v.number <= :number
ORDER BY v.number DESC LIMIT 2`
)

func args(community, slug string) data.Args {
	return data.Args{"community": strings.ToLower(community), "slug": slug}
}

func (p *Page) scan(row *data.Row) {
	*p = Page{ID: row.ID(), Slug: row.Text(), Title: row.Text(), HTML: row.Text(), Plain: row.Text(), Revision: row.Int(), Deleted: row.Bool(),
		EditedAt: row.Time(), EditedBy: row.Text()}
}

func (p *Source) scan(row *data.Row) {
	*p = Source{ID: row.ID(), Slug: row.Text(), Title: row.Text(), Text: row.Text(), Revision: row.Int(), Deleted: row.Bool()}
}

func scanRevision(row *data.Row) Revision {
	return Revision{Number: row.Int(), Title: row.Text(), Text: row.Text(), At: row.Time(), Author: row.Text(), Restored: row.Int()}
}

// Find reads a page along with another, also a deleted one.
func (s *Store) Find(r *data.Read, community, slug string) *Page {
	p := &Page{}
	r.Find(pageBySlug, args(community, slug), p.scan)
	return p
}

// FindSource reads the text of a page along with its form, also of a deleted page.
func (s *Store) FindSource(r *data.Read, community, slug string) *Source {
	p := &Source{}
	r.Find(sourceBySlug, args(community, slug), p.scan)
	return p
}

// FindAll reads the pages of a community along with their list, also the deleted ones, without their texts.
func (s *Store) FindAll(r *data.Read, community string) *[]Page {
	list := &[]Page{}
	r.Find(pagesOf, data.Args{"community": strings.ToLower(community)}, func(row *data.Row) {
		var p Page
		p.scan(row)
		*list = append(*list, p)
	})
	return list
}

// Address is a page's address, and when it was changed last.
type Address struct {
	Community, Slug string
	EditedAt        time.Time
}

// Index communities_members in its order, then index wiki_pages_slug and primary keys.
const addressesOf = `SELECT k.name, g.slug, v.created_at FROM (SELECT c.id, c.name FROM communities c WHERE c.kind = 'community'
  ORDER BY c.members DESC, c.id DESC LIMIT :limit) k CROSS JOIN wiki_pages g ON g.community_id = k.id AND g.deleted_at IS NULL
  CROSS JOIN wiki_revisions v ON v.page_id = g.id AND v.number = g.revision`

// FindAddresses reads along with a sitemap the addresses of the pages of the communities with the most members.
func (s *Store) FindAddresses(r *data.Read, communities int) *[]Address {
	list := &[]Address{}
	r.Find(addressesOf, data.Args{"limit": communities}, func(row *data.Row) {
		*list = append(*list, Address{Community: row.Text(), Slug: row.Text(), EditedAt: row.Time()})
	})
	return list
}

// FindRevisions reads the history of a page, the newest first, without the texts.
func (s *Store) FindRevisions(r *data.Read, community, slug string) *[]Revision {
	list := &[]Revision{}
	r.Find(revisionsOf, args(community, slug), func(row *data.Row) { *list = append(*list, scanRevision(row)) })
	return list
}

// FindRevision reads a revision of a page and the stored one before it. Their Number is 0 if they don't exist.
func (s *Store) FindRevision(r *data.Read, community, slug string, number int64) (revision, before *Revision) {
	revision, before = &Revision{}, &Revision{}
	all := args(community, slug)
	all["number"] = number
	r.Find(revisionAt, all, func(row *data.Row) {
		switch v := scanRevision(row); {
		case v.Number == number:
			*revision = v
		case revision.Number != 0:
			*before = v
		}
	})
	return revision, before
}

// validate normalizes and checks a title and a text. Mistakes name their fields. wrong is an earlier mistake.
func validate(title, text string, wrong error) (string, error) {
	if data.ErrorCode(wrong) == data.NotFound {
		return "", wrong
	}
	title = data.Line(title)
	return title, data.AllMistakes(
		data.MistakeIf(title == "", "title", "A page needs a title."),
		data.MistakeIf(utf8.RuneCountInString(title) > TitleMax, "title", "A title has at most 100 characters."),
		data.MistakeIf(data.Blank(text), "text", "Please write something."),
		data.MistakeIf(utf8.RuneCountInString(text) > TextMax, "text", "A page has at most 20,000 characters."),
		wrong)
}

// Slug returns the part of a page's address that is made from its first title.
func Slug(title string) string {
	if slug := posts.Slug(title); slug != "post" {
		return slug
	}
	return "page"
}

// FreeSlug returns Slug, followed by a number if it is taken.
func FreeSlug(title string, taken func(slug string) bool) string {
	slug := Slug(title)
	for n := 2; taken(slug); n++ {
		slug = Slug(title) + "-" + strconv.Itoa(n)
	}
	return slug
}

// ParseNumber parses the number of a revision in an address; 0 if it is not valid.
func ParseNumber(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || strconv.FormatInt(n, 10) != text {
		return 0
	}
	return n
}
