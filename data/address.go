package data

import (
	"net/url"
	"strings"
)

// URLMax is the length of a web address, in bytes.
const URLMax = 2048

// CheckAddress returns the mistake in the web address of a field; nil for a good one and for an empty field. what is
// the field's name in the message.
func CheckAddress(field, what, s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	switch {
	case len(s) > URLMax:
		return Mistake(field, "This "+what+" is too long: at most 2,048 characters.")
	case strings.ContainsAny(s, " \t\r\n\"<>\\`"):
		return Mistake(field, "This "+what+" has a space or another character that no web address has.")
	case err != nil || u.Scheme != "http" && u.Scheme != "https":
		return Mistake(field, "This "+what+" must be a full web address that begins with http:// or https://.")
	case u.User != nil:
		return Mistake(field, "This "+what+" has a user name or a password in it. Please take it out: everybody could read it.")
	case !strings.Contains(strings.Trim(u.Hostname(), "."), "."):
		return Mistake(field, "This "+what+" names no site: one looks like example.org.")
	}
	return nil
}
