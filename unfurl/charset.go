package unfurl

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// decoderFor chooses the encoding as browsers do: a byte order mark, then the header, then
// what the page declares. Without any, or with one that is not known here, it is UTF-8,
// unless the bytes are not and nothing was declared: then it is windows-1252.
// https://encoding.spec.whatwg.org/#names-and-labels
func decoderFor(page []byte, contentType string, declared []byte) func([]byte) string {
	label := string(charsetIn([]byte(contentType)))
	if label == "" {
		label = string(declared)
	}
	if bytes.HasPrefix(page, []byte("\xEF\xBB\xBF")) {
		label = "utf-8"
	}
	var upper *[128]rune
	switch strings.ToLower(strings.TrimSpace(label)) {
	case "windows-1252", "cp1252", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "us-ascii", "ascii":
		upper = &windows1252
	case "windows-1251", "cp1251":
		upper = &windows1251
	case "":
		if !validStart(page) {
			upper = &windows1252
		}
	}
	return func(b []byte) string {
		if upper == nil {
			return strings.ToValidUTF8(string(b), "\uFFFD")
		}
		var s strings.Builder
		for _, c := range b {
			if c < 0x80 {
				s.WriteByte(c)
			} else {
				s.WriteRune(upper[c-0x80])
			}
		}
		return s.String()
	}
}

// validStart tells UTF-8, of which the end may be cut inside a character.
func validStart(page []byte) bool {
	for i := range min(utf8.UTFMax, len(page)+1) {
		if utf8.Valid(page[:len(page)-i]) {
			return true
		}
	}
	return false
}

// charsetIn is the value of charset= in a Content-Type; nil without one.
func charsetIn(contentType []byte) []byte {
	at := bytes.Index(lower(contentType), []byte("charset"))
	if at < 0 {
		return nil
	}
	rest := bytes.TrimLeft(contentType[at+len("charset"):], " \t")
	if len(rest) == 0 || rest[0] != '=' {
		return nil
	}
	rest = bytes.TrimLeft(rest[1:], " \t\"'")
	end := 0
	for end < len(rest) && (isLetter(rest[end]) || rest[end] >= '0' && rest[end] <= '9' || rest[end] == '-' || rest[end] == '_') {
		end++
	}
	return rest[:end]
}

// upperHalf makes a table: begin is what stands from 0x80 on, and a space means U+FFFD;
// behind it everything is as in ISO 8859-1.
func upperHalf(begin string) (upper [128]rune) {
	for i := range upper {
		upper[i] = rune(0x80 + i)
	}
	i := 0
	for _, r := range begin {
		if r == ' ' {
			r = utf8.RuneError
		}
		upper[i] = r
		i++
	}
	return upper
}

var (
	windows1252 = upperHalf("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")
	windows1251 = upperHalf("ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–— ™љ›њќћџ\u00a0ЎўЈ¤Ґ¦§Ё©Є«¬\u00ad®Ї°±Ііґµ¶·ё№є»јЅѕї" +
		"АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя")
)
