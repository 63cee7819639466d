// Package links stores previews of the pages that posts link to, and the size of the pictures that posts show. It fetches nothing:
// package worker/links does.
//
// # One row for each link
//
// The key of link_previews is the link as it was typed, not the post. So a page that many posts link to is fetched once a day, also after
// a failure. A post whose link changed can't show another page's words. A post's own page joins the preview by that key. Listings show
// the domain alone, because a page may claim to be any site.
package links

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/events/outbox"
)

// Preview is the title and description of a linked page. It is empty if the page has none, or was not fetched yet.
type Preview struct {
	Title       string
	Description string
	Site        string
	Image       string // address of a picture
}

// Store keeps previews on the shards of the posts that link to the pages.
type Store struct{ data.Base }

const savePreview = `INSERT INTO link_previews (url, title, description, site_name, image, fetched_at)
  VALUES (:url, :title, :description, :site, :image, :at)
ON CONFLICT (url) DO UPDATE SET title = excluded.title, description = excluded.description, site_name = excluded.site_name,
  image = excluded.image, reason = '', fetched_at = excluded.fetched_at`

// Save stores the result for a link and completes the job, in one transaction. Unavailable.
func (s *Store) Save(ctx context.Context, job Job, p Preview) error {
	w := s.DB.WriteAt(job.Post)
	w.Do(savePreview, data.Args{"url": job.URL, "title": data.Line(p.Title), "description": data.Line(p.Description),
		"site":  data.Line(p.Site),
		"image": p.Image, "at": s.Source.Now()})
	return job.end(ctx, w)
}

// reasonMax limits the stored reason of a failure, in characters.
const reasonMax = 200

// The result of an earlier fetch stays.
const saveFailure = `INSERT INTO link_previews (url, reason, fetched_at) VALUES (:url, :reason, :at)
ON CONFLICT (url) DO UPDATE SET reason = excluded.reason, fetched_at = excluded.fetched_at`

// Fail stores the error of a link and completes the job, so that it is not retried forever. Unavailable.
func (s *Store) Fail(ctx context.Context, job Job, reason string) error {
	// A reason may quote the response of another server.
	reason = strings.ReplaceAll(strings.ToValidUTF8(data.FirstRunes(reason, reasonMax), "\uFFFD"), "\x00", "\uFFFD")
	w := s.DB.WriteAt(job.Post)
	w.Do(saveFailure, data.Args{"url": job.URL, "reason": reason, "at": s.Source.Now()})
	return job.end(ctx, w)
}

// Done completes the job without a result. Unavailable.
func (s *Store) Done(ctx context.Context, job Job) error {
	return job.end(ctx, s.DB.WriteAt(job.Post))
}

// end runs a transaction that also completes the job.
func (job Job) end(ctx context.Context, w *data.Write) error {
	outbox.Done(w, job.Post, outbox.JobLink, job.queuedAt)
	return w.Run(ctx)
}
