package render

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// maxURL is the longest address, in bytes, that becomes a link.
const maxURL = 2048

// safeURL gives the address a person typed when it may stand in href, else "".
// It accepts http and https with a host, mailto, and paths and fragments of this
// site; everything else (javascript:, data:, //host, control characters) is unsafe.
func safeURL(s string) string {
	if plainURL(s) {
		return s
	}
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxURL || !utf8.ValidString(s) {
		return ""
	}
	for _, r := range s {
		if r < 0x20 || r == 0x7f || r == '\\' {
			return ""
		}
	}
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		if u.Host == "" {
			return ""
		}
	case "mailto":
		if u.Opaque == "" {
			return ""
		}
	case "":
		if u.Host != "" || strings.HasPrefix(s, "//") || (s[0] != '/' && s[0] != '#') {
			return ""
		}
	default:
		return ""
	}
	return u.String()
}

// plainURL tells whether s is an http or https address that safeURL gives unchanged,
// without parsing it: a host of letters, digits, dots and hyphens and a path and query
// of which nothing is ever escaped. Most links are; all others may be safe too.
func plainURL(s string) bool {
	i := len("https://")
	if !strings.HasPrefix(s, "https://") {
		i = len("http://")
		if !strings.HasPrefix(s, "http://") {
			return false
		}
	}
	host := i
	for i < len(s) && s[i] != '_' && (nameByte(s[i]) || s[i] == '.') {
		i++
	}
	if i == host || i < len(s) && s[i] != '/' || len(s) > maxURL {
		return false
	}
	for ; i < len(s); i++ {
		if !plainByte[s[i]] {
			return false
		}
	}
	return true
}

// plainByte tells whether a byte stands for itself in paths and queries.
var plainByte = func() (plain [256]bool) {
	for b := range 256 {
		plain[b] = nameByte(byte(b)) || strings.IndexByte("/.?=&+~,", byte(b)) >= 0
	}
	return plain
}()

func communityURL(name string) string { return "/c/" + url.PathEscape(name) }

// isProfile tells the name of a member's profile, which is a place for posts like a community, from a community's name.
func isProfile(place string) bool { return strings.HasPrefix(place, "u-") }

// placeName is how a place for posts is named.
func placeName(place string) string {
	if isProfile(place) {
		return "profile"
	}
	return "c/" + place
}

func profileURL(name string) string { return "/u/" + url.PathEscape(name) }

// withReturn gives an address of the login pages that leads back to path.
func withReturn(address, path string) string {
	if path == "" || path == "/" {
		return address
	}
	return address + "?next=" + url.QueryEscape(path)
}
