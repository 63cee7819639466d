package locale

import "strings"

// rules are the plural rules that a file can name in Plural-Forms. For whole numbers they agree with the CLDR
// (unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html), which scripts use, and each has its forms in the same order.
var rules = []struct {
	header string
	forms  int
	form   func(n int64) int // for a number from 0
}{
	// Chinese, Indonesian, Japanese, Korean, Vietnamese
	{"nplurals=1; plural=0;", 1, func(int64) int { return 0 }},
	// most languages of Europe
	{"nplurals=2; plural=(n != 1);", 2, oneOrOther},
	// French, Portuguese in Brazil
	{"nplurals=2; plural=(n > 1);", 2, func(n int64) int { return oneOrOther(max(n, 1)) }},
	// Belarusian, Bosnian, Croatian, Russian, Serbian, Ukrainian
	{"nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);", 3, func(n int64) int {
		if n%10 == 1 && n%100 != 11 {
			return 0
		}
		return fewOrMany(n)
	}},
	// Polish
	{"nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);", 3, func(n int64) int {
		if n == 1 {
			return 0
		}
		return fewOrMany(n)
	}},
	// Czech, Slovak
	{"nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);", 3, func(n int64) int {
		if n >= 1 && n <= 4 {
			return min(int(n)-1, 1)
		}
		return 2
	}},
	// Arabic
	{"nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);", 6, func(n int64) int {
		switch {
		case n <= 2:
			return int(n)
		case n%100 >= 3 && n%100 <= 10:
			return 3
		case n%100 >= 11:
			return 4
		}
		return 5
	}},
}

func oneOrOther(n int64) int {
	if n == 1 {
		return 0
	}
	return 1
}

// fewOrMany returns 1 for numbers that end in 2, 3 or 4 but not in 12, 13 or 14, and 2 for others.
func fewOrMany(n int64) int {
	if n%10 >= 2 && n%10 <= 4 && (n%100 < 12 || n%100 > 14) {
		return 1
	}
	return 2
}

// ruleOf returns the rule of a header Plural-Forms, and its number of forms; nil for none. Spaces and brackets make no difference.
func ruleOf(header string) (form func(n int64) int, forms int) {
	plain := strings.NewReplacer(" ", "", "(", "", ")", "", ";", "")
	for _, r := range rules {
		if plain.Replace(r.header) == plain.Replace(header) {
			return r.form, r.forms
		}
	}
	return nil, 0
}
