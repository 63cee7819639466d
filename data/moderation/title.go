package moderation

import (
	"context"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/events/outbox"
	"plaza/data/rights/roles"
	"plaza/data/searchwords"
)

// Retitle is a new title that moderators give a post. The post keeps its address.
type Retitle struct {
	Community string // its name
	Target    data.ID
	Title     string
	Note      string // message to the author
}

var (
	// logTitle adds an entry if the title changes and the actor may change it. The next statement writes only then. The old title is in the
	// note, which only the author and the moderators read: the log is public, and the old title may have been the reason. Primary keys,
	// unique index on name_key.
	logTitle = modlog.Insert(modlog.Values{ID: ":entry", Community: "p.community_id", Action: "'" + string(modlog.Title) + "'", Target: "p.id",
		Author: "p.author_id", Note: `'“' || p.title || '” → “' || :title || '”' || iif(:note <> '', ' · ' || :note, '')`},
		`FROM posts p WHERE p.id = :target AND p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)
  AND p.status IN ('published', 'archived') AND p.title <> :title AND `+roles.ByModerator+` AND `+data.LiveSession)
	// changes() is 1 if logTitle added the entry. In a retry of the transaction it is 0.
	retitle  = `UPDATE posts SET title = :title, words = :words WHERE changes() > 0 AND id = :target`
	retitled = `SELECT p.community_name, p.slug, p.title = :title FROM posts p
WHERE p.id = :target AND p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)
  AND p.status IN ('published', 'archived')`
)

// Retitle lets a moderator give a post another title, and returns the post's address. The log has an entry, and the author is notified.
// Invalid, NotFound, Forbidden and Unauthenticated.
func (s *Store) Retitle(ctx context.Context, a data.Actor, t Retitle) (address string, err error) {
	t.Title, t.Note = data.Line(t.Title), strings.TrimSpace(t.Note)
	mistake := data.AllMistakes(posts.CheckTitle(t.Title),
		data.MistakeIf(utf8.RuneCountInString(t.Note) > modlog.NoteMax, "text", "A message to the author has at most 1,000 characters."))
	authority, err := roles.Authorize(ctx, s.DB, a, t.Community, roles.Moderator, mistake)
	if err != nil {
		return "", err
	}
	if !s.DB.Holds(authority.Shard, t.Target) || t.Target.IsComment() {
		return "", errNothing
	}
	w := s.DB.WriteAt(authority.Home)
	w.ChangeListings()
	entry := s.Source.NewID(authority.Slot, data.KindOther)
	w.Do(logTitle, authority.Args(data.Args{"entry": entry, "target": t.Target, "title": t.Title, "note": t.Note, "name": a.Name}))
	w.Do(retitle, data.Args{"target": t.Target, "title": t.Title, "words": searchwords.Words(t.Title)})
	w.Do(posts.RetitleCopies, data.Args{"id": t.Target, "title": t.Title})
	modlog.Follow(w, modlog.Title, entry)
	outbox.EnqueueDecided(w, s.Source, outbox.JobUpdate, []data.ID{entry}) // the copies on other shards, and in inboxes
	var changed bool
	w.Find(retitled, data.Args{"target": t.Target, "title": t.Title, "community": strings.ToLower(t.Community)}, func(row *data.Row) {
		address = "/c/" + row.Text() + "/p/" + row.Text()
		changed = row.Bool()
	})
	moderator := authority.Check(w)
	if err := w.Run(ctx); err != nil {
		return "", err
	}
	switch {
	case moderator.Err() != nil:
		return "", moderator.Err()
	case address == "" || !changed:
		return "", errNothing
	}
	return address, nil
}
