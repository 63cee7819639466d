package accounts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/data"
)

// Avatar is what stands for a member: a picture, or a letter on a colour. What is empty goes by the member's name.
type Avatar struct {
	Colour string // Hex of one in data.Palette
	Letter string // a letter or digit in upper case
	// Picture is the sum of a picture in the table pictures. Call pictures.Store.Claim before changing it. The trigger users_pictured reads
	// it.
	Picture string
}

// ParseAvatar reads what Text wrote.
func ParseAvatar(s string) (a Avatar) {
	if len(s) >= len("#rrggbb") && s[0] == '#' {
		a.Colour, s = s[:len("#rrggbb")], s[len("#rrggbb"):]
	}
	a.Letter, a.Picture, _ = strings.Cut(s, "/")
	return a
}

// Text is the avatar as columns keep it: its colour, its letter, and the picture behind a slash.
func (a Avatar) Text() string {
	if a.Picture == "" {
		return a.Colour + a.Letter
	}
	return a.Colour + a.Letter + "/" + a.Picture
}

// validate tidies the avatar and checks it.
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
