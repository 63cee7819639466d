package tags

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"plaza/data"
)

// Limits of a post's tags.
const (
	Max     = 5
	NameMax = 30 // characters of one
	// ListingMax is how many tags a listing may combine.
	ListingMax = 3
)

// Parse parses typed tags, separated by spaces or commas, with or without "#". It returns them as posts.tags stores them: in the form of
// Spell, each once, in the order of their bytes, joined by one space; "" for none. Invalid.
func Parse(typed string) (string, error) {
	var list []string
	for _, word := range strings.FieldsFunc(typed, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == '、' || r == '，' }) {
		name := Spell(strings.TrimPrefix(word, "#"))
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

// Spell returns the one spelling of a tag: in lower case, and in Unicode's normal form NFC, because a letter with a separate accent looks
// like the composed letter.
func Spell(name string) string { return norm.NFC.String(strings.ToLower(name)) }

// IsName reports whether a text is one tag as it is stored.
func IsName(name string) bool {
	if name == "" || utf8.RuneCountInString(name) > NameMax || name[0] == '-' || name[len(name)-1] == '-' || !norm.NFC.IsNormalString(name) {
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

// ParseAddress parses the tags of the address /tag/a+b, and returns them as Parse does. Invalid, NotFound.
func ParseAddress(part string) (string, error) {
	list := strings.Split(Spell(part), "+")
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) > ListingMax {
		return "", &data.Error{Code: data.Invalid, Field: "tags", Message: "A list can have at most 3 tags."}
	}
	if !slices.ContainsFunc(list, func(name string) bool { return !IsName(name) }) {
		return strings.Join(list, " "), nil
	}
	return "", errNoTag
}

var errNoTag = &data.Error{Code: data.NotFound, Field: "tags", Message: "There is no such tag. Tags have letters, digits and hyphens " +
	"between them."}

// Prefix returns a text that is being typed as a prefix of tags; "" if no tag can begin with it.
func Prefix(typed string) string {
	letters := Spell(strings.TrimPrefix(strings.TrimSpace(typed), "#"))
	if IsName(letters) || IsName(strings.TrimSuffix(letters, "-")) {
		return letters
	}
	return ""
}

// Split returns the tags in a value of posts.tags.
func Split(stored string) []string { return strings.Fields(stored) }
