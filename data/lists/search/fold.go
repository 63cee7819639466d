package search

import "strings"

// foldedLetters are, in pairs, letters of Greek and Cyrillic and what they are compared as. FTS5 takes marks off letters itself, but of
// these alphabets only those that are characters of their own. The views of schema.sql that say what is to be in an index replace the same
// letters.
//
// Greek accents and diaereses don't tell words apart, nor do е and ё, or a grave accent over a vowel. Cyrillic letters that are others with
// their mark, such as й and ї, stay, and are put together where their mark is a character of its own.
var foldedLetters = []string{
	"и\u0306", "й", "И\u0306", "й", "і\u0308", "ї", "І\u0308", "ї", "у\u0306", "ў", "У\u0306", "ў", "к\u0301", "ќ",
	"К\u0301", "ќ", "г\u0301", "ѓ", "Г\u0301", "ѓ",
	"ά", "α", "έ", "ε", "ή", "η", "ί", "ι", "ό", "ο", "ύ", "υ", "ώ", "ω", "ϊ", "ι", "ϋ", "υ", "ΐ", "ι", "ΰ", "υ",
	"Ά", "α", "Έ", "ε", "Ή", "η", "Ί", "ι", "Ό", "ο", "Ύ", "υ", "Ώ", "ω", "Ϊ", "ι", "Ϋ", "υ", "ё", "е", "Ё", "е",
	"ѐ", "е", "Ѐ", "е", "ѝ", "и", "Ѝ", "и",
}

var folds = strings.NewReplacer(foldedLetters...)

// fold returns a text with the letters that the index has.
func fold(text string) string { return folds.Replace(text) }
