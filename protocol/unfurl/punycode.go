package unfurl

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The parameters and the algorithm are those of RFC 3492.
const (
	punyBase, punyMin, punyMax    = 36, 1, 26
	punySkew, punyDamp, punyFirst = 38, 700, 72
	punyDigits                    = "abcdefghijklmnopqrstuvwxyz0123456789"
	punyLongest                   = 4 * labelMax // characters that are looked at: no label comes from more
)

// PlainHost is a host name as it may be shown: in ASCII, with Punycode for what is not
// (RFC 3492), because letters of many scripts look like those of another name. It is ""
// for what no host is called.
func PlainHost(host string) string {
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if strings.ContainsFunc(label, func(r rune) bool { return r >= utf8.RuneSelf }) {
			if len(label) > punyLongest || !utf8.ValidString(label) {
				return ""
			}
			labels[i] = "xn--" + encodePunycode(strings.ToLower(label))
		}
	}
	return strings.Join(labels, ".")
}

// encodePunycode encodes a label that has characters beyond ASCII (section 6.3).
func encodePunycode(label string) string {
	runes := []rune(label)
	if len(runes) > punyLongest {
		return label // too long for a label in any case
	}
	var out strings.Builder
	for _, r := range runes {
		if r < utf8.RuneSelf {
			out.WriteRune(r)
		}
	}
	basic := out.Len()
	done := basic
	if basic > 0 {
		out.WriteByte('-')
	}
	n, delta, bias := rune(utf8.RuneSelf), 0, punyFirst
	for done < len(runes) {
		next := rune(unicode.MaxRune)
		for _, r := range runes {
			if r >= n && r < next {
				next = r
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r == n {
				q := delta
				for k := punyBase; ; k += punyBase {
					t := threshold(k, bias)
					if q < t {
						break
					}
					out.WriteByte(punyDigits[t+(q-t)%(punyBase-t)])
					q = (q - t) / (punyBase - t)
				}
				out.WriteByte(punyDigits[q])
				bias = adapt(delta, done+1, done == basic)
				delta = 0
				done++
			}
		}
		delta++
		n++
	}
	return out.String()
}

func threshold(k, bias int) int { return min(max(k-bias, punyMin), punyMax) }

func adapt(delta, points int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for delta > (punyBase-punyMin)*punyMax/2 {
		delta /= punyBase - punyMin
		k += punyBase
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}
