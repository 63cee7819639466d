package ascii

import (
	"encoding/binary"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/mozillazg/go-unidecode"
	unidecodetable "github.com/mozillazg/go-unidecode/table"
	"github.com/stretchr/testify/require"
)

func TestFold(t *testing.T) {
	if os.Getenv("PLAZA_UPDATE") != "" {
		table = string(makeTable())
		require.NoError(t, os.WriteFile("table.bin", []byte(table), 0o644))
	}
	t.Run("every rune is as go-unidecode has it", func(t *testing.T) {
		for r := rune(0); r <= 0xeffff; r++ {
			if want := unidecode.Unidecode(string(r)); want != Fold(string(r)) {
				t.Fatalf("%U is %q, and should be %q", r, Fold(string(r)), want)
			}
		}
	})
	t.Run("texts", func(t *testing.T) {
		for text, want := range map[string]string{"kožušček": "kozuscek", "Größe": "Grosse", "Привет": "Privet", "北京": "Bei Jing ",
			"\U0010ffff": "", "": ""} {
			require.Equal(t, want, Fold(text))
		}
	})
}

func makeTable() []byte {
	sections := slices.Sorted(maps.Keys(unidecodetable.Tables))
	var blocks []byte
	out := binary.BigEndian.AppendUint16(nil, uint16(len(sections)))
	for _, section := range sections {
		out = binary.BigEndian.AppendUint16(out, uint16(section))
		out = binary.BigEndian.AppendUint32(out, uint32(2+len(sections)*indexEntry+len(blocks)))
		letters := unidecodetable.Tables[section]
		for i := range 256 {
			text := ""
			if i < len(letters) {
				text = letters[i]
			}
			blocks = append(append(blocks, byte(len(text))), text...)
		}
	}
	return append(out, blocks...)
}
