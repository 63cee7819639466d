package markdown

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// MaxURL is the longest address, in bytes, that becomes a link.
const MaxURL = 2048

// SafeURL returns a typed address if it is safe in href, else "". It accepts http and https with a host, mailto, and paths and fragments of
// this site; everything else (javascript:, data:, //host, control characters) is unsafe. Characters that no address has are
// percent-encoded. A percent sign stays as it was typed, even one that begins no escape: browsers accept it.
func SafeURL(s string) string {
	if PlainURL(s) {
		return s
	}
	s = strings.TrimSpace(s)
	if s == "" || len(s) > MaxURL || !utf8.ValidString(s) {
		return ""
	}
	for _, r := range s {
		if r < 0x20 || r == 0x7f || r == '\\' {
			return ""
		}
	}
	u, err := url.Parse(strings.Join(apartEscapes(s), "%25"))
	if err != nil {
		return ""
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		port, _ := strconv.ParseUint(u.Port(), 10, 64)
		if u.Host == "" || strings.Contains(u.Host, "%") || port > math.MaxUint16 {
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
	return u.Scheme + escapeURL(s[len(u.Scheme):])
}

// escapeURL percent-encodes the characters that no address has.
func escapeURL(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= utf8.RuneSelf || strings.IndexByte("\"<>^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// apartEscapes splits an address at the percent signs that begin no escape.
func apartEscapes(s string) (parts []string) {
	from := 0
	for at := range len(s) {
		if s[at] == '%' && (at+2 >= len(s) || !util.IsHexDecimal(s[at+1]) || !util.IsHexDecimal(s[at+2])) {
			parts = append(parts, s[from:at])
			from = at + 1
		}
	}
	return append(parts, s[from:])
}

// PlainURL reports whether s is an http or https address that SafeURL returns unchanged, without parsing it: a host of letters, digits,
// dots and hyphens and a path and query of which nothing is ever escaped. Most links are; all others may be safe too.
func PlainURL(s string) bool {
	i := len("https://")
	if !strings.HasPrefix(s, "https://") {
		i = len("http://")
		if !strings.HasPrefix(s, "http://") {
			return false
		}
	}
	host := i
	for i < len(s) && s[i] != '_' && (NameByte(s[i]) || s[i] == '.') {
		i++
	}
	if i == host || i < len(s) && s[i] != '/' || len(s) > MaxURL {
		return false
	}
	for ; i < len(s); i++ {
		if !plainByte[s[i]] {
			return false
		}
	}
	return true
}

// plainByte reports whether a byte needs no escape in paths and queries.
var plainByte = func() (plain [256]bool) {
	for b := range 256 {
		plain[b] = NameByte(byte(b)) || strings.IndexByte("/.?=&+~,", byte(b)) >= 0
	}
	return plain
}()
