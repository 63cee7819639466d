// Package tags knows the tags of posts: what people may type, and the one way in which they are kept.
package tags

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/data"
)

// Limits of a post's tags.
const (
	Max     = 5
	NameMax = 30 // characters of one
)

// Parse reads the tags that somebody has typed, separated by spaces or commas, with or without "#". It returns them as posts.tags keeps
// them: in lower case, each once, in the order of their bytes, joined by one space; "" for none. Invalid.
func Parse(typed string) (string, error) {
	var list []string
	for _, word := range strings.FieldsFunc(typed, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == '、' || r == '，' }) {
		name := strings.ToLower(strings.TrimPrefix(word, "#"))
		switch {
		case utf8.RuneCountInString(name) > NameMax:
			return "", data.Mistake("tags", "A tag has at most 30 characters.")
		case !IsName(name):
			return "", data.Mistake("tags", "A tag has letters, digits and hyphens between them, such as web-design.")
		}
		list = append(list, name)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) > Max {
		return "", data.Mistake("tags", "A post has at most 5 tags.")
	}
	return strings.Join(list, " "), nil
}

// IsName tells whether a text is one tag as it is kept.
func IsName(name string) bool {
	if name == "" || utf8.RuneCountInString(name) > NameMax || name[0] == '-' || name[len(name)-1] == '-' {
		return false
	}
	for i, r := range name {
		switch {
		case r == '-' || i > 0 && unicode.In(r, unicode.M): // marks belong to the letter before
		case !unicode.In(r, unicode.L, unicode.N) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.ToLower(r) != r:
			return false
		}
	}
	return true
}

// Split returns the tags that posts.tags keeps.
func Split(kept string) []string { return strings.Fields(kept) }
