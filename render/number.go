package render

import "strconv"

// compact shortens a count for display: 999, 1.2k, 12.3k, 999k, 1.2M. It cuts
// instead of rounding, so no count looks bigger than it is.
func compact(n int64) string {
	sign := ""
	u := uint64(n)
	if n < 0 {
		sign, u = "-", -u
	}
	switch {
	case u < 1_000:
		return sign + strconv.FormatUint(u, 10)
	case u < 1_000_000:
		return sign + oneDecimal(u, 1_000) + "k"
	case u < 1_000_000_000:
		return sign + oneDecimal(u, 1_000_000) + "M"
	}
	return sign + oneDecimal(u, 1_000_000_000) + "G"
}

func oneDecimal(u, unit uint64) string {
	whole, tenth := u/unit, u%unit/(unit/10)
	if whole >= 100 || tenth == 0 {
		return strconv.FormatUint(whole, 10)
	}
	return strconv.FormatUint(whole, 10) + "." + strconv.FormatUint(tenth, 10)
}

// exact writes a count with thousands separated: 12,345.
func exact(n int64) string {
	s := strconv.FormatInt(n, 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural writes "1 comment", "12,345 comments", "0 replies".
func plural(n int64, one, many string) string { return exact(n) + " " + noun(n, one, many) }

func noun(n int64, one, many string) string {
	if n == 1 || n == -1 {
		return one
	}
	return many
}
