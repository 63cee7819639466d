// Package exporter writes communities in the neutral format of package exchange: only what everybody can read. It reads one page of rows at
// a time, while the site is in use.
package exporter

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/data/content/tags"
	"plaza/ops/exchange"
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

// Export writes communities, each followed by its posts and their comments, and authors before what they wrote. It leaves out removed and
// held posts, drafts, and posts on profiles. Deleted posts, and comments that are deleted, removed or held, keep only their place in the
// thread. Votes are counts, without the voters.
func Export(ctx context.Context, db *data.DB, out *exchange.Writer, o Options) (Result, error) {
	e := &exporter{db: db, out: out, o: o, names: map[data.ID]string{}, pictures: map[string]bool{}, authors: map[data.ID]bool{}}
	if e.o.Progress == nil {
		e.o.Progress = func(Result) {}
	}
	err := e.run(ctx)
	return e.result, err
}

type exporter struct {
	db       *data.DB
	out      *exchange.Writer
	o        Options
	names    map[data.ID]string // of authors that were written, by id
	pictures map[string]bool    // by the sum: whether they were written
	result   Result

	// Collected from a page of posts or comments, to be written before them.
	authors map[data.ID]bool
	shown   []*[]exchange.PictureRef
}

// directory is the database of members and communities.
var directory = data.In("")

// find runs a statement at a place, and calls scan for each row.
func (e *exporter) find(ctx context.Context, at data.Where, sql string, args data.Args, scan func(*data.Row)) error {
	r := e.db.Read()
	r.FindAt(at, sql, args, scan)
	return r.Run(ctx)
}

const (
	communityColumns = `SELECT c.id, c.name, c.title, c.description, c.sidebar, c.rules, c.colour, c.icon, c.banner, c.comment_pictures,
  c.created_at
FROM communities c `
	// Profiles are rows of this table, too (data/profile.go). Unique index on name_key.
	communityNamed   = communityColumns + `WHERE c.name_key = lower(:name) AND c.kind = 'community'`
	communitiesAfter = communityColumns + `WHERE c.id > :after AND c.kind = 'community' ORDER BY c.id LIMIT 100`
	// Index flairs_listed.
	flairsOf = `SELECT f.of_members, f.text, f.colour, f.restricted FROM flairs f WHERE f.community_id = :community
ORDER BY f.of_members, f.place, f.id`
	// Index wiki_pages_slug in its order.
	pagesOf = `SELECT g.title, g.text, g.slug FROM wiki_pages g WHERE g.community_id = :community AND g.deleted_at IS NULL ORDER BY g.slug`
)

type community struct {
	id data.ID
	exchange.Community
}

func (e *exporter) run(ctx context.Context) error {
	for _, name := range e.o.Communities {
		if id, err := e.communities(ctx, communityNamed, data.Args{"name": name}); err != nil {
			return err
		} else if id == 0 {
			return fmt.Errorf("there is no community %q", name)
		}
	}
	if len(e.o.Communities) > 0 {
		return nil
	}
	last, err := e.communities(ctx, communitiesAfter, data.Args{"after": 0})
	for last != 0 && err == nil {
		last, err = e.communities(ctx, communitiesAfter, data.Args{"after": last})
	}
	return err
}

// communities writes the communities that a query finds, and returns the id of the last one; 0 for none.
func (e *exporter) communities(ctx context.Context, query string, args data.Args) (last data.ID, err error) {
	var list []community
	if err := e.find(ctx, directory, query, args, func(row *data.Row) {
		c, rules := community{id: row.ID()}, ""
		for _, text := range []*string{&c.Name, &c.Title, &c.Description, &c.Sidebar, &rules, &c.Colour, &c.Icon, &c.Banner,
			&c.CommentPictures} {
			*text = row.Text()
		}
		c.CreatedAt = row.Time()
		row.Fail(json.Unmarshal([]byte(rules), &c.Rules))
		list = append(list, c)
	}); err != nil {
		return 0, err
	}
	for _, c := range list {
		if err := e.community(ctx, c); err != nil {
			return 0, fmt.Errorf("c/%s: %w", c.Name, err)
		}
		last = c.id
	}
	return last, nil
}

// community writes one community.
func (e *exporter) community(ctx context.Context, c community) error {
	shard, err := e.db.Locate(ctx, c.id)
	if data.ErrorCode(err) == data.NotFound {
		return errors.New("is on a shard of which no address was given")
	} else if err != nil {
		return err
	}
	r := e.db.Read()
	r.FindAt(shard, flairsOf, data.Args{"community": c.id}, func(row *data.Row) {
		list := &c.Flairs
		if row.Bool() {
			list = &c.MemberFlairs
		}
		*list = append(*list, exchange.Flair{Text: row.Text(), Colour: row.Text(), Restricted: row.Bool()})
	})
	r.Find(pagesOf, data.Args{"community": c.id}, func(row *data.Row) {
		c.Pages = append(c.Pages, exchange.Page{Title: row.Text(), Text: row.Text(), Slug: row.Text()})
	})
	if err := r.Run(ctx); err != nil {
		return err
	}
	if err := e.writeIcons(ctx, &c.Community); err != nil {
		return err
	}
	if err := e.out.Write(c.Community); err != nil {
		return err
	}
	e.result.Communities++
	for slug := ""; ; {
		page, err := e.posts(ctx, shard, c, slug)
		if err != nil || len(page) == 0 {
			return err
		}
		slug = page[len(page)-1].Slug
		if err := e.threads(ctx, shard, page); err != nil {
			return err
		}
		e.o.Progress(e.result)
	}
}

const authors = `SELECT u.id, u.username, u.created_at, iif(u.status = 'active', u.bio, '') FROM json_each(:ids) j
  JOIN users u ON u.id = j.value`

// collect adds the author and the pictures of a post or comment to those that writeCollected writes.
func (e *exporter) collect(author data.ID, pictures *[]exchange.PictureRef) {
	if _, known := e.names[author]; !known && author != 0 {
		e.authors[author] = true
	}
	e.shown = append(e.shown, pictures)
}

// writeCollected writes the authors and pictures of the posts or comments that are written next. Deleted accounts have no name.
func (e *exporter) writeCollected(ctx context.Context) error {
	if len(e.authors) > 0 {
		if err := e.find(ctx, directory, authors, data.Args{"ids": slices.Collect(maps.Keys(e.authors))}, func(row *data.Row) {
			id := row.ID()
			u := exchange.User{ID: id.Text(), Name: strings.Clone(row.Text()), CreatedAt: row.Time(), Bio: row.Text()}
			if e.names[id] = u.Name; u.Name != "" {
				e.result.Users++
				row.Fail(e.out.Write(u))
			}
		}); err != nil {
			return err
		}
	}
	err := e.writePictures(ctx, e.shown...)
	e.shown = nil
	clear(e.authors)
	return err
}

var (
	// pageBytes is about how many bytes of text and of pictures' descriptions a page has. A response of the database has at most 10 MB, in
	// which a character may take six bytes.
	pageBytes = "1500000"
	// The rows of a page until pageBytes. own is the bytes of a row, size those of it and of all before it.
	fitting = ` WHERE page.size - page.own <= ` + pageBytes

	// Unique index on (community_id, slug), primary keys. Everybody can read archived posts.
	postPage = `WITH page AS MATERIALIZED (SELECT id, own, sum(own) OVER (ORDER BY slug) AS size FROM (
  SELECT p.id, p.slug, coalesce(octet_length(t.text), 0) + octet_length(p.pictures) AS own
  FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id
  WHERE p.community_id = :community AND p.slug > :after AND p.status IN ('published', 'archived', 'deleted') AND p.held = 0
  ORDER BY p.slug LIMIT 500))
SELECT p.id, p.slug, p.status = 'deleted', p.ups, p.downs, p.nsfw, p.spoiler, p.locked, p.created_at, p.edited_at, p.pinned_at, p.comments,
  p.author_id, p.title, t.text, p.link, p.image,
  (SELECT f.text FROM flairs f WHERE f.id = p.flair_id AND f.community_id = p.community_id), p.tags, p.pictures,
  ` + flair.OfAuthor("p.author_id", "p.community_id") + ` ->> 1
FROM page CROSS JOIN posts p ON p.id = page.id LEFT JOIN post_texts t ON t.post_id = p.id` + fitting + ` ORDER BY p.slug`

	// Unique index comments_path: each comment comes after its parent. The first column is whether there are more.
	commentsBegin = `WITH page AS MATERIALIZED (SELECT id, own, sum(own) OVER (ORDER BY post_id, path) AS size
  FROM (SELECT c.id, c.post_id, c.path, octet_length(c.body) + octet_length(c.pictures) AS own FROM `
	commentsEnd = ` LIMIT 4000))
SELECT (SELECT count(*) = 4000 OR max(size - own) > ` + pageBytes + ` FROM page), c.id, c.post_id, c.parent_id, c.path, c.ups, c.downs,
  c.created_at, c.edited_at, iif(c.held = 0, c.status, 'removed'), c.author_id, c.body, c.pictures,
  ` + flair.OfAuthor("c.author_id", "(SELECT p.community_id FROM posts p WHERE p.id = c.post_id)") + ` ->> 1
FROM page CROSS JOIN comments c ON c.id = page.id` + fitting + ` ORDER BY c.post_id, c.path`
	commentsOfThreads = commentsBegin + `json_each(:posts) j CROSS JOIN comments c ON c.post_id = j.value
  AND c.path > iif(c.post_id = :post, :path, '') WHERE ` + hasPlace + ` ORDER BY c.post_id, c.path` + commentsEnd
	commentsOfThread = commentsBegin + `comments c WHERE c.post_id = :post AND c.path > :path AND ` + hasPlace + ` ORDER BY c.path` +
		commentsEnd
	// A held comment keeps its place in the thread if a comment below it is shown. Index comments_path.
	hasPlace = `(c.held = 0 OR EXISTS (SELECT 1 FROM comments b WHERE b.post_id = c.post_id AND b.path > c.path AND b.path < c.path || '{'
  AND b.held = 0))`
)

// maxComments limits the comments of a page, and of threads that are read together.
const maxComments = 4000

type post struct {
	exchange.Post
	id, author data.ID
	comments   int64
}

type comment struct {
	exchange.Comment
	author data.ID
}

// posts reads and writes a page of a community's posts, after a slug.
func (e *exporter) posts(ctx context.Context, shard data.Where, c community, after string) (page []*post, err error) {
	if err := e.find(ctx, shard, postPage, data.Args{"community": c.id, "after": after}, func(row *data.Row) {
		p := &post{id: row.ID()}
		p.Post = exchange.Post{ID: p.id.Text(), Community: c.Name, Slug: row.Text(), Deleted: row.Bool(), Ups: row.Int(), Downs: row.Int(),
			NSFW: row.Bool(), Spoiler: row.Bool(), Locked: row.Bool(), CreatedAt: row.Time(), EditedAt: row.Time(), PinnedAt: row.Time()}
		if p.comments = row.Int(); !p.Deleted {
			p.author, p.Title, p.Text, p.Link, p.Image, p.Flair = row.ID(), row.Text(), row.Text(), row.Text(), row.Text(), row.Text()
			p.Tags, p.Pictures, p.AuthorFlair = tags.Split(row.Text()), shownOf(row), row.Text()
		}
		e.collect(p.author, &p.Pictures)
		page = append(page, p)
	}); err != nil {
		return nil, err
	}
	if err := e.writeCollected(ctx); err != nil {
		return nil, err
	}
	for _, p := range page {
		p.Author = e.names[p.author]
		p.TitleOnly = !p.Deleted && p.Text == "" && p.Link == "" && p.Image == "" && len(p.Pictures) == 0
		if err := e.out.Write(p.Post); err != nil {
			return nil, err
		}
		e.result.Posts++
	}
	return page, nil
}

// threads writes the comments of posts.
func (e *exporter) threads(ctx context.Context, shard data.Where, page []*post) error {
	slices.SortFunc(page, func(a, b *post) int { return cmp.Compare(a.id, b.id) })
	var threads []data.ID
	sum := int64(0)
	for _, p := range page {
		if p.comments > maxComments {
			if err := e.comments(ctx, shard, []data.ID{p.id}); err != nil {
				return err
			}
			continue
		}
		if sum+p.comments > maxComments {
			if err := e.comments(ctx, shard, threads); err != nil {
				return err
			}
			threads, sum = nil, 0
		}
		threads, sum = append(threads, p.id), sum+p.comments
	}
	return e.comments(ctx, shard, threads)
}

// comments reads and writes the comments of posts, which are in the order of their ids.
func (e *exporter) comments(ctx context.Context, shard data.Where, posts []data.ID) error {
	if len(posts) == 0 {
		return nil
	}
	post, path := posts[0], "" // of the last comment
	for more := true; more; e.o.Progress(e.result) {
		posts = posts[slices.Index(posts, post):]
		query, args := commentsOfThread, data.Args{"post": post, "path": path}
		if len(posts) > 1 {
			query, args["posts"] = commentsOfThreads, posts
		}
		var page []*comment
		more = false
		if err := e.find(ctx, shard, query, args, func(row *data.Row) {
			c := &comment{}
			more, c.ID, post = row.Bool(), row.ID().Text(), row.ID()
			if parent := row.ID(); parent != 0 {
				c.Parent = parent.Text()
			}
			path, c.Ups, c.Downs, c.CreatedAt, c.EditedAt = row.Text(), row.Int(), row.Int(), row.Time(), row.Time()
			c.Post = post.Text()
			if status := row.Text(); status != "published" {
				c.Gone = status
			} else {
				c.author, c.Body, c.Pictures, c.AuthorFlair = row.ID(), row.Text(), shownOf(row), row.Text()
			}
			e.collect(c.author, &c.Pictures)
			page = append(page, c)
		}); err != nil {
			return err
		}
		if err := e.writeCollected(ctx); err != nil {
			return err
		}
		for _, c := range page {
			c.Author = e.names[c.author]
			if err := e.out.Write(c.Comment); err != nil {
				return err
			}
			e.result.Comments++
		}
	}
	return nil
}
