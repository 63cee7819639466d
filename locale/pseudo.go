package locale

import "strings"

// Pseudo is a language for tests: English, but longer, in other letters and from right to left. What a page in it shows in plain
// letters has not come through this package. Readers can't choose it.
var Pseudo = pseudo()

func pseudo() *Language {
	l := *English
	l.Tag, l.Name, l.RTL, l.change = "ar-XB", "Pseudo", true, accented
	return &l
}

// accented gives letters an accent, makes each form of a text a third longer, and puts it between ⟦ and ⟧. Arguments stay as they are.
func accented(s string) string {
	forms := strings.Split(s, "|")
	for i, form := range forms {
		var b strings.Builder
		b.WriteString("⟦")
		inside := false
		for _, r := range form {
			inside = r == '{' || inside && r != '}'
			if to, ok := accents[r]; ok && !inside {
				r = to
			}
			b.WriteRune(r)
		}
		b.WriteString(strings.Repeat("·", len(form)/3))
		b.WriteString("⟧")
		forms[i] = b.String()
	}
	return strings.Join(forms, "|")
}

var accents = map[rune]rune{'a': 'á', 'e': 'é', 'i': 'í', 'o': 'ó', 'u': 'ú', 'y': 'ý', 'c': 'ç', 'n': 'ñ', 's': 'š', 'z': 'ž',
	'A': 'Á', 'E': 'É', 'I': 'Í', 'O': 'Ó', 'U': 'Ú', 'C': 'Ç', 'N': 'Ñ', 'S': 'Š'}
