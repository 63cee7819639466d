package inbox

import (
	"context"

	"plaza/data"
)

// Watch is a member's choice about notifications of a thread.
type Watch string

const (
	// Usual notifies of replies and mentions.
	Usual Watch = ""
	// Followed also notifies of every comment.
	Followed Watch = "follow"
	// Muted notifies of nothing.
	Muted Watch = "mute"
)

// watchOf reads watches.muted, which is NULL without a row.
func watchOf(muted any) Watch {
	switch muted {
	case int64(0):
		return Followed
	case int64(1):
		return Muted
	}
	return Usual
}

// Index watches_path. The address is known before the thread's shard has responded.
const watchOfThread = `SELECT ` + watchNow + ` FROM watches w WHERE w.user_id = :viewer AND w.path = :path`

const (
	// watchNow is a column that watchOf reads: the current choice in the row w of watches.
	watchNow = `iif(w.muted = 1 AND w.quiet_to IS NOT NULL, NULL, w.muted)`
	// MutedNow is the condition that the row q of watches mutes its thread.
	MutedNow = `q.muted = 1 AND q.quiet_to IS NULL`
	// mutedThen is the condition that the row q of watches muted the thread when the news n was written.
	mutedThen = `q.quiet_from <= n.value ->> 'at' AND (q.quiet_to IS NULL OR n.value ->> 'at' < q.quiet_to)`
)

// FindWatch reads along with a page the member's choice about notifications of a thread.
func (s *Store) FindWatch(r *data.Read, viewer data.ID, community, slug string) *Watch {
	watch := new(Watch)
	if viewer != 0 {
		path := pathOf(community, slug)
		r.FindCached(path, watchOfThread, data.Args{"viewer": viewer, "path": path},
			func(row *data.Row) { *watch = watchOf(row.Value()) })
	}
	return watch
}

const (
	threadOfPost = `SELECT p.community_name, p.slug FROM posts p WHERE p.id = :id AND p.status NOT IN ('draft', 'scheduled') AND p.held = 0`
	watch        = `INSERT INTO watches (user_id, post_id, path, muted, created_at, quiet_from) SELECT :actor, :post, :path, :muted, ` +
		data.DatabaseNow + `, iif(:muted, ` + data.DatabaseNow + `, NULL) WHERE ` + data.LiveSession + `
ON CONFLICT (user_id, post_id) DO UPDATE SET muted = excluded.muted, created_at = iif(muted = excluded.muted AND (muted = 0
  OR quiet_to IS NULL), created_at, excluded.created_at),
  quiet_from = iif(excluded.muted, iif(muted = 1 AND quiet_to IS NULL, quiet_from, excluded.quiet_from), quiet_from),
  quiet_to = iif(excluded.muted, NULL, iif(muted = 1, coalesce(quiet_to, excluded.created_at), quiet_to))`
	// A mute that ends stays for a day as a row with its end: see mutedThen.
	unmute = `UPDATE watches SET muted = 1, quiet_to = coalesce(quiet_to, ` + data.DatabaseNow +
		`) WHERE user_id = :actor AND post_id = :post AND quiet_from IS NOT NULL AND ` + data.LiveSession
	unwatch = `DELETE FROM watches WHERE user_id = :actor AND post_id = :post AND quiet_from IS NULL AND ` + data.LiveSession
	// Index watches_ended. Jobs that depend on a row are done after a day.
	purgeEnded = `DELETE FROM watches WHERE (user_id, post_id) IN (SELECT w.user_id, w.post_id FROM watches w
  WHERE w.muted = 1 AND w.quiet_to < ` + data.DatabaseNow + ` - 86400000 LIMIT :limit)`
)

var errNoThread = &data.Error{Code: data.NotFound, Field: "target", Message: "There is no such post here. It may have been deleted."}

// Watch follows or mutes the thread of a post, or ends that, and returns the thread's address. The choice, or the end of one, applies to
// texts that are written later, whenever the consumer runs. NotFound, Unauthenticated.
func (s *Store) Watch(ctx context.Context, a data.Actor, post data.ID, to Watch) (url string, err error) {
	if post.IsComment() {
		return "", errNoThread
	}
	var community, slug string
	r := s.DB.Read()
	r.FindAt(post, threadOfPost, data.Args{"id": post}, func(row *data.Row) { community, slug = row.Text(), row.Text() })
	if err := r.Run(ctx); err != nil {
		return "", err
	}
	if slug == "" {
		return "", errNoThread
	}
	w := s.DB.Write()
	if to == Usual {
		w.Do(unmute, a.Args(data.Args{"post": post, "now": s.Source.DatabaseNow()}))
		w.Do(unwatch, a.Args(data.Args{"post": post}))
	} else {
		w.Do(watch, a.Args(data.Args{"post": post, "path": pathOf(community, slug), "muted": to == Muted, "now": s.Source.DatabaseNow()}))
	}
	if err := w.RunAs(ctx, a); err != nil {
		return "", err
	}
	return "/c/" + community + "/p/" + slug, nil
}
