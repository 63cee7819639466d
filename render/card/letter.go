package card

// vietnamese are the letters from U+1EA0 to U+1EF9 without the marks of their tones, each for the large and the small one.
const vietnamese = "AaAaÂâÂâÂâÂâÂâĂăĂăĂăĂăĂăEeEeEeÊêÊêÊêÊêÊêIiIiOoOoÔôÔôÔôÔôÔôOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy"

// standIns are single letters that the font lacks, and those that stand for them: Romanian with a comma below, which Unicode once had as a
// cedilla, the two letters of Vietnamese with a horn, and the large ß.
var standIns = map[rune]rune{'Ș': 'Ş', 'ș': 'ş', 'Ț': 'Ţ', 'ț': 'ţ', 'Ơ': 'O', 'ơ': 'o', 'Ư': 'U', 'ư': 'u', 'ẞ': 'ß'}

var toneless = []rune(vietnamese)

// instead is the letter to draw for one that the font lacks. It is another one for the languages in Latin letters that are written beyond
// Latin Extended-A: a title without some marks says more than none.
func instead(r rune) rune {
	if at := int(r) - 0x1ea0; at >= 0 && at < len(toneless) {
		return toneless[at]
	}
	if a, ok := standIns[r]; ok {
		return a
	}
	return r
}
