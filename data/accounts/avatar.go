package accounts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/events/outbox"
)

// Avatar is the image of a member: a picture, or a letter on a colour. What is empty is derived from the member's name.
type Avatar struct {
	Colour string // Hex of one in data.Palette
	Letter string // a letter or digit in upper case
	// Picture is the hash of a picture, pictures.sum. Call pictures.Store.Claim before changing it. The trigger users_pictured reads it.
	Picture string
}

// ParseAvatar parses the result of Text.
func ParseAvatar(s string) (a Avatar) {
	if len(s) >= len("#rrggbb") && s[0] == '#' {
		a.Colour, s = s[:len("#rrggbb")], s[len("#rrggbb"):]
	}
	a.Letter, a.Picture, _ = strings.Cut(s, "/")
	return a
}

// Text returns the avatar as columns store it: its colour, its letter, and the picture after a slash.
func (a Avatar) Text() string {
	if a.Picture == "" {
		return a.Colour + a.Letter
	}
	return a.Colour + a.Letter + "/" + a.Picture
}

// validate normalizes the avatar and checks it.
func (a *Avatar) validate() error {
	r, size := utf8.DecodeRuneInString(a.Letter)
	wrong := a.Letter != "" && (size != len(a.Letter) || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	if !wrong && a.Letter != "" {
		a.Letter = string(unicode.ToUpper(r))
	}
	return data.AllMistakes(
		data.MistakeIf(a.Colour != "" && data.InPalette(a.Colour) < 0, "colour", "Please choose one of the colours."),
		data.MistakeIf(wrong, "letter", "Please type one letter or digit."))
}

const (
	// The trigger users_pictured deletes the rows of picture_uses. Primary key.
	unpicture = `UPDATE users SET avatar = substr(avatar, 1, instr(avatar, '/') - 1), repainting = 1, revision = revision + 1
WHERE id IN (SELECT value FROM json_each(:members)) AND instr(avatar, '/') > 0
  AND substr(avatar, instr(avatar, '/') + 1) IN (SELECT value FROM json_each(:sums))`
	// Primary keys, index picture_blocks_sum. Deleted accounts have no name.
	repicture = `UPDATE users SET avatar = avatar || '/' || :sum, repainting = 1, revision = revision + 1
WHERE id IN (SELECT value FROM json_each(:members)) AND instr(avatar, '/') = 0 AND username <> ''
  AND EXISTS (SELECT 1 FROM pictures p WHERE p.sum = :sum AND p.state = 'stored')
  AND NOT EXISTS (SELECT 1 FROM picture_blocks b WHERE b.sum = :sum AND b.community_id = 0)`
	avatarsHere = `INSERT INTO avatars (user_id, avatar, revision) SELECT u.id, u.avatar, u.revision
FROM json_each(:members) j CROSS JOIN users u ON u.id = j.value WHERE u.repainting` + newerAvatar
)

// RemovePictures adds statements to w that remove pictures from the avatars of members. The members keep their colours and letters. It
// enqueues outbox.JobRename, which changes the copies.
func (s *Store) RemovePictures(w *data.Write, members []data.ID, sums []string) {
	w.Do(unpicture, data.Args{"members": members, "sums": sums})
	s.enqueueAvatars(w, members)
}

// RestorePicture adds statements to w that give members a picture back. It skips members who have chosen another one since, and pictures
// that the site blocks or is deleting.
func (s *Store) RestorePicture(w *data.Write, members []data.ID, sum string) {
	w.Do(repicture, data.Args{"members": members, "sum": sum})
	s.enqueueAvatars(w, members)
}

// enqueueAvatars copies the avatars to the table avatars, and enqueues the job that changes the other copies.
func (s *Store) enqueueAvatars(w *data.Write, members []data.ID) {
	w.Do(avatarsHere, data.Args{"members": members})
	outbox.EnqueueRename(w, s.Source, members...)
}
