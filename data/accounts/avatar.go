package accounts

import (
	"unicode"
	"unicode/utf8"

	"plaza/data"
)

// Avatar is the picture that stands for a member: a letter on a colour. What is empty goes by the member's name.
type Avatar struct {
	Colour string // Hex of one in data.Palette
	Letter string // a letter or digit in upper case
}

// ParseAvatar reads what Text wrote.
func ParseAvatar(s string) (a Avatar) {
	if len(s) >= len("#rrggbb") && s[0] == '#' {
		a.Colour, s = s[:len("#rrggbb")], s[len("#rrggbb"):]
	}
	a.Letter = s
	return a
}

// Text is the avatar as columns keep it: its colour, then its letter.
func (a Avatar) Text() string { return a.Colour + a.Letter }

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
