package weburl

import (
	"math"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// hostMax and labelMax are the lengths of the longest name and of its longest label, in bytes.
const (
	hostMax  = 253
	labelMax = 63
)

// lookup maps names as browsers do before DNS: by UTS 46, with underscores and hyphens in any place.
// https://url.spec.whatwg.org/#concept-domain-to-ascii
var lookup = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckHyphens(false), idna.StrictDomainName(false))

// Host returns the same form for all spellings of a host: in lower-case ASCII, with Punycode for other letters, without a dot at the end.
// An IP address is in its usual form, without brackets. It returns "" for an invalid host.
//
// If lookup reports an error, Host returns its result nevertheless. A browser with newer Unicode tables may open the name, and the parent
// domain is correct in any case.
func Host(name string) string {
	if name = strings.Trim(name, "."); isPlain(name) {
		return name
	}
	if strings.Contains(name, ":") {
		ip, err := netip.ParseAddr(name)
		if err != nil || ip.Zone() != "" {
			return ""
		}
		return ip.String()
	}
	if len(name) > hostMax*utf8.UTFMax || !utf8.ValidString(name) || hasLongLabel(name) {
		return ""
	}
	name, _ = lookup.ToASCII(name)
	if name = strings.Trim(name, "."); name == "" || len(name) > hostMax || strings.ContainsFunc(name, forbidden) {
		return ""
	}
	if !EndsInNumber(name) {
		return name
	}
	ip, ok := ParseIPv4(name)
	if !ok {
		return ""
	}
	return ip.String()
}

// isPlain reports whether Host returns a name unchanged, without the slow lookup. Most names are like this.
func isPlain(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.':
		default:
			return false
		}
	}
	return name != "" && len(name) <= hostMax && !strings.Contains(name, "xn--") && !EndsInNumber(name)
}

// hasLongLabel reports whether a label has more characters than any valid one. The time for Punycode grows with the square of a label's
// length, and a text may have a hundred such addresses. Characters that are mapped to nothing don't count.
func hasLongLabel(name string) bool {
	n := 0
	for _, r := range norm.NFKC.String(name) {
		switch {
		case r == '.' || r == '。':
			n = 0
		case r < utf8.RuneSelf || !unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			n++
		}
		if n > labelMax {
			return true
		}
	}
	return false
}

// forbidden reports whether names can't have a character. https://url.spec.whatwg.org/#forbidden-domain-code-point
func forbidden(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune(`#%/:<>?@[\]^|`, r)
}

// EndsInNumber reports whether browsers parse a host as an IPv4 address, even an invalid one.
// https://url.spec.whatwg.org/#ends-in-a-number-checker
func EndsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := ipv4Number(last)
	return ok
}

// ParseIPv4 parses the forms that browsers accept: one to four parts, each decimal, octal or hexadecimal. The last one fills the
// remaining bytes: 127.1, 0x7f000001, 2130706433. https://url.spec.whatwg.org/#concept-ipv4-parser
func ParseIPv4(host string) (netip.Addr, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var ip uint64
	for i, part := range parts {
		n, ok := ipv4Number(part)
		last := i == len(parts)-1
		if !ok || !last && n > 255 || last && n >= 1<<(8*(4-i)) {
			return netip.Addr{}, false
		}
		if last {
			ip += n
		} else {
			ip += n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}), true
}

func ipv4Number(s string) (uint64, bool) {
	if s == "" {
		return 0, false
	}
	base := 10
	switch {
	case len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x':
		if s, base = s[2:], 16; s == "" {
			return 0, true
		}
	case len(s) >= 2 && s[0] == '0':
		s, base = s[1:], 8
	}
	if strings.Trim(strings.ToLower(s), "0123456789abcdef"[:base]) != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 64)
	if err != nil {
		return math.MaxUint32 + 1, true // a number that is too large for any place
	}
	return n, true
}
