package data

import (
	"strings"
	"unicode"

	"plaza/locale"
	"plaza/protocol/weburl"
)

// Line normalizes a text of one line, such as a title, before it is stored. Runs of spaces become one space, and characters that could
// reverse or hide the text around them are removed (Plain). An invisible text becomes "".
func Line(s string) string {
	s = strings.Join(strings.Fields(strings.Map(plainRune, s)), " ")
	if Blank(s) {
		return ""
	}
	return s
}

// Plain normalizes a text of several lines without markup, before it is stored. It removes control characters other than line breaks and
// tabs, and characters that change the direction of the text around them (Unicode Standard Annex 9: embeddings, overrides and isolates).
// Directional marks stay, and so do joiners, which emoji and Persian need. An invisible text becomes "".
func Plain(s string) string {
	if s = strings.TrimSpace(strings.Map(plainRune, s)); Blank(s) {
		return ""
	}
	return s
}

func plainRune(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == '\v' || r == '\f' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029: // line breaks for some programs
		return '\n'
	case unicode.Is(unicode.Cc, r),
		r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, // embeddings, overrides, isolates
		r >= 0x206a && r <= 0x206f, r >= 0xfff9 && r <= 0xfffb, r == 0xfeff: // deprecated, annotations, byte order
		return -1
	}
	return r
}

// Blank reports whether a text is invisible: it has only spaces, and characters that have no width or only modify others.
func Blank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) &&
			!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && r != 0x2800 // the empty Braille cell
	})
}

// IsName reports whether s has shortest to longest characters, each of them a letter from a to z, a digit, an underscore or, if hyphen is
// set, a hyphen.
func IsName(s string, shortest, longest int, hyphen bool) bool {
	if len(s) < shortest || len(s) > longest {
		return false
	}
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', hyphen && r == '-':
		default:
			return false
		}
	}
	return true
}

// FirstRunes returns the first n characters of s.
func FirstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// URLMax is the maximum length of a web address, in bytes.
const URLMax = 2048

// CheckAddress returns the mistake in the web address of a field; nil for a valid one and for an empty field. what is the field's name in
// the message.
func CheckAddress(field string, what locale.Text, s string) error {
	if s == "" {
		return nil
	}
	u, err := weburl.Parse(s)
	switch {
	case len(s) > URLMax:
		return Mistake(field, locale.With("This {} is too long: at most 2,048 characters.", what))
	case strings.ContainsAny(s, " \t\r\n\"<>\\`"):
		return Mistake(field, locale.With("This {} has a space or another character that no web address has.", what))
	case err != nil || u.Scheme != "http" && u.Scheme != "https":
		return Mistake(field, locale.With("This {} must be a full web address that begins with http:// or https://.", what))
	case u.User != nil:
		return Mistake(field, locale.With("This {} has a user name or a password in it. Please take it out: everybody could read it.", what))
	case weburl.PortOf(u) > weburl.PortMax:
		return Mistake(field, locale.With("This {} has a port above 65535, which is the highest.", what))
	case !strings.Contains(weburl.Host(u.Hostname()), "."):
		return Mistake(field, locale.With("This {} names no site: one looks like example.org.", what))
	}
	return nil
}

// Limits of the HTML of a text, in bytes. A text with longer HTML is refused. A row from before these limits may have more: then its text
// is read instead (BodyPlain, TextPlain, SidebarPlain). So no row makes the database's response larger than the edge accepts. Ten
// thousand characters of any alphabet, with usual markup, stay well below.
const (
	CommentHTMLMax = 64 << 10
	SidebarHTMLMax = 64 << 10
	BioHTMLMax     = 16 << 10
	PostHTMLMax    = 256 << 10
)

// FlairMax is the longest flair, in characters.
const FlairMax = 30
