package weburl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Key returns the same key for web addresses of one page, as far as the addresses show that. A key has no scheme, "www.", default port or
// slash at the end, and no parameters without an effect on the page. It has the fragment only if that is a path itself, such as #/page or
// #!page. Parameters are sorted. Escapes are normalised by RFC 3986 (6.2.2), but letters outside ASCII are plain and composed (NFC). The
// key of an invalid web address is "". Key("https://" + key) is key.
func Key(address string) string {
	u, err := Parse(address)
	if err != nil {
		return ""
	}
	host := domainOf(u)
	if host == "" {
		return ""
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := strings.TrimLeft(u.Port(), "0"); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	p := parts{host, withoutDots(plainEscapes(cmp.Or(u.RawPath, u.EscapedPath()))), plainEscapes(u.RawQuery),
		route(plainEscapes(cmp.Or(u.RawFragment, u.EscapedFragment())))}
	return p.rewritten().key()
}

// parts are the parts of an address: host (and port), path, query and route. Each has the form of a key.
type parts struct{ host, path, query, route string }

// key returns the key of the address, without parameters that have no effect.
func (p parts) key() string {
	key := p.host + p.path
	if query := queryKey(p.host, p.query); query != "" {
		key += "?" + query
	}
	if path, query, _ := strings.Cut(p.route, "?"); path != "" {
		key += "#" + path
		if query = queryKey(p.host, query); query != "" {
			key += "?" + query
		}
	}
	return key
}

// route returns a fragment that a page's script uses as a path; "" for one that is an anchor on the page.
func route(fragment string) string {
	path, query, asks := strings.Cut(fragment, "?")
	path = strings.TrimRight(path, "/")
	if !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "!") || strings.Trim(path, "!/") == "" {
		return ""
	}
	if asks {
		path += "?" + query
	}
	return path
}

// withoutDots returns a path without . and .. (RFC 3986, 5.2.4) and without a slash at the end.
func withoutDots(path string) string {
	var kept []string
	for _, segment := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		switch segment {
		case ".":
		case "..":
			kept = kept[:max(len(kept)-1, 0)]
		default:
			kept = append(kept, segment)
		}
	}
	return strings.TrimRight("/"+strings.Join(kept, "/"), "/")
}

// queryKey returns a query with its parameters sorted, without those that have no effect on pages of the host.
func queryKey(host, query string) string {
	pairs := slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return pair == "" || hasNoEffect(host, strings.ToLower(name))
	})
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}

// plainEscapes normalizes escapes: characters that need none are written plainly, and others as escapes in upper case. Letters are
// composed with the marks after them. Separators such as / and escapes that stay are never composed.
func plainEscapes(s string) string {
	var b, letters strings.Builder
	flush := func() {
		for _, c := range []byte(norm.NFC.String(letters.String())) { // NFC converts U+1FEF to the ASCII `
			write(&b, c)
		}
		letters.Reset()
	}
	for s != "" {
		if r, size := decodeRune(s); size > 0 {
			letters.WriteRune(r)
			s = s[size:]
			continue
		}
		c, isEscaped := escaped(s)
		if isEscaped {
			s = s[3:]
		} else {
			c, s = s[0], s[1:]
		}
		switch {
		case alphanumeric(c):
			letters.WriteByte(c)
		case isEscaped && !unreserved(c) || c >= utf8.RuneSelf:
			flush()
			escape(&b, c)
		default:
			flush()
			write(&b, c)
		}
	}
	flush()
	return b.String()
}

// decodeRune returns the character outside ASCII at the beginning of a text, plain or in escapes, and where it ends. end is 0 if there is
// none that can be printed.
func decodeRune(s string) (r rune, end int) {
	var char [utf8.UTFMax]byte
	for n := 0; n < len(char) && end < len(s); n++ {
		c, isEscaped := escaped(s[end:])
		if isEscaped {
			end += 3
		} else {
			c = s[end]
			end++
		}
		if char[n] = c; utf8.FullRune(char[:n+1]) {
			r, size := utf8.DecodeRune(char[:n+1])
			if size != n+1 || size == 1 || !unicode.IsPrint(r) {
				break
			}
			return r, end
		}
	}
	return 0, 0
}

// write writes a character as it is, or escaped if addresses can't have it.
func write(b *strings.Builder, c byte) {
	if mustEscape(rune(c)) {
		escape(b, c)
	} else {
		b.WriteByte(c)
	}
}

func escape(b *strings.Builder, c byte) { fmt.Fprintf(b, "%%%02X", c) }

// mustEscape reports whether addresses can't have an ASCII character.
func mustEscape(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune("\"<>\\^`{|}%", r) }

func unreserved(c byte) bool { return alphanumeric(c) || strings.IndexByte("-._~", c) >= 0 }

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
