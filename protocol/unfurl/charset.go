package unfurl

import (
	"bytes"
	"unicode/utf8"
)

// scanned finds what a page says, in UTF-8 as far as it is valid. The encoding is chosen as browsers do: by a byte
// order mark, then the header, then what the page declares, by any label of the standard.
// Without any, or with one that is not known, it is UTF-8, unless the bytes are not and
// nothing was declared: then it is windows-1252.
// https://encoding.spec.whatwg.org/#names-and-labels
//
// What a page declares has to be found before the page is decoded, in which the bytes of
// another encoding may look like markup. So such a page is read twice.
func scanned(contentType string, page []byte) *finds {
	f := &finds{}
	head := f.scan(page)
	label, marked := markOf(page)
	if !marked {
		label = string(charsetIn([]byte(contentType)))
	}
	if label == "" {
		switch label = string(f.charset); {
		case label == "" && !validStart(head):
			label = "windows-1252"
		case isUTF16(label): // in which nobody could have declared it
			label = "utf-8"
		}
	}
	e := encodingOf(label)
	if e == nil {
		return f
	}
	text, err := e.NewDecoder().Bytes(page)
	if err != nil {
		return f
	}
	f = &finds{}
	f.scan(text)
	return f
}

// markOf is what a byte order mark says.
func markOf(page []byte) (label string, marked bool) {
	for mark, label := range map[string]string{"\xEF\xBB\xBF": "utf-8", "\xFE\xFF": "utf-16be", "\xFF\xFE": "utf-16le"} {
		if bytes.HasPrefix(page, []byte(mark)) {
			return label, true
		}
	}
	return "", false
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
