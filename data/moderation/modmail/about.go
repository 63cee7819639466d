package modmail

import (
	"strings"

	"plaza/data"
)

// About is the post or comment of a conversation, for its moderators. It may belong to another community than the conversation, because
// the member types its address.
type About struct {
	Target    data.ID // 0: it does not exist any more, or was never public
	Community string
	Title     string // of the post
	Excerpt   string // the first words
	Author    string // "" for a deleted account
	AuthorID  data.ID
	Removed   bool
	Held      bool // it waits for its first decision
}

const (
	// Unique index on name_key, unique index of a community's slugs, primary keys.
	aboutPost = `SELECT p.id, p.community_name, p.title, substr(coalesce(t.text, ''), 1, 500), p.author_name, p.author_id,
  p.status = 'removed', p.held FROM communities k CROSS JOIN posts p ON p.community_id = k.id AND p.slug = :slug
  LEFT JOIN post_texts t ON t.post_id = p.id WHERE k.name_key = :community AND p.status IN ('published', 'archived', 'removed')`
	// Primary keys.
	aboutPostID = `SELECT p.id, p.community_name, p.title, substr(coalesce(t.text, ''), 1, 500), p.author_name, p.author_id,
  p.status = 'removed', p.held FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id
WHERE p.id = :id AND p.status IN ('published', 'archived', 'removed')`
	aboutComment = `SELECT c.id, p.community_name, p.title, substr(c.body, 1, 500), c.author_name, c.author_id, c.status = 'removed', c.held
FROM comments c CROSS JOIN posts p ON p.id = c.post_id
WHERE c.id = :id AND c.status <> 'deleted' AND p.status IN ('published', 'archived', 'removed')`
)

// FindAbout reads the post or comment at an address along with a page. It does not check who may read it.
func FindAbout(r *data.Read, address string) *About {
	f := &About{}
	scan := func(row *data.Row) {
		*f = About{Target: row.ID(), Community: row.Text(), Title: row.Text(), Excerpt: row.Text(), Author: row.Text(), AuthorID: row.ID(),
			Removed: row.Bool(), Held: data.Hold(row.Int()) == data.Held}
	}
	parts := strings.Split(strings.Trim(address, "/"), "/") // c, name, p, slug or p, id; then a comment
	inCommunity := len(parts) > 3 && parts[0] == "c"
	id, err := data.ParseID(parts[len(parts)-1])
	switch {
	case err == nil && (inCommunity && len(parts) == 5 || parts[0] == "p" && len(parts) == 3):
		r.FindAt(id, aboutComment, data.Args{"id": id}, scan)
	case err == nil && parts[0] == "p" && len(parts) == 2:
		r.FindAt(id, aboutPostID, data.Args{"id": id}, scan)
	case inCommunity && len(parts) == 4:
		r.FindAt(data.In(parts[1]), aboutPost, data.Args{"community": strings.ToLower(parts[1]), "slug": parts[3]}, scan)
	}
	return f
}

const (
	// Index conversations_status, in its order. nextOpen is the first one below the conversation, firstOpen the first one of the list.
	nextOpen = `SELECT c.id FROM conversations c WHERE c.community_id = :place AND c.status = 'open' AND c.id <> :id
  AND (c.decider_id <> :actor` + elseLater + `) AND (c.said_at, c.id) < (:value, :id COLLATE BINARY)
ORDER BY c.said_at DESC, c.id DESC LIMIT 1`
	firstOpen = `SELECT c.id FROM conversations c WHERE c.community_id = :place AND c.status = 'open' AND c.id <> :id
  AND (c.decider_id <> :actor` + elseLater + `) ORDER BY c.said_at DESC, c.id DESC LIMIT 1`
)

// FindNext reads along with a page the open conversation that follows one in the moderators' list: the one below it, or else the first.
// The id stays 0 if no other is open. It does not check who may read them.
func (s *Store) FindNext(r *data.Read, reader data.ID, c *Conversation) *data.ID {
	next := new(data.ID)
	args := func() data.Args {
		return data.Args{"id": c.ID, "place": c.place, "actor": reader, "later": s.later()}
	}
	below := args()
	below["value"] = c.saidAt
	r.Find(nextOpen, below, func(row *data.Row) { *next = row.ID() })
	r.Find(firstOpen, args(), func(row *data.Row) {
		if first := row.ID(); *next == 0 {
			*next = first
		}
	})
	return next
}
