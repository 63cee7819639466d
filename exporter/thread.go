package exporter

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"plaza/data"
	"plaza/data/tags"
	"plaza/exchange"
)

const (
	// Unique index on (community_id, slug), primary keys. An archived thread is one that everybody reads.
	postPage = `SELECT p.id, coalesce(p.author_id, 0), p.slug, p.status, p.title, coalesce(t.text, ''), p.link, p.image,
  coalesce((SELECT f.text FROM flairs f WHERE f.id = p.flair_id AND f.community_id = p.community_id), ''), p.tags, p.nsfw, p.spoiler, p.locked, p.ups, p.downs, p.comments,
  p.created_at, coalesce(p.edited_at, 0), coalesce(p.pinned_at, 0)
FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id
WHERE p.community_id = ? AND p.slug > ? AND p.status IN ('published', 'archived', 'deleted') AND p.held = 0 ORDER BY p.slug LIMIT 500`
	commentColumns = `SELECT c.id, c.post_id, c.parent_id, c.path, coalesce(c.author_id, 0), c.status, c.body, c.ups, c.downs, c.created_at, coalesce(c.edited_at, 0)
FROM `
	// Unique index comments_path: each comment comes after what it answers.
	commentsOfThreads = commentColumns + `json_each(?) j CROSS JOIN comments c ON c.post_id = j.value WHERE c.held = 0 ORDER BY c.post_id, c.path`
	commentsOfThread  = commentColumns + `comments c WHERE c.post_id = ? AND c.path > ? AND c.held = 0 ORDER BY c.path LIMIT 4000`
)

// commentsTogether is about how many comments one statement reads.
const commentsTogether = 4000

type post struct {
	exchange.Post
	id, author, comments int64
}

type comment struct {
	exchange.Comment
	author int64
	path   string
}

// posts reads and writes a page of a community's posts, after a slug.
func (e *exporter) posts(ctx context.Context, shard *sql.DB, c community, after string) ([]post, error) {
	var page []post
	if err := each(ctx, shard, postPage, func(rows *sql.Rows) error {
		var p post
		var status, tagged string
		var created, edited, pinned int64
		err := rows.Scan(&p.id, &p.author, &p.Slug, &status, &p.Title, &p.Text, &p.Link, &p.Image, &p.Flair, &tagged, &p.NSFW, &p.Spoiler, &p.Locked,
			&p.Ups, &p.Downs, &p.comments, &created, &edited, &pinned)
		p.ID, p.Community, p.CreatedAt, p.EditedAt, p.PinnedAt = data.ID(p.id).Text(), c.Name, moment(created), moment(edited), moment(pinned)
		p.Tags = tags.Split(tagged)
		if p.Deleted = status == "deleted"; p.Deleted {
			p.author, p.Title, p.Text, p.Link, p.Image, p.Flair, p.Tags = 0, "", "", "", "", "", nil
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
	for _, p := range page {
		p.Author = e.names[p.author]
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
		if _, err := e.comments(ctx, shard, commentsOfThreads, data.JSONIDs(together)); err != nil {
			return err
		}
		together, sum = nil, 0
	}
	for _, p := range page {
		for path := ""; p.comments > commentsTogether; {
			list, err := e.comments(ctx, shard, commentsOfThread, p.id, path)
			if err != nil {
				return err
			}
			if len(list) == 0 {
				break
			}
			path = list[len(list)-1].path
			e.o.Progress(e.result)
		}
	}
	return nil
}

// comments reads and writes comments.
func (e *exporter) comments(ctx context.Context, shard *sql.DB, query string, args ...any) ([]comment, error) {
	var list []comment
	if err := each(ctx, shard, query, func(rows *sql.Rows) error {
		var c comment
		var id, post, parent, created, edited int64
		var status string
		err := rows.Scan(&id, &post, &parent, &c.path, &c.author, &status, &c.Body, &c.Ups, &c.Downs, &created, &edited)
		c.ID, c.Post, c.CreatedAt, c.EditedAt = data.ID(id).Text(), data.ID(post).Text(), moment(created), moment(edited)
		if parent != 0 {
			c.Parent = data.ID(parent).Text()
		}
		if status != "published" {
			c.Gone, c.Body, c.author = status, "", 0
		}
		list = append(list, c)
		return err
	}, args...); err != nil {
		return nil, err
	}
	ids := make([]int64, len(list))
	for i, c := range list {
		ids[i] = c.author
	}
	if err := e.introduce(ctx, ids); err != nil {
		return nil, err
	}
	for _, c := range list {
		c.Author = e.names[c.author]
		if err := e.out.Write(c.Comment); err != nil {
			return nil, err
		}
		e.result.Comments++
	}
	return list, nil
}
