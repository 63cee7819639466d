package importer

import (
	"context"
	"fmt"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/content/wiki"
	"plaza/tools/exchange"
)

const (
	// A community with pages of its own keeps them. Index wiki_pages_slug.
	hasPages       = `SELECT EXISTS (SELECT 1 FROM wiki_pages g WHERE g.community_id = ?)`
	insertPage     = `INSERT INTO wiki_pages (id, community_id, slug, title, text, html, revision) VALUES (?, ?, ?, ?, ?, ?, 1)`
	insertRevision = `INSERT INTO wiki_revisions (page_id, number, created_at, title, text) VALUES (?, 1, ?, ?, ?)`
)

// pages gives a community that no member made here its pages, unless it has some. It skips invalid pages, and those over the limit.
func (w *writer) pages(ctx context.Context, c *community, list []exchange.Page) error {
	if len(list) == 0 || !c.ours {
		return nil
	}
	var has bool
	if err := w.directory.QueryRowContext(ctx, hasPages, int64(c.id)).Scan(&has); err != nil || has {
		return err
	}
	slugs := map[string]bool{}
	for _, p := range list {
		title, text := cut(data.Line(clean(p.Title)), wiki.TitleMax), cut(clean(p.Text), wiki.TextMax)
		slug := p.Slug
		if !posts.IsSlug(slug) {
			slug = wiki.FreeSlug(title, func(slug string) bool { return slugs[slug] })
		}
		if title == "" || data.Blank(text) || slugs[slug] || len(slugs) == wiki.Max {
			continue
		}
		slugs[slug] = true
		if err := w.insertPage(ctx, c, slug, title, text); err != nil {
			return fmt.Errorf("page %s: %w", slug, err)
		}
	}
	return nil
}

func (w *writer) insertPage(ctx context.Context, c *community, slug, title, text string) error {
	for salt := uint32(0); ; salt++ {
		id := data.NewID(w.now, 0, data.KindOther, hash(c.name+" page "+slug)+salt)
		tx, err := w.directory.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, insertPage, int64(id), int64(c.id), slug, title, text, htmlOf(text, data.PostHTMLMax))
		if err == nil {
			_, err = tx.ExecContext(ctx, insertRevision, int64(id), w.now.UnixMilli(), title, text)
		}
		if err == nil {
			return tx.Commit()
		}
		_ = tx.Rollback() // err says more
		if !isConflict(err) || salt == conflictTries {
			return err
		}
	}
}
