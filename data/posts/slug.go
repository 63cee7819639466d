package posts

import (
	"fmt"
	"plaza/data"
	"strings"

	"github.com/mozillazg/go-unidecode"
)

// SlugLen is how many characters of a title a slug carries.
const SlugLen = 64

// Slug is the first SlugLen characters of a title in URL-friendly form: Unicode
// folded to ASCII where possible, lower case, words joined by hyphens. It is never
// empty: a title without a letter or digit becomes "post".
func Slug(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range unidecode.Unidecode(data.FirstRunes(title, SlugLen*2)) {
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
			if b.Len() >= SlugLen-1 {
				break
			}
			b.WriteByte('-')
		}
		gap = false
		if b.Len() >= SlugLen {
			break
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "post"
	}
	return b.String()
}

// SlugConflict is the slug to try after the plain one was taken: a random suffix of
// three digits.
func SlugConflict(slug string, random uint32) string {
	return fmt.Sprintf("%s-%03d", slug, random%1000)
}
