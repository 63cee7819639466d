package locale

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// TestPluralsAreThoseOfTheCLDR: each rule has the same forms for the same numbers as the CLDR, which browsers use, and in the same order.
func TestPluralsAreThoseOfTheCLDR(t *testing.T) {
	inOrder := []plural.Form{plural.Zero, plural.One, plural.Two, plural.Few, plural.Many, plural.Other}
	languages := [][]string{{"ja", "zh", "id", "ko", "vi"}, {"en", "de", "nl", "sv", "fi", "el", "hu"}, {"fr", "pt-BR"}, {"ru", "uk", "be", "sr", "hr", "bs"},
		{"pl"}, {"cs", "sk"}, {"ar"}}
	assert.Len(t, languages, len(rules))
	for i, tags := range languages {
		for _, tag := range tags {
			of := func(n int) plural.Form { return plural.Cardinal.MatchPlural(language.MustParse(tag), n, 0, 0, 0, 0) }
			var forms []plural.Form
			for n := range 300 {
				if !slices.Contains(forms, of(n)) {
					forms = append(forms, of(n))
				}
			}
			slices.SortFunc(forms, func(a, b plural.Form) int { return slices.Index(inOrder, a) - slices.Index(inOrder, b) })
			assert.Len(t, forms, rules[i].forms, tag)
			for n := range 300 {
				assert.Equal(t, slices.Index(forms, of(n)), rules[i].form(int64(n)), "%s %d", tag, n)
			}
		}
	}
}

func TestRuleOf(t *testing.T) {
	form, forms := ruleOf("nplurals=2; plural=n != 1;") // as Weblate writes it
	assert.Equal(t, []int{2, 1, 0}, []int{forms, form(0), form(1)})
	form, _ = ruleOf("nplurals=2; plural=(n != 2);")
	assert.Nil(t, form)
}
