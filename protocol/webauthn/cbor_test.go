package webauthn

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCBOR has examples of RFC 8949, appendix A.
func TestCBOR(t *testing.T) {
	for in, want := range map[string]any{
		"00": int64(0), "17": int64(23), "1818": int64(24), "1903e8": int64(1000), "1a000f4240": int64(1000000),
		"1b000000e8d4a51000": int64(1000000000000),
		"20":                 int64(-1), "3863": int64(-100), "3903e7": int64(-1000),
		"40": []byte{}, "4401020304": []byte{1, 2, 3, 4}, "60": "", "6449455446": "IETF", "62c3bc": "ü",
		"80": []any{}, "83010203": []any{int64(1), int64(2), int64(3)}, "a0": map[any]any{}, "a201020304": map[any]any{int64(1): int64(2),
			int64(3): int64(4)},
		"a26161016162820203": map[any]any{"a": int64(1), "b": []any{int64(2), int64(3)}}, "f4": false, "f5": true, "f6": nil,
	} {
		b, err := hex.DecodeString(in)
		require.NoError(t, err)
		got, err := decodeAll(b)
		require.NoError(t, err, in)
		assert.Equal(t, want, got, in)
	}
	for about, in := range map[string]string{
		"a number that could be shorter": "1817", "one of two bytes": "190017", "one of four": "1a00000017", "one of eight": "1b0000000000000017",
		"too large for int64": "1bffffffffffffffff", "an indefinite length": "9fff", "a tag": "c000", "a float": "f93c00", "undefined": "f7",
		"a reserved length": "1c",
		"a key twice":       "a201020103", "a key that is bytes": "a14000", "broken UTF-8": "61ff", "text that ends early": "6261",
		"an array longer than the bytes": "9b0000000100000000",
		"a map longer than the bytes":    "bb0000000100000000", "nothing": "", "two values": "0000", "a deep value": "818181818181818100",
	} {
		b, err := hex.DecodeString(in)
		require.NoError(t, err)
		_, err = decodeAll(b)
		assert.ErrorIs(t, err, ErrMalformed, about)
	}
}
