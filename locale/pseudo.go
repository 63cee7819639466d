package locale

import "strings"

// Pseudo is a language for tests: English, but longer, with accents and from right to left. Text without accents on a page in this
// language, except what people wrote, has not passed through this package, so it can't be translated. Readers can't choose it.
var Pseudo = pseudo()

func pseudo() *Language {
	l := *English
	l.Tag, l.Name, l.RTL, l.change = "ar-XB", "Pseudo", true, accented
	return &l
}

// accented puts accents on letters, makes each form of a text a third longer, and puts it between ⟦ and ⟧. Arguments stay as they are.
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
