package erase

import (
	"context"
	"strings"
	"unicode"

	"plaza/data"
)

// quotedWords is how many words in a row make a quotation.
const quotedWords = 4

// Quotes reports whether a text quotes another: it has four words of it in a row or, of what has fewer, all. Upper and lower case, marks
// and spaces between words make no difference.
func Quotes(text, of string) bool {
	words := wordsOf(of)
	if len(words) == 0 {
		return false
	}
	said := " " + strings.Join(wordsOf(text), " ") + " "
	for i := 0; i+min(quotedWords, len(words)) <= len(words); i++ {
		if strings.Contains(said, " "+strings.Join(words[i:i+min(quotedWords, len(words))], " ")+" ") {
			return true
		}
	}
	return false
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// aboutMax bounds how much of what was written about an author is looked through.
const aboutMax = 500

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
	// Index inbox_subject. The notice of a decision about a member is about no thread: its post is the entry.
	eraseNotices = `UPDATE inbox SET excerpt = '' WHERE id IN (SELECT i.id FROM json_each(:ids) j CROSS JOIN inbox i ON i.post_id = j.value
  WHERE i.subject_id = j.value AND i.notice <> '')`
)

// eraseQuotations is a part of step 1: notes about the author, messages with other decisions about them, and reports about them go, if they
// quote what is erased. What is about the post or comment itself goes in step 3, quoted or not.
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
	home := data.HomeOfID(t.ID)
	r := s.DB.Read()
	r.Find(home, notesAbout, args, quoted(&notes))
	r.Find(home, messagesTo, args, quoted(&messages))
	r.Find(data.Directory, messagesTo, site, quoted(&ofSite))
	r.Find(data.Directory, reportsAbout, data.Args{"author": t.Author, "limit": aboutMax}, quoted(&reporters))
	if err := r.Run(ctx); err != nil {
		return err
	}
	if len(notes)+len(messages) > 0 {
		w := s.DB.Write(home)
		w.Do(eraseNotes, data.Args{"ids": notes})
		w.Do(eraseMessages, data.Args{"ids": messages})
		if err := w.Run(ctx); err != nil {
			return err
		}
	}
	if len(messages)+len(ofSite)+len(reporters) == 0 {
		return nil
	}
	w := s.DB.Write(data.Directory)
	w.Do(eraseMessages, data.Args{"ids": ofSite})
	w.Do(eraseNotices, data.Args{"ids": append(messages, ofSite...)})
	w.Do(eraseReports, data.Args{"ids": reporters, "author": t.Author})
	return w.Run(ctx)
}
