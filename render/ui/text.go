package ui

import "strings"

// Capitalize returns a word with its first byte in upper case.
func Capitalize(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
