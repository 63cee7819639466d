// Package saves stores which posts and comments members save, and which posts they hide from their listings, on the shard of the post or
// comment.
//
// The key of saves and hides is (user, target); pages read them together with the viewer's votes (posts.ViewerColumns, viewerState in
// data/lists/listings/cached.go). A member's own lists are ranges of an index by time. Pages of listings are the same for all members, and
// a member's hidden posts are removed afterwards. So the page may show fewer posts, and its cursor is the same for all members. If all
// posts of a page are hidden, it shows the following posts instead (Page.Rest in data/lists/listings/hidden.go), with the condition in SQL.
// Only such a page costs a second request.
package saves

import (
	"context"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/locale"
)

// Store stores saves and hides.
type Store struct{ data.Base }

// State says whether a member has saved or hidden a target, and where the target is.
type State struct {
	Saved  bool
	Hidden bool // posts only
	URL    string
}

const (
	savePost = `INSERT INTO saves (user_id, target_id, created_at) SELECT :actor, p.id, :at FROM posts p
WHERE p.id = :target AND p.status IN ('published', 'archived', 'removed') AND p.held = 0 AND ` + data.LiveSession +
		` ON CONFLICT DO NOTHING`
	saveComment = `INSERT INTO saves (user_id, target_id, created_at) SELECT :actor, c.id, :at FROM comments c
WHERE c.id = :target AND c.status <> 'deleted' AND c.held = 0 AND ` + data.LiveSession + ` ON CONFLICT DO NOTHING`
	unsave = `DELETE FROM saves WHERE user_id = :actor AND target_id = :target AND ` + data.LiveSession
)

// Save saves a post or comment for a member, or with on false removes the save. A repetition changes nothing. NotFound, Forbidden
// (deleted) and Unauthenticated.
func (s *Store) Save(ctx context.Context, a data.Actor, target data.ID, on bool) (State, error) {
	save := savePost
	if target.IsComment() {
		save = saveComment
	}
	return s.change(ctx, a, target, on, save, unsave, func(k State) bool { return k.Saved })
}

const (
	// The member's save and hide of a target, and its status.
	keptPost = `SELECT p.community_name, p.slug, p.status,
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :actor AND k.target_id = p.id),
  EXISTS (SELECT 1 FROM hides x WHERE x.user_id = :actor AND x.post_id = p.id), ` + data.LiveSession + `
FROM posts p WHERE p.id = :target AND p.status NOT IN ('draft', 'scheduled') AND p.held = 0`
	keptComment = `SELECT p.community_name, p.slug, c.status,
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :actor AND k.target_id = c.id), 0, ` + data.LiveSession + `
FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.id = :target AND c.held = 0`
)

// change runs add if on is set, else remove, and returns whether the member then saves or hides the target. holds reports whether the
// target is saved or, for Hide, hidden. If that differs from on afterwards, the error is Forbidden.
func (s *Store) change(ctx context.Context, a data.Actor, target data.ID, on bool, add, remove string,
	holds func(State) bool) (State, error) {
	w := s.DB.WriteAt(target)
	if on {
		w.Do(add, a.Args(data.Args{"target": target, "at": s.Source.Now()}))
	} else {
		w.Do(remove, a.Args(data.Args{"target": target}))
	}
	sql := keptPost
	if target.IsComment() {
		sql = keptComment
	}
	var k State
	var p posts.Post
	var found, live bool
	w.Find(sql, a.Args(data.Args{"target": target}), func(r *data.Row) {
		p.Community, p.Slug, p.Status, k.Saved, k.Hidden, live = r.Text(), r.Text(), r.Text(), r.Bool(), r.Bool(), r.Bool()
		found = true
	})
	if err := w.Run(ctx); err != nil {
		return State{}, err
	}
	switch {
	case !found:
		return State{}, &data.Error{Code: data.NotFound, Field: "target", Message: "There is nothing with that id. It may have been deleted."}
	case !live:
		return State{}, data.ErrSessionEnded
	case holds(k) != on:
		return State{}, &data.Error{Code: data.Forbidden, Field: "target", Message: cantKeep(p.Status)}
	}
	if k.URL = p.URL(); target.IsComment() {
		k.URL += "/" + target.Text()
	}
	return k, nil
}

// cantKeep returns the message for a target whose status does not allow saving or hiding.
func cantKeep(status string) locale.Text {
	if status == "deleted" {
		return "This is deleted: it can't be saved or hidden."
	}
	return locale.With("This is {}: it can't be saved or hidden.", status)
}
