package posts

import (
	"net/url"
	"slices"
	"strings"
)

// URLKey is the same for web addresses that lead to the same page as far as can be told from the address: without scheme,
// "www.", default port, fragment, the parameters that only follow readers around, and a slash at the end; with parameters
// in order and escapes as RFC 3986 normalises them (6.2.2). "" is the key of what is no web address.
func URLKey(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Hostname(), ".") == "" {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if plain, ok := strings.CutPrefix(host, "www."); ok && strings.Contains(plain, ".") {
		host = plain
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	key := host + withoutDots(plainEscapes(u.EscapedPath()))
	if query := queryKey(u.RawQuery); query != "" {
		key += "?" + query
	}
	return key
}

// withoutDots is a path without . and .. (RFC 3986, 5.2.4) and without a slash at the end.
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

// queryKey is a query in order, without what only follows readers around.
func queryKey(query string) string {
	pairs := slices.DeleteFunc(strings.Split(plainEscapes(query), "&"), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return pair == "" || followsReaders(strings.ToLower(name))
	})
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}

// trackers are parameters by which advertisers and newsletters know whom they sent; those of analytics begin with utm_ and
// the like.
var trackers = []string{"fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "twclid", "yclid", "ttclid", "igshid", "igsh",
	"mc_cid", "mc_eid", "_ga", "_gl", "_hsenc", "_hsmi", "mkt_tok", "ref_src", "ref_url", "s_cid", "oly_anon_id", "oly_enc_id", "vero_id",
	"wickedid"}

// followsReaders tells a parameter, by its name in lower case, that changes nothing on the page.
func followsReaders(name string) bool {
	return strings.HasPrefix(name, "utm_") || strings.HasPrefix(name, "pk_") || strings.HasPrefix(name, "mtm_") ||
		slices.Contains(trackers, name)
}

const hexDigits = "0123456789ABCDEF"

// plainEscapes writes escapes of characters that need none as the characters, and the others in upper case. A percent sign that begins no
// escape is escaped: together with what comes out of the next escape, it could become one.
func plainEscapes(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		high, low := -1, -1
		if i+2 < len(s) {
			high, low = strings.IndexByte(hexDigits, upper(s[i+1])), strings.IndexByte(hexDigits, upper(s[i+2]))
		}
		if high < 0 || low < 0 {
			b.WriteString("%25")
			continue
		}
		if c := byte(high<<4 | low); unreserved(c) {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(hexDigits[high])
			b.WriteByte(hexDigits[low])
		}
		i += 2
	}
	return b.String()
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
