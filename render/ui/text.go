package ui

import "strings"

// Capitalize writes a word with a capital letter.
func Capitalize(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

func LowerFirst(s string) string { return "t" + s[1:] }
