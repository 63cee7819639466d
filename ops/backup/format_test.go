package backup

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestRows writes any row and reads the same.
func TestRows(t *testing.T) {
	value := rapid.OneOf(rapid.Just[any](nil), rapid.Int64().AsAny(), rapid.String().AsAny(), rapid.SliceOf(rapid.Byte()).AsAny(),
		rapid.Float64().Filter(func(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }).AsAny(),
		rapid.SampledFrom([]any{1.0, 1e21, "]", "\x00", "\u2028"}))
	rapid.Check(t, func(t *rapid.T) {
		row := rapid.SliceOfN(value, 1, 6).Draw(t, "row")
		line := appendRow(nil, row)
		read, err := decodeRow(line, 1000)
		require.NoError(t, err)
		for i := range row {
			if b, ok := row[i].([]byte); ok && b == nil {
				row[i] = []byte{}
			}
		}
		require.Equal(t, row, read)
		require.Equal(t, 1, bytes.Count(line, []byte{'\n'}), "one line")
	})
}

func FuzzDecodeRow(f *testing.F) {
	for _, s := range []string{"[1]\n", "[]\n", "[1,]\n", `["a\"b",null,{"base64":"AA=="},1.5]` + "\n", `["]` + "\n", "[,]\n",
		`[{"base64":1}]` + "\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		row, err := decodeRow(b, 1000)
		if err != nil {
			return
		}
		again, err := decodeRow(appendRow(nil, row), 1000)
		require.NoError(t, err)
		require.Equal(t, row, again)
	})
}
