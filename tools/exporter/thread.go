package exporter

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/data/content/tags"
	"plaza/tools/exchange"
)

var (
	// bytesTogether is about how many bytes of text and of pictures' descriptions a page has. A database returns 10 MB at most, in which a
	// character may take six.
	bytesTogether = "1500000"
	// The rows of a page that are within the limit. own is the bytes of a row, size the bytes of it and all before it.
	fitting = ` WHERE page.size - page.own <= ` + bytesTogether

	// Unique index on (community_id, slug), primary keys. An archived thread is public.
	postPage = `WITH page AS MATERIALIZED (SELECT id, own, sum(own) OVER (ORDER BY slug) AS size FROM (
  SELECT p.id, p.slug, coalesce(octet_length(t.text), 0) + octet_length(p.pictures) AS own
  FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id
  WHERE p.community_id = ? AND p.slug > ? AND p.status IN ('published', 'archived', 'deleted') AND p.held = 0 ORDER BY p.slug LIMIT 500))
SELECT p.id, coalesce(p.author_id, 0), p.slug, p.status, p.title, coalesce(t.text, ''), p.link, p.image,
  coalesce((SELECT f.text FROM flairs f WHERE f.id = p.flair_id AND f.community_id = p.community_id), ''), p.tags, p.nsfw, p.spoiler,
  p.locked, p.ups, p.downs, p.comments, p.created_at, coalesce(p.edited_at, 0), coalesce(p.pinned_at, 0), p.pictures,
  coalesce(` + flair.OfAuthor("p.author_id", "p.community_id") + ` ->> 1, '')
FROM page CROSS JOIN posts p ON p.id = page.id LEFT JOIN post_texts t ON t.post_id = p.id` + fitting + ` ORDER BY p.slug`

	// Unique index comments_path: each comment comes after its parent. The last column is whether there are more.
	commentsBegin = `WITH page AS MATERIALIZED (SELECT id, own, sum(own) OVER (ORDER BY post_id, path) AS size
  FROM (SELECT c.id, c.post_id, c.path, octet_length(c.body) + octet_length(c.pictures) AS own FROM `
	commentsEnd = ` LIMIT 4000))
SELECT c.id, c.post_id, c.parent_id, c.path, coalesce(c.author_id, 0), iif(c.held = 0, c.status, 'removed'), c.body, c.ups,
  c.downs, c.created_at, coalesce(c.edited_at, 0),
  (SELECT count(*) = 4000 OR max(size - own) > ` + bytesTogether + ` FROM page), c.pictures,
  coalesce(` + flair.OfAuthor("c.author_id", "(SELECT p.community_id FROM posts p WHERE p.id = c.post_id)") + ` ->> 1, '')
FROM page CROSS JOIN comments c ON c.id = page.id` + fitting + ` ORDER BY c.post_id, c.path`
	commentsOfThreads = commentsBegin + `json_each(:posts) j CROSS JOIN comments c ON c.post_id = j.value
  AND c.path > iif(c.post_id = :post, :path, '') WHERE ` + hasPlace + ` ORDER BY c.post_id, c.path` + commentsEnd
	commentsOfThread = commentsBegin + `comments c WHERE c.post_id = :post AND c.path > :path AND ` + hasPlace + ` ORDER BY c.path` +
		commentsEnd
	// A held comment is a place in the thread if a comment below it is visible. Index comments_path.
	hasPlace = `(c.held = 0 OR EXISTS (SELECT 1 FROM comments b WHERE b.post_id = c.post_id AND b.path > c.path AND b.path < c.path || '{'
  AND b.held = 0))`
)

// commentsTogether is how many comments a page has at most, and up to how many comments of several threads are read together.
const commentsTogether = 4000

type post struct {
	exchange.Post
	id, author, comments int64
}

type comment struct {
	exchange.Comment
	author, post int64
	path         string
}

// posts reads and writes a page of a community's posts, after a slug.
func (e *exporter) posts(ctx context.Context, shard *sql.DB, c community, after string) ([]post, error) {
	var page []post
	if err := each(ctx, shard, postPage, func(rows *sql.Rows) error {
		var p post
		var status, tagged, shown string
		var created, edited, pinned int64
		err := rows.Scan(&p.id, &p.author, &p.Slug, &status, &p.Title, &p.Text, &p.Link, &p.Image, &p.Flair, &tagged, &p.NSFW, &p.Spoiler,
			&p.Locked,
			&p.Ups, &p.Downs, &p.comments, &created, &edited, &pinned, &shown,
			&p.AuthorFlair)
		p.ID, p.Community, p.CreatedAt, p.EditedAt, p.PinnedAt = data.ID(p.id).Text(), c.Name, moment(created), moment(edited), moment(pinned)
		p.Tags = tags.Split(tagged)
		if p.Deleted = status == "deleted"; p.Deleted {
			p.author, p.Title, p.Text, p.Link, p.Image, p.Flair, p.Tags, p.AuthorFlair = 0, "", "", "", "", "", nil, ""
		}
		if p.Pictures = nil; err == nil && !p.Deleted {
			p.Pictures, err = shownOf(shown)
		}
		page = append(page, p)
		return err
	}, c.id, after); err != nil {
		return nil, err
	}
	ids := make([]int64, len(page))
	for i, p := range page {
		ids[i] = p.author
	}
	if err := e.introduce(ctx, ids); err != nil {
		return nil, err
	}
	if err := e.show(ctx, shownIn(page, func(p *post) *[]exchange.Shown { return &p.Pictures })...); err != nil {
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
func (e *exporter) threads(ctx context.Context, shard *sql.DB, page []post) error {
	small := slices.DeleteFunc(slices.Clone(page), func(p post) bool { return p.comments > commentsTogether })
	slices.SortFunc(small, func(a, b post) int { return cmp.Compare(a.id, b.id) })
	var together []data.ID
	sum := int64(0)
	for i, p := range small {
		together, sum = append(together, data.ID(p.id)), sum+p.comments
		if i+1 < len(small) && sum+small[i+1].comments <= commentsTogether {
			continue
		}
		if err := e.comments(ctx, shard, together); err != nil {
			return err
		}
		together, sum = nil, 0
	}
	for _, p := range page {
		if p.comments > commentsTogether {
			if err := e.comments(ctx, shard, []data.ID{data.ID(p.id)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// comments reads and writes the comments of some posts, which are in the order of their ids.
func (e *exporter) comments(ctx context.Context, shard *sql.DB, of []data.ID) error {
	post, path := int64(of[0]), ""
	for more := true; more; {
		for of[0] != data.ID(post) {
			of = of[1:]
		}
		query, args := commentsOfThread, []any{sql.Named("post", post), sql.Named("path", path)}
		if len(of) > 1 {
			query, args = commentsOfThreads, append(args, sql.Named("posts", data.JSONIDs(of)))
		}
		list, further, err := e.commentPage(ctx, shard, query, args...)
		if err != nil {
			return err
		}
		if more = further; more {
			post, path = list[len(list)-1].post, list[len(list)-1].path
			e.o.Progress(e.result)
		}
	}
	return nil
}

// commentPage reads and writes a page of comments. more reports whether another follows.
func (e *exporter) commentPage(ctx context.Context, shard *sql.DB, query string, args ...any) (list []comment, more bool, err error) {
	if err := each(ctx, shard, query, func(rows *sql.Rows) error {
		var c comment
		var id, parent, created, edited int64
		var status, shown string
		err := rows.Scan(&id, &c.post, &parent, &c.path, &c.author, &status, &c.Body, &c.Ups, &c.Downs, &created, &edited, &more, &shown,
			&c.AuthorFlair)
		c.ID, c.Post, c.CreatedAt, c.EditedAt = data.ID(id).Text(), data.ID(c.post).Text(), moment(created), moment(edited)
		if parent != 0 {
			c.Parent = data.ID(parent).Text()
		}
		if status != "published" {
			c.Gone, c.Body, c.author, c.AuthorFlair = status, "", 0, ""
		} else if err == nil {
			c.Pictures, err = shownOf(shown)
		}
		list = append(list, c)
		return err
	}, args...); err != nil {
		return nil, false, err
	}
	ids := make([]int64, len(list))
	for i, c := range list {
		ids[i] = c.author
	}
	if err := e.introduce(ctx, ids); err != nil {
		return nil, false, err
	}
	if err := e.show(ctx, shownIn(list, func(c *comment) *[]exchange.Shown { return &c.Pictures })...); err != nil {
		return nil, false, err
	}
	for _, c := range list {
		c.Author = e.names[c.author]
		if err := e.out.Write(c.Comment); err != nil {
			return nil, false, err
		}
		e.result.Comments++
	}
	return list, more, nil
}
