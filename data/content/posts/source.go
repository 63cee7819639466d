package posts

import (
	"time"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/data/content/pictures"
	"plaza/data/rights/bans"
)

// Source is a post with its Markdown, for its author's forms.
type Source struct {
	ID        data.ID
	Community string
	AuthorID  data.ID
	Slug      string
	Kind      string
	Title     string
	Link      string
	Image     string
	Text      string
	Status    string
	Locked    bool
	NSFW      bool
	Spoiler   bool
	Original  *Original // the original of a crosspost
	CreatedAt time.Time
	PublishAt time.Time // of a scheduled post
	Held      data.Hold
	Flair     data.ID // 0 for none
	Tags      string  // as in the column
	Pictures  []pictures.Picture
	Revision  int64 // when it was last edited, in milliseconds; 0 for never

	// After a change: what keeps the actor from writing in its community, and why its flair was refused.
	ban   bans.Ban
	flair error
	ruled data.ID // the flair that a rule gives
}

// URL is the post's address on the site.
func (p *Source) URL() string { return "/c/" + p.Community + "/p/" + p.Slug }

// NextRevision returns the revision of an edit: now, but later than the revision it replaces, whatever the clocks say.
func NextRevision(revision int64, now time.Time) int64 { return max(now.UnixMilli(), revision+1) }

var (
	sourceColumns = `p.id, p.community_name, p.author_id, p.slug, p.kind, p.title, p.link, p.image, t.text,
  p.status, p.locked, p.nsfw, p.spoiler, p.edited_at, p.crosspost, p.created_at, p.publish_at, p.held, f.id, p.tags,
  p.pictures`
	sourceFrom = ` FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id LEFT JOIN flairs f ON f.id = p.flair_id WHERE p.id = :id`
	postSource = `SELECT ` + sourceColumns + sourceFrom
	// The same, whether the actor's session is live, what keeps the actor from writing in the community and from giving the post this flair,
	// and the flair that a rule gives.
	sourceNow = `SELECT ` + sourceColumns + `, ` + data.LiveSession + `, ` + bans.Mine("p.community_id") + `, ` + flairRefused + `, ` +
		flair.Given + `, ` + flairOfRule + sourceFrom
)

// scan reads the columns of sourceColumns.
func (p *Source) scan(r *data.Row) {
	*p = Source{ID: r.ID(), Community: r.Text(), AuthorID: r.ID(), Slug: r.Text(), Kind: r.Text(), Title: r.Text(), Link: r.Text(),
		Image: r.Text(), Text: r.Text(), Status: r.Text(), Locked: r.Bool(), NSFW: r.Bool(), Spoiler: r.Bool(), Revision: r.Int(),
		Original: ParseOriginal(r.Text()), CreatedAt: r.Time(), PublishAt: r.Time(), Held: data.Hold(r.Int()), Flair: r.ID(), Tags: r.Text(),
		Pictures: pictures.Scan(r)}
}

// FindSource reads a post's source along with a page; ID stays 0 if it does not exist. Only the author may see it: call Editable before
// showing it.
func (s *Store) FindSource(r *data.Read, id data.ID) *Source {
	p := &Source{}
	r.FindAt(id, postSource, data.Args{"id": id}, p.scan)
	return p
}

// findNow reads, at the end of a transaction, the post as it is then, with its ban, and whether the actor's session is live. choice
// is the flair that the transaction gives.
func (s *Store) findNow(w *data.Write, a data.Actor, id data.ID, choice flairChoice) (p *Source, live *bool) {
	p, live = &Source{}, new(bool)
	w.Find(sourceNow, a.Args(choice.args(data.Args{"id": id, "now": s.Source.DatabaseNow()})), func(r *data.Row) {
		p.scan(r)
		*live = r.Bool()
		p.ban.Scan(r)
		p.flair = choice.refusal(r.Bool(), r.Bool())
		p.ruled = r.ID()
	})
	return p, live
}
