package unfurl

import "bytes"

type attribute struct {
	name  string
	value []byte
}

type attributes []attribute

// get is an attribute's value: of several of one name the first, as in browsers; nil when
// there is none.
func (a attributes) get(name string) []byte {
	for _, at := range a {
		if at.name == name {
			return at.value
		}
	}
	return nil
}

// maxAttributes bounds what is kept of one tag; those of interest have two or three.
const maxAttributes = 32

// readTag reads a tag from its name on and returns the place behind its ">". A tag that
// the page's end cuts off is no tag.
func readTag(page []byte, i int) (name string, attrs attributes, end int) {
	start := i
	for i < len(page) && !endsName(page[i]) {
		i++
	}
	name = string(lower(page[start:min(i, start+16)])) // none of interest is longer
	for {
		for i < len(page) && (isSpace(page[i]) || page[i] == '/') {
			i++
		}
		if i >= len(page) {
			return "", nil, len(page)
		}
		if page[i] == '>' {
			return name, attrs, i + 1
		}
		var a attribute
		a, i = readAttribute(page, i)
		if i >= len(page) {
			return "", nil, len(page)
		}
		if len(attrs) < maxAttributes {
			attrs = append(attrs, a)
		}
	}
}

// readAttribute reads a name and, if there is one, its value: in double quotes, in single
// ones or in none.
func readAttribute(page []byte, i int) (attribute, int) {
	start := i
	i++ // a name may begin with "="
	for i < len(page) && page[i] != '=' && !endsName(page[i]) {
		i++
	}
	a := attribute{name: string(lower(page[start:min(i, start+16)])), value: []byte{}}
	behind := i
	for behind < len(page) && isSpace(page[behind]) {
		behind++
	}
	if behind >= len(page) || page[behind] != '=' {
		return a, i
	}
	i = behind + 1
	for i < len(page) && isSpace(page[i]) {
		i++
	}
	if i >= len(page) {
		return a, i
	}
	if quote := page[i]; quote == '"' || quote == '\'' {
		i++
		length := bytes.IndexByte(page[i:], quote)
		if length < 0 {
			return a, len(page)
		}
		a.value = page[i : i+length]
		return a, i + length + 1
	}
	start = i
	for i < len(page) && !isSpace(page[i]) && page[i] != '>' {
		i++
	}
	a.value = page[start:i]
	return a, i
}

func endsName(c byte) bool { return isSpace(c) || c == '/' || c == '>' }

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\v' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// lower is ASCII's lower case, which is what names of HTML are compared in.
func lower(b []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		out[i] = c
	}
	return out
}
