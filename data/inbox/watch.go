package inbox

import (
	"context"

	"plaza/data"
)

// Watch is what a member wants to be told of a thread.
type Watch string

const (
	// Usual is to be told of answers and mentions.
	Usual Watch = ""
	// Followed is to be told of every comment as well.
	Followed Watch = "follow"
	// Muted is to be told of nothing.
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

// Index watches_path. The address is known before the thread's shard has answered.
const watchOfThread = `SELECT muted FROM watches WHERE user_id = :viewer AND path = :path`

// FindWatch reads along with a page what the member wants to be told of a thread.
func (s *Store) FindWatch(r *data.Read, viewer data.ID, community, slug string) *Watch {
	watch := new(Watch)
	if viewer != 0 {
		path := pathOf(community, slug)
		r.FindOwn(data.Directory, path, watchOfThread, data.Args{"viewer": viewer, "path": path}, func(row *data.Row) { *watch = watchOf(row.Value()) })
	}
	return watch
}

const (
	// Primary keys.
	threadOfPost = `SELECT p.community_name, p.slug FROM posts p WHERE p.id = :id AND p.status NOT IN ('draft', 'scheduled') AND p.held = 0`
	watch        = `INSERT INTO watches (user_id, post_id, path, muted, created_at) SELECT :actor, :post, :path, :muted, :at WHERE ` + data.LiveSession + `
ON CONFLICT (user_id, post_id) DO UPDATE SET muted = excluded.muted`
	unwatch = `DELETE FROM watches WHERE user_id = :actor AND post_id = :post AND ` + data.LiveSession
)

var errNoThread = &data.Error{Code: data.NotFound, Field: "target", Message: "There is no such post here. It may have been deleted."}

// Watch follows or mutes the thread of a post, or ends that, and returns the thread's address. NotFound, Unauthenticated.
func (s *Store) Watch(ctx context.Context, a data.Actor, post data.ID, to Watch) (url string, err error) {
	if post.IsComment() {
		return "", errNoThread
	}
	var community, slug string
	r := s.DB.Read()
	r.Find(data.HomeOfID(post), threadOfPost, data.Args{"id": post}, func(row *data.Row) { community, slug = row.Text(), row.Text() })
	if err := r.Run(ctx); err != nil {
		return "", err
	}
	if slug == "" {
		return "", errNoThread
	}
	w := s.DB.Write(data.Directory)
	if to == Usual {
		w.Do(unwatch, a.Args(data.Args{"post": post}))
	} else {
		w.Do(watch, a.Args(data.Args{"post": post, "path": pathOf(community, slug), "muted": to == Muted, "at": s.Source.Now()}))
	}
	if err := w.RunAs(ctx, a); err != nil {
		return "", err
	}
	return "/c/" + community + "/p/" + slug, nil
}
