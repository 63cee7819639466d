package erase

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"plaza/data"
)

// quotedWords is how many words in a row make a quotation.
const quotedWords = 4

// Quotes reports whether a text quotes an original: it has four consecutive words of the original or, if that has fewer, all of them.
// Letter case, marks and spaces between words make no difference.
func Quotes(text, original string) bool {
	words := wordsOf(original)
	if len(words) == 0 {
		return false
	}
	joined := " " + strings.Join(wordsOf(text), " ") + " "
	for i := 0; i+min(quotedWords, len(words)) <= len(words); i++ {
		if strings.Contains(joined, " "+strings.Join(words[i:i+min(quotedWords, len(words))], " ")+" ") {
			return true
		}
	}
	return false
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// quotation is the set of quotable parts of some texts: four consecutive words. Texts with fewer words have none, because any message may
// contain them.
type quotation map[string]bool

func quotationOf(texts ...string) quotation {
	q := quotation{}
	for _, text := range texts {
		for _, run := range runsOf(text) {
			q[run] = true
		}
	}
	return q
}

// in reports whether a text has one of these parts.
func (q quotation) in(text string) bool {
	return slices.ContainsFunc(runsOf(text), func(run string) bool { return q[run] })
}

// runsOf returns all sequences of four words in a text.
func runsOf(text string) (runs []string) {
	words := wordsOf(text)
	for i := 0; i+quotedWords <= len(words); i++ {
		runs = append(runs, strings.Join(words[i:i+quotedWords], " "))
	}
	return runs
}

const (
	// aboutMax limits how many texts of each kind about an author are searched, and how many conversations of each status.
	aboutMax = 500
	// saidMax limits the messages of those conversations.
	saidMax = 1000
)

const (
	// Index member_notes_listed.
	notesAbout = `SELECT n.id, n.body FROM member_notes n WHERE n.user_id = :author AND n.community_id = :community LIMIT :limit`
	// Index moderation_log_author, the newest first.
	messagesTo = `SELECT l.id, l.note FROM moderation_log l WHERE l.author_id = :author AND l.author_id IS NOT NULL
  AND l.community_id = :community AND l.note <> '' ORDER BY l.id DESC LIMIT :limit`
	// Index reports_said.
	reportsAbout = `SELECT r.reporter_id, r.text FROM reports r WHERE r.target_id = :author AND r.text <> '' LIMIT :limit`

	// Primary keys.
	eraseNotes    = `DELETE FROM member_notes WHERE id IN (SELECT value FROM json_each(:ids))`
	eraseMessages = `UPDATE moderation_log SET note = '' WHERE id IN (SELECT value FROM json_each(:ids))`
	eraseReports  = `UPDATE reports SET text = '' WHERE target_id = :author AND reporter_id IN (SELECT value FROM json_each(:ids))`
	// Index inbox_subject. The inbox entry about a decision on a member has no thread: its post_id is the entry of the log.
	eraseExcerpts = `UPDATE inbox SET excerpt = '' WHERE id IN (SELECT i.id FROM json_each(:ids) j CROSS JOIN inbox i ON i.post_id = j.value
  WHERE i.subject_id = j.value AND i.event <> '')`
)

const (
	// Index conversations_status, the newest first, and index conversation_messages_of.
	saidSince = `SELECT x.id, x.conversation_id, o.subject, x.body FROM (SELECT c.id, c.subject FROM conversations c
  WHERE c.community_id = :community AND c.status = :status AND c.said_at > :since ORDER BY c.said_at DESC LIMIT :limit) o
CROSS JOIN conversation_messages x ON x.conversation_id = o.id WHERE x.body <> '' LIMIT :most`

	// The trigger conversation_messages_stay refuses updates, so the message is replaced by one without text. Verdicts and the order of
	// messages depend on its row. Primary keys, unique index inbox_subject.
	eraseSaid = `INSERT OR REPLACE INTO conversation_messages (id, conversation_id, author_id, side, body)
SELECT x.id, x.conversation_id, x.author_id, x.side, '' FROM conversation_messages x WHERE x.id IN (SELECT value FROM json_each(:ids))
  AND x.body <> '' AND ` + mayUnsay
	eraseMessageExcerpts = `UPDATE inbox SET excerpt = '' WHERE id IN (SELECT i.id FROM json_each(:ids) j
  CROSS JOIN conversation_messages x ON x.id = j.value CROSS JOIN inbox i ON i.post_id = x.conversation_id AND i.subject_id = x.id
  WHERE i.event IN ('from-moderators', 'to-moderators')) AND ` + mayUnsay
	eraseSubjects = `UPDATE conversations SET subject = '` + data.DeletedTitle + `'
WHERE id IN (SELECT value FROM json_each(:ids)) AND ` + mayUnsay
	eraseTitles = `UPDATE inbox SET title = '` + data.DeletedTitle + `' WHERE id IN (SELECT i.id FROM json_each(:ids) j
  CROSS JOIN inbox i ON i.post_id = j.value WHERE i.event IN ('from-moderators', 'to-moderators')) AND ` + mayUnsay

	// Erase has checked that the actor is an administrator; for a message the entry of the log proves it.
	mayUnsay = `(:entry = 0 OR ` + erased + `)`
)

// eraseMail is a part of step 1: messages to the moderators of the community and to the administrators, and their replies, lose their
// text if they quote the erased text, or a title that it had. Messages about it are erased in step 3, with or without a quotation. It
// searches the newest messages.
func (s *Store) eraseMail(ctx context.Context, t *Thing) error {
	type message struct {
		id, conversation data.ID
		subject, text    string
	}
	var found []message
	texts := []string{t.Title, t.Text}
	r := s.DB.Read()
	r.FindAt(t.ID, retitlings, data.Args{"id": t.ID}, func(row *data.Row) { texts = append(texts, titlesIn(row.Text())...) })
	for _, community := range []data.ID{0, t.communityID} {
		for _, status := range []string{"open", "answered", "closed"} {
			r.Find(saidSince, data.Args{"community": community, "status": status, "since": t.ID.Time(), "limit": aboutMax,
				"most": saidMax}, func(row *data.Row) {
				found = append(found, message{row.ID(), row.ID(), strings.Clone(row.Text()), strings.Clone(row.Text())})
			})
		}
	}
	if err := r.Run(ctx); err != nil {
		return err
	}
	var messages, subjects []data.ID
	quoted := quotationOf(texts...)
	for _, m := range found {
		if quoted.in(m.text) {
			messages = append(messages, m.id)
		}
		if !slices.Contains(subjects, m.conversation) && quoted.in(m.subject) {
			subjects = append(subjects, m.conversation)
		}
	}
	if len(messages)+len(subjects) == 0 {
		return nil
	}
	w := s.DB.Write()
	gatherSaid(w, 0, messages, subjects)
	return w.Run(ctx)
}

// gatherSaid erases the text of messages, and the subjects of conversations.
func gatherSaid(w *data.Write, entry data.ID, messages, conversations []data.ID) {
	w.Do(eraseSaid, data.Args{"entry": entry, "ids": messages})
	w.Do(eraseMessageExcerpts, data.Args{"entry": entry, "ids": messages})
	w.Do(eraseSubjects, data.Args{"entry": entry, "ids": conversations})
	w.Do(eraseTitles, data.Args{"entry": entry, "ids": conversations})
}

// eraseQuotations is a part of step 1: notes about the author, messages with other decisions about them, and reports about them are
// erased, if they quote the erased text. Texts about the post or comment itself are erased in step 3, with or without a quotation.
func (s *Store) eraseQuotations(ctx context.Context, t *Thing) error {
	if t.Author == 0 {
		return nil
	}
	quoted := func(to *[]data.ID) func(*data.Row) {
		return func(row *data.Row) {
			if id, text := row.ID(), row.Text(); Quotes(text, t.Title) || Quotes(text, t.Text) {
				*to = append(*to, id)
			}
		}
	}
	var notes, messages, ofSite, reporters []data.ID
	args := data.Args{"author": t.Author, "community": t.communityID, "limit": aboutMax}
	site := data.Args{"author": t.Author, "community": data.ID(0), "limit": aboutMax}
	home := data.At(t.ID)
	r := s.DB.Read()
	r.FindAt(home, notesAbout, args, quoted(&notes))
	r.FindAt(home, messagesTo, args, quoted(&messages))
	r.Find(messagesTo, site, quoted(&ofSite))
	r.Find(reportsAbout, data.Args{"author": t.Author, "limit": aboutMax}, quoted(&reporters))
	if err := r.Run(ctx); err != nil {
		return err
	}
	if len(notes)+len(messages) > 0 {
		w := s.DB.WriteAt(home)
		w.Do(eraseNotes, data.Args{"ids": notes})
		w.Do(eraseMessages, data.Args{"ids": messages})
		if err := w.Run(ctx); err != nil {
			return err
		}
	}
	if len(messages)+len(ofSite)+len(reporters) == 0 {
		return nil
	}
	w := s.DB.Write()
	w.Do(eraseMessages, data.Args{"ids": ofSite})
	w.Do(eraseExcerpts, data.Args{"ids": append(messages, ofSite...)})
	w.Do(eraseReports, data.Args{"ids": reporters, "author": t.Author})
	return w.Run(ctx)
}
