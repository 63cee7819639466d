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
	switch strings.ToLower(strings.TrimSpace(label)) {
	case "windows-1252", "cp1252", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "us-ascii", "ascii":
		return table(&windows1252)
	case "windows-1251", "cp1251":
		return table(&windows1251)
	case "iso-8859-15", "iso8859-15", "latin-9", "l9":
		return table(&latin9)
	case "":
		if !validStart(page) {
			return table(&windows1252)
		}
	}
	return func(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
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
	if end := bytes.IndexAny(rest, " \t\"';,"); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// table decodes an encoding that is ASCII with other characters from 0x80 on.
func table(upper *[128]rune) func([]byte) string {
	return func(b []byte) string {
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
	latin9 = func() [128]rune {
		upper := upperHalf("")
		for at, r := range map[int]rune{0xa4: '€', 0xa6: 'Š', 0xa8: 'š', 0xb4: 'Ž', 0xb8: 'ž', 0xbc: 'Œ', 0xbd: 'œ', 0xbe: 'Ÿ'} {
			upper[at-0x80] = r
		}
		return upper
	}()
)
