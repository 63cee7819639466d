package posts

import (
	"net/url"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/links"
)

// Post is a post as listings show it; TextHTML is read by its own page alone.
type Post struct {
	ID        data.ID
	Community string
	AuthorID  data.ID
	Author    string
	Slug      string
	Kind      string // text, link or image
	Title     string
	Link      string
	Image     string
	Domain    string
	Excerpt   string
	Status    string
	Locked    bool
	NSFW      bool
	Spoiler   bool
	Ups       int64 // the viewer's own vote included, even before it is folded
	Downs     int64
	Hot       float64
	Comments  int64
	CreatedAt time.Time
	EditedAt  time.Time
	Original  *Original // what it shows again, if it is a crosspost
	PublishAt time.Time // when it is scheduled; read by its own page alone
	Others    int64     // other discussions of the same on this shard, up to 11; read by its own page alone
	MyVote    int
	Saved     bool // by the viewer
	Hidden    bool // from the viewer's listings
	TextHTML  string
	TextPlain string        // in place of TextHTML where that is larger than PostHTMLMax
	Preview   links.Preview // of Link; read by its own page alone
	// Of Image, in pixels; 0 until it was fetched first. Read by its own page alone.
	ImageWidth, ImageHeight int

	OwnUps, OwnDowns int64 // what of Ups and Downs only the viewer sees
}

// Score is the net score.
func (p *Post) Score() int64 { return p.Ups - p.Downs }

// URL is the post's address on the site.
func (p *Post) URL() string { return "/c/" + p.Community + "/p/" + p.Slug }

// PostStore keeps posts, on the shard of their community.
type Store struct {
	DB     *data.DB
	Source data.Source
	// Changed is called when a member has changed what listings show; nil for nobody.
	// ListingStore.Forget shows it to its author at once.
	Changed func()
}

func (s *Store) changed() {
	if s.Changed != nil {
		s.Changed()
	}
}

// Domain is the host that a listing names beside a link, without "www.".
func Domain(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

const (
	// Unique index on name_key, then the unique index on (community, slug), then three
	// primary keys: five rows, whatever the community's size.
	postBySlugFrom  = postPageColumns + ` FROM communities c JOIN posts p ON p.community_id = c.id AND p.slug = ?3` + postPageJoins
	postBySlugWhere = `
WHERE c.name_key = ?2`
	postBySlug     = `SELECT ` + PostColumns + PostMine + postBySlugFrom + PostVote + postBySlugWhere
	postBySlugAnon = `SELECT ` + PostColumns + PostNobody + postBySlugFrom + postBySlugWhere
	postByID       = `SELECT ` + PostColumns + PostMine + postPageColumns + ` FROM posts p` + postPageJoins + PostVote + ` WHERE p.id = ?2`
	// What only a post's own page shows.
	postPageColumns = `, ` + otherDiscussions + `, ` + data.PostBody + `, l.title, l.description, l.site_name, l.image, p.publish_at, p.image_width, p.image_height`
	postPageJoins   = `
LEFT JOIN post_texts t ON t.post_id = p.id LEFT JOIN link_previews l ON l.url = p.link`
)

// FindBySlug reads a post with its text along with a page; ID stays 0 when there is
// none. viewer is 0 for a visitor.
func (s *Store) FindBySlug(r *data.Read, shard *hrana.Client, community, slug string, viewer data.ID) *Post {
	query := postBySlug
	if viewer == 0 {
		query = postBySlugAnon
	}
	return s.findOne(r, shard, data.OldStmt(query, viewer, strings.ToLower(community), slug))
}

// FindByID is FindBySlug by id.
func (s *Store) FindByID(r *data.Read, shard *hrana.Client, id, viewer data.ID) *Post {
	return s.findOne(r, shard, data.OldStmt(postByID, viewer, id))
}

func (s *Store) findOne(r *data.Read, shard *hrana.Client, st hrana.Stmt) *Post {
	p := &Post{}
	r.OldAdd(shard, st, func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) {
			ScanPost(row, p)
			p.Others, p.TextHTML, p.TextPlain = row.Int(), row.Text(), row.Text()
			p.Preview = links.Preview{Title: row.Text(), Description: row.Text(), Site: row.Text(), Image: row.Text()}
			if ms := row.Int(); ms != 0 {
				p.PublishAt = data.Millis(ms)
			}
			p.ImageWidth, p.ImageHeight = int(row.Int()), int(row.Int())
		})
	})
	return p
}
