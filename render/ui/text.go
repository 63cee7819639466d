package ui

import "strings"

// Capitalize writes a word with a capital letter.
func Capitalize(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
