package links

import (
	"context"
	"errors"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/outbox"
)

// LinkPreview is what the page behind a link says of itself; empty where it says nothing
// or has not been asked yet.
type Preview struct {
	Title       string
	Description string
	Site        string
	Image       string // address of a picture
}

// LinkPreviewStore keeps previews beside the posts that link to the pages.
type Store struct {
	DB     *data.DB
	Source data.Source
}

// LinkWork is one post's link that is to be looked at.
type Work struct {
	Post     data.ID
	URL      string // "" when there is nothing to look at any more
	Fresh    bool   // it was looked at within previewAge, for this post or another
	LastTry  bool   // nobody asks again after this failure
	Spent    bool   // even the last try never told its end: fetching it may be what ends instances
	queuedAt int64
}

const (
	// previewAge is how long nobody asks the same page again, whatever it answered.
	previewAge = 24 * time.Hour
	// linkTries is how often a link is tried. Each wait is four times as long as the one
	// before, from a minute on: the last try comes 21 minutes after the first.
	linkTries = 4
	reasonMax = 200 // characters
)

const (
	// The first message does the work at once; after that it has to be due, so that a
	// message that comes twice asks nobody twice. Primary key.
	claimLinks = `UPDATE outbox SET attempts = attempts + 1, due_at = coalesce(?2, ` + data.OldDatabaseNow + `) + (60000 << (2 * min(attempts, 8)))
WHERE work = 'link' AND subject_id IN (SELECT value FROM json_each(?1)) AND (attempts = 0 OR due_at <= coalesce(?2, ` + data.OldDatabaseNow + `))
RETURNING subject_id, queued_at, attempts`
	// Primary keys of posts and link_previews.
	claimedLinks = `SELECT p.id, p.link, l.fetched_at FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value
LEFT JOIN link_previews l ON l.url = p.link WHERE p.status IN ('published', 'archived') AND p.link <> ''`
)

// ClaimLinks begins the work of WorkLink for posts of any shards, and returns what nobody
// else has begun. Until an attempt's time is over no one else gets it; if its end is never
// told, it is due again. missed are the posts of shards that could not be asked, for which
// the error is Unavailable.
func (s *Store) ClaimLinks(ctx context.Context, posts []data.ID) (all []Work, missed []data.ID, failed error) {
	now := s.Source.Now()
	for _, shard := range s.DB.OldShards() {
		var mine []data.ID
		for _, id := range posts {
			if s.DB.OldShard(id) == shard {
				mine = append(mine, id)
			}
		}
		if len(mine) == 0 {
			continue
		}
		ids := data.JsonIDs(mine)
		results, err := data.Tx(ctx, shard, data.OldStmt(claimLinks, ids, s.Source.OldDatabase()), data.OldStmt(claimedLinks, ids))
		var claimed []Work
		if err == nil {
			claimed, err = scanClaimed(results, now)
		}
		if err != nil {
			missed, failed = append(missed, mine...), errors.Join(failed, err)
			continue
		}
		all = append(all, claimed...)
	}
	return all, missed, failed
}

func scanClaimed(results []hrana.Result, now time.Time) ([]Work, error) {
	var claimed []Work
	if err := data.Each(results[0], func(r *data.Row) {
		w := Work{Post: r.ID(), queuedAt: r.Int()}
		try := r.Int()
		w.LastTry, w.Spent = try >= linkTries, try > linkTries
		claimed = append(claimed, w)
	}); err != nil {
		return nil, err
	}
	return claimed, data.Each(results[1], func(r *data.Row) {
		id, url, fetched := r.ID(), r.Text(), r.Int()
		for i := range claimed {
			if claimed[i].Post == id {
				claimed[i].URL = url
				claimed[i].Fresh = fetched != 0 && now.Sub(data.Millis(fetched)) < previewAge
			}
		}
	})
}

const (
	savePreview = `INSERT INTO link_previews (url, title, description, site_name, image, fetched_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (url) DO UPDATE SET title = excluded.title, description = excluded.description, site_name = excluded.site_name,
  image = excluded.image, reason = '', fetched_at = excluded.fetched_at`
	// What an earlier fetch brought stays: a page that is away today said it yesterday.
	saveFailure = `INSERT INTO link_previews (url, reason, fetched_at) VALUES (?1, ?2, ?3)
ON CONFLICT (url) DO UPDATE SET reason = excluded.reason, fetched_at = excluded.fetched_at`
)

// Save keeps what was found for a link and ends the work, in one transaction.
func (s *Store) Save(ctx context.Context, w Work, p Preview) error {
	return s.end(ctx, w, data.OldStmt(savePreview, w.URL, data.Line(p.Title), data.Line(p.Description), data.Line(p.Site), p.Image, s.Source.Now().UnixMilli()))
}

// Fail keeps why nothing was found for a link, and ends the work, so that nobody asks for
// ever.
func (s *Store) Fail(ctx context.Context, w Work, reason string) error {
	// A reason may quote what another server said.
	reason = strings.ReplaceAll(strings.ToValidUTF8(data.FirstRunes(reason, reasonMax), "\uFFFD"), "\x00", "\uFFFD")
	return s.end(ctx, w, data.OldStmt(saveFailure, w.URL, reason, s.Source.Now().UnixMilli()))
}

// Done ends the work without a result.
func (s *Store) Done(ctx context.Context, w Work) error { return s.end(ctx, w) }

func (s *Store) end(ctx context.Context, w Work, result ...hrana.Stmt) error {
	shard, err := s.DB.ShardOfID(w.Post)
	if err != nil {
		return err
	}
	_, err = data.Tx(ctx, shard, append(result, data.OldStmt(outbox.DoneWork, w.Post, string(outbox.WorkLink), w.queuedAt))...)
	return err
}

// Primary keys.
const (
	postImage = `SELECT iif(p.image <> '', p.image, l.image), p.image <> '' AND p.image_width = 0 FROM posts p LEFT JOIN link_previews l ON l.url = p.link
WHERE p.id = ?1 AND p.status IN ('published', 'archived')`
	keepImageSize = `UPDATE posts SET image_width = ?3, image_height = ?4 WHERE id = ?1 AND image = ?2 AND image_width = 0`
)

// PostImage is the picture of a post.
type PostImage struct {
	Address    string // "" when there is none, or no such post to be seen
	Unmeasured bool   // it is the post's own, and its size isn't known yet
}

// FindImage reads a post's picture, its own or else that of the page it links to.
func (s *Store) FindImage(r *data.Read, shard *hrana.Client, post data.ID) *PostImage {
	image := &PostImage{}
	r.OldAdd(shard, data.OldStmt(postImage, post), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { image.Address, image.Unmeasured = row.Text(), row.Bool() })
	})
	return image
}

// KeepImageSize keeps how large a post's own picture is, in pixels, so that pages have its
// place ready. Once is enough. Unavailable.
func (s *Store) KeepImageSize(ctx context.Context, post data.ID, address string, width, height int) error {
	shard, err := s.DB.ShardOfID(post)
	if err != nil {
		return err
	}
	_, err = data.Tx(ctx, shard, data.OldStmt(keepImageSize, post, address, width, height))
	return err
}
