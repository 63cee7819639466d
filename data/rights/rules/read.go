package rules

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// reading is the visible content of a text.
type reading struct {
	text  string   // the visible text, with line breaks between paragraphs and other blocks
	hover []string // the addresses and titles of its links: browsers show them when a reader hovers over one
	links []string // the addresses of its links to other sites
}

// labels are elements of the renderer that are no part of the text: the label of a spoiler, and the number of a footnote.
var labels = map[string]bool{"summary": true, "sup": true}

// inText are the elements that may be inside a word.
var inText = map[string]bool{"a": true, "strong": true, "em": true, "del": true, "code": true, "sup": true}

// readHTML parses HTML of markdown.Render, which escapes every < and > outside of tags.
func readHTML(source string) (r reading) {
	var text []byte
	label := false
	for source != "" {
		chunk, tag, _ := strings.Cut(source, "<")
		if !label {
			text = append(text, html.UnescapeString(chunk)...)
		}
		tag, rest, whole := strings.Cut(tag, ">")
		if source = rest; !whole {
			break // the text was cut
		}
		name, attributes, _ := strings.Cut(tag, " ")
		name, ends := strings.CutPrefix(name, "/")
		switch {
		case labels[name]:
			label = !ends
		case name == "a" && !ends:
			address := attribute(attributes, "href")
			if strings.HasPrefix(address, "http:") || strings.HasPrefix(address, "https:") {
				r.links = append(r.links, address)
			}
			if address != "" && address[0] != '#' { // no anchor on the page: ids of footnotes are random
				r.hover = append(r.hover, address)
			}
			if title := attribute(attributes, "title"); title != "" {
				r.hover = append(r.hover, title)
			}
		}
		if !inText[name] && len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(text, '\n')
		}
	}
	r.text = strings.TrimSpace(string(text))
	return r
}

// attribute returns the value of an attribute of a tag; "" for none.
func attribute(tag, name string) string {
	_, value, _ := strings.Cut(" "+tag, " "+name+`="`)
	value, _, _ = strings.Cut(value, `"`)
	return html.UnescapeString(value)
}

// invisible reports whether a character is invisible, or only changes the appearance of another one.
func invisible(r rune) bool {
	return r >= 0xad && (r <= 0x3164 || r >= 0xfe00) &&
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// visible returns at most limit bytes of a text, for patterns: composed (NFC), without invisible characters, and with one space or line
// break instead of several.
func visible(text string, limit int) string {
	var b strings.Builder
	space := rune(0)
	for _, c := range norm.NFC.String(text) {
		switch {
		case invisible(c):
		case c == '\n', unicode.IsSpace(c) && space == 0, c == 0x2800 && space == 0: // the empty Braille cell
			space = ' '
			if c == '\n' {
				space = c
			}
		case unicode.IsSpace(c), c == 0x2800:
		default:
			if b.Len()+utf8.RuneLen(c)+1 > limit {
				return b.String()
			}
			if space != 0 {
				b.WriteRune(space)
				space = 0
			}
			b.WriteRune(c)
		}
	}
	return b.String()
}
