// Package ascii transliterates texts of any script to ASCII, as well as possible without knowing the language.
//
// The table comes from github.com/mozillazg/go-unidecode. That library builds a map at each start of the program, from a million bytes of
// pointers. So the table is stored here in another form. TestFold makes the file, and compares Fold with the library.
package ascii

import (
	_ "embed"
	"encoding/binary"
	"sort"
	"strings"
	"unicode/utf8"
)

// table begins with an index of blocks of 256 runes: their number, then for each, in ascending order, two bytes of the runes' upper part
// and four of the block's offset. A block has, for each rune, a byte of length and then that many letters.
//
//go:embed table.bin
var table string

const indexEntry = 6

// Fold returns s in ASCII. A rune may become none, one or several letters.
func Fold(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf-1 {
			b.WriteByte(byte(r))
		} else {
			b.WriteString(lettersOf(r))
		}
	}
	return b.String()
}

func lettersOf(r rune) string {
	blocks := int(uint16At(0))
	block := func(i int) string { return table[2+i*indexEntry:] }
	upper := uint16(min(r>>8, 1<<16-1))
	i := sort.Search(blocks, func(i int) bool { return uint16At(2+i*indexEntry) >= upper })
	if i == blocks || uint16At(2+i*indexEntry) != upper {
		return ""
	}
	at := int(binary.BigEndian.Uint32([]byte(block(i)[2:indexEntry])))
	for range r & 0xff {
		at += 1 + int(table[at])
	}
	return table[at+1 : at+1+int(table[at])]
}

func uint16At(at int) uint16 { return uint16(table[at])<<8 | uint16(table[at+1]) }
