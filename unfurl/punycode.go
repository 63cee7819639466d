package unfurl

import (
	"math"
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

// encodePunycode encodes a label that has characters beyond ASCII (section 6.3).
func encodePunycode(label string) string {
	runes := []rune(label)
	if len(runes) > punyLongest {
		return strings.Repeat("x", labelMax+1) // too long for a label in any case
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

// decodePunycode decodes what stands behind "xn--" (section 6.2).
func decodePunycode(code string) (string, bool) {
	var out []rune
	if at := strings.LastIndexByte(code, '-'); at >= 0 {
		out, code = []rune(code[:at]), code[at+1:]
	}
	n, i, bias := utf8.RuneSelf, 0, punyFirst
	for code != "" {
		old, weight := i, 1
		for k := punyBase; ; k += punyBase {
			if code == "" {
				return "", false
			}
			digit := strings.IndexByte(punyDigits, code[0])
			code = code[1:]
			if digit < 0 || digit > (math.MaxInt32-i)/weight {
				return "", false
			}
			i += digit * weight
			t := threshold(k, bias)
			if digit < t {
				break
			}
			if weight > math.MaxInt32/(punyBase-t) {
				return "", false
			}
			weight *= punyBase - t
		}
		length := len(out) + 1
		bias = adapt(i-old, length, old == 0)
		n += i / length
		i %= length
		if n > unicode.MaxRune || !utf8.ValidRune(rune(n)) || length > labelMax {
			return "", false
		}
		out = append(out[:i], append([]rune{rune(n)}, out[i:]...)...)
		i++
	}
	return string(out), true
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
