package unfurl

import (
	"bytes"
	"io"
	"regexp"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decoded returns a page in UTF-8. Its encoding is chosen as in browsers: by a byte order mark, then the header, then the page's
// declaration. Without any it is UTF-8 or, if the bytes up to the end of its head are not valid UTF-8, windows-1252.
//
// golang.org/x/net/html/charset reads only the first kilobyte. Many pages have scripts there, and declare their encoding later.
func decoded(contentType string, page []byte) io.Reader {
	e := encodingOf(charsetIn(contentType))
	if e == nil {
		f := scan(bytes.NewReader(page))
		switch e = f.declared; {
		case e == nil && !validStart(page[:f.head]):
			e = charmap.Windows1252
		case e == nil, e == utf16BE, e == utf16LE: // a page in UTF-16 could not declare it
			e = unicode.UTF8
		}
	}
	return transform.NewReader(bytes.NewReader(page), unicode.BOMOverride(e.NewDecoder()))
}

// validStart reports whether a text is UTF-8. Its end may be inside a character.
func validStart(page []byte) bool {
	for i := range min(utf8.UTFMax, len(page)+1) {
		if utf8.Valid(page[:len(page)-i]) {
			return true
		}
	}
	return false
}

var charset = regexp.MustCompile(`(?i)charset\s*=[\s"']*([\w-.:]+)`)

// charsetIn returns the value of charset= in a Content-Type; "" without one.
func charsetIn(contentType string) string {
	if found := charset.FindStringSubmatch(contentType); found != nil {
		return found[1]
	}
	return ""
}
