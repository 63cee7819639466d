package posts

import (
	"fmt"
	"regexp"
	"strings"

	"plaza/data"
	"plaza/data/ascii"
)

// slugLen is how many characters of a title are in a slug.
const slugLen = 64

// Slug is the first slugLen characters of a title in URL-friendly form: Unicode folded to ASCII where possible, lower case,
// words joined by hyphens. It is never empty: a title without a letter or digit becomes "post".
func Slug(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range ascii.Fold(data.FirstRunes(title, slugLen*2)) {
		switch {
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		case r == '\'' || r == '’':
			continue // don't, not don-t
		default:
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			if b.Len() >= slugLen-1 {
				break
			}
			b.WriteByte('-')
		}
		gap = false
		if b.Len() >= slugLen {
			break
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "post"
	}
	return b.String()
}

// slugMax is the longest slug: one that was taken is followed by a hyphen and the post's id.
const slugMax = slugLen + 1 + data.IDTextLen

var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// IsSlug reports whether a text can be the slug of a post: the form of Slug, perhaps with the suffix for a slug that was taken.
func IsSlug(s string) bool { return len(s) <= slugMax && slugForm.MatchString(s) }

// SlugConflict returns the slug to try after the plain one was taken: it ends in three random digits.
func SlugConflict(slug string, random uint32) string {
	return fmt.Sprintf("%s-%03d", slug, random%1000)
}
