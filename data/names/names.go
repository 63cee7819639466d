// Package names says which names members and communities may have. Sign-up and mentions both use it, so that every name that can be
// registered can be mentioned. It imports nothing, so the Markdown of pages may use it, too.
package names

// Rule is the syntax of a kind of names: letters from a to z in any case and digits, with underscores or, if Hyphens is set, hyphens
// between them. No name begins or ends with one of these two, or has a hyphen beside an underscore: there they would be marks of Markdown
// (@_kim_, @a-_b_-c) or punctuation (@kim-).
type Rule struct {
	Shortest, Longest int
	Hyphens           bool
}

var (
	Member    = Rule{Shortest: 3, Longest: 20, Hyphens: true}
	Community = Rule{Shortest: 3, Longest: 21}
)

// Is reports whether s is a name.
func (r Rule) Is(s string) bool { return s != "" && r.Prefix(s) == len(s) }

// Prefix returns the length of the longest name that s begins with. It returns 0 if there is none, or if it is part of a longer word.
func (r Rule) Prefix(s string) int {
	end, size := 0, 0
	for ; end < len(s); end++ {
		if letterOrDigit(s[end]) {
			size = end + 1
		} else if end == 0 || s[end] != '_' && (s[end] != '-' || !r.Hyphens) || size < end && s[end] != s[end-1] {
			break
		}
	}
	if size < r.Shortest || size > r.Longest {
		return 0
	}
	return size
}

func letterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
