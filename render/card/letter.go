package card

// vietnamese has for each letter from U+1EA0 to U+1EF9 the letter without its tone mark, and without the horn of Ơ and Ư.
const vietnamese = "AaAaÂâÂâÂâÂâÂâĂăĂăĂăĂăĂăEeEeEeÊêÊêÊêÊêÊêIiIiOoOoÔôÔôÔôÔôÔôOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy"

// replacements are those of other letters that the font lacks: Romanian letters with a comma below, which Unicode once had with a
// cedilla, the two Vietnamese letters with a horn, and uppercase ß.
var replacements = map[rune]rune{'Ș': 'Ş', 'ș': 'ş', 'Ț': 'Ţ', 'ț': 'ţ', 'Ơ': 'O', 'ơ': 'o', 'Ư': 'U', 'ư': 'u', 'ẞ': 'ß'}

var toneless = []rune(vietnamese)

// substitute returns the letter to draw for one that the font lacks: a similar Latin letter if there is one, otherwise the same letter. A
// title without some marks is better than no title.
func substitute(r rune) rune {
	if at := int(r) - 0x1ea0; at >= 0 && at < len(toneless) {
		return toneless[at]
	}
	if a, ok := replacements[r]; ok {
		return a
	}
	return r
}
