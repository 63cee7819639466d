package reputation

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/rights/roles"
)

// Notes stores the notes of moderators about members, for the team of a community. They are on the community's shard.
type Notes struct{ data.Base }

const (
	// NoteMax is the longest note, in characters.
	NoteMax = 1000
	// NotesMax is how many notes about a member a community can have.
	NotesMax = 50
)

// Note is a note about a member.
type Note struct {
	ID     data.ID
	Author data.ID
	By     string // the author's name; "" if they don't moderate the community, as administrators and former moderators
	Text   string
}

// At returns when it was written.
func (n *Note) At() time.Time { return n.ID.Time() }

const (
	// Index member_notes_listed, from its end.
	notesAbout = `SELECT n.id, n.author_id, n.body FROM member_notes n
WHERE n.user_id = :member AND n.user_id <> :viewer AND n.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)
  ORDER BY n.id DESC LIMIT :limit`
	// Unique index on name_key, primary key.
	noteAuthors = `SELECT m.user_id, m.username FROM communities k CROSS JOIN moderators m ON m.community_id = k.id
  WHERE k.name_key = :community LIMIT 100`
)

// Find reads the notes about a member along with a page, the newest first. Viewers find none about themselves.
func (s *Notes) Find(r *data.Read, community string, member, viewer data.ID) *[]Note {
	list, names, key := &[]Note{}, map[data.ID]string{}, strings.ToLower(community)
	r.FindAt(data.In(community), notesAbout, data.Args{"community": key, "member": member, "viewer": viewer, "limit": NotesMax},
		func(row *data.Row) {
			*list = append(*list, Note{ID: row.ID(), Author: row.ID(), Text: row.Text()})
		})
	r.Find(noteAuthors, data.Args{"community": key}, func(row *data.Row) { names[row.ID()] = row.Text() })
	r.After(func() {
		for i := range *list {
			(*list)[i].By = names[(*list)[i].Author]
		}
	})
	return list
}

const (
	mayNote = data.LiveSession + ` AND ` + roles.ByApprover

	// Whether the member exists, and whether the actor may remove notes of others.
	toNote = `SELECT EXISTS (SELECT 1 FROM users u WHERE u.id = :member AND u.username <> ''), ` + roles.ByOwner

	// The same text by the same moderator is stored once. Primary key, index member_notes_listed.
	addNote = `INSERT INTO member_notes (id, community_id, user_id, author_id, body) SELECT :id, o.id, :member, :actor, :body
  FROM communities o
WHERE o.name_key = :community AND o.kind = 'community' AND NOT ` + noted + `
  AND (SELECT count(*) FROM member_notes n WHERE n.user_id = :member AND n.community_id = o.id) < :max AND ` + mayNote +
		` ON CONFLICT DO NOTHING`
	noted = `EXISTS (SELECT 1 FROM member_notes n WHERE n.user_id = :member AND n.community_id = o.id AND n.author_id = :actor
  AND n.body = :body)`
	isNoted = `SELECT ` + noted + ` FROM communities o WHERE o.name_key = :community AND o.kind = 'community'`

	removeNote = `DELETE FROM member_notes WHERE id = :id AND user_id = :member AND (:any OR author_id = :actor)
  AND community_id = (SELECT o.id FROM communities o WHERE o.name_key = :community) AND ` + mayNote
	noteThere = `SELECT 1 FROM member_notes n WHERE n.id = :id AND n.user_id = :member AND n.community_id = (SELECT o.id FROM communities o
  WHERE o.name_key = :community)`
)

var (
	errNoMember = &data.Error{Code: data.NotFound, Message: "There is no such member. The account may have been deleted."}
	errNotYours = &data.Error{Code: data.Forbidden, Message: "Only its author and the owner of the community can remove a note."}
)

// Add stores a note about a member. A repetition changes nothing. Invalid (in the field text), Conflict (the limit is reached), NotFound,
// Unauthenticated, Forbidden (neither a moderator or approver of the community nor an administrator).
func (s *Notes) Add(ctx context.Context, a data.Actor, community string, member data.ID, text string) error {
	text = strings.TrimSpace(text)
	mistake := data.AllMistakes(
		data.MistakeIf(member == 0, "user", "That is not a member of this site."),
		data.MistakeIf(text == "", "text", "Please write something."),
		data.MistakeIf(utf8.RuneCountInString(text) > NoteMax, "text", "A note has at most 1,000 characters."),
		data.MistakeIf(member == a.UserID, "text", "You can't write notes about yourself."))
	key, done, there := strings.ToLower(community), false, false
	return s.write(ctx, a, key, member, mistake, func(w *data.Write, authority *roles.Authority, _ bool) {
		w.Do(addNote, authority.Args(data.Args{"id": s.Source.NewID(authority.Slot, data.KindOther), "member": member, "body": text,
			"max": NotesMax}))
		w.Find(isNoted, data.Args{"member": member, "actor": a.UserID, "body": text, "community": key},
			func(row *data.Row) { done, there = row.Bool(), true })
	}, func() error {
		switch {
		case !there:
			return data.ErrNoCommunity
		case !done:
			return &data.Error{Code: data.Conflict, Field: "text", Message: "There can be at most 50 notes. Please remove one first."}
		}
		return nil
	})
}

// Remove removes a note about a member: the actor's own, or any if the actor is the community's owner or an administrator. A repetition is
// no error. Invalid, Forbidden (also for notes of others), NotFound, Unauthenticated.
func (s *Notes) Remove(ctx context.Context, a data.Actor, community string, member, note data.ID) error {
	key, there := strings.ToLower(community), false
	return s.write(ctx, a, key, member, data.MistakeIf(note == 0, "note", "There is no such note."),
		func(w *data.Write, authority *roles.Authority, owner bool) {
			w.Do(removeNote, authority.Args(data.Args{"id": note, "member": member, "any": owner}))
			w.Find(noteThere, data.Args{"id": note, "member": member, "community": key}, func(*data.Row) { there = true })
		}, func() error {
			if there {
				return errNotYours
			}
			return nil
		})
}

// write runs a transaction about the notes on a member, if the actor may. key is the community's. gather adds the statements; owner reports
// whether the actor owns the community or is an administrator. outcome returns the error after the transaction.
func (s *Notes) write(ctx context.Context, a data.Actor, key string, member data.ID, mistake error,
	gather func(w *data.Write, authority *roles.Authority, owner bool), outcome func() error) error {
	known, owner := false, false
	authority, err := roles.Authorize(ctx, s.DB, a, key, roles.Approver, mistake, func(w *data.Write) {
		w.Find(toNote, data.Args{"actor": a.UserID, "member": member, "community": key, "allowed": false},
			func(row *data.Row) { known, owner = row.Bool(), row.Bool() })
	})
	if err != nil {
		return err
	}
	if !known {
		return errNoMember
	}
	w := s.DB.WriteAt(authority.Home)
	gather(w, authority, owner)
	may := authority.Check(w)
	if err := w.Run(ctx); err != nil {
		return err
	}
	return cmp.Or(may.Err(), outcome())
}
