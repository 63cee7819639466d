package pictures_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data/content/pictures"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// fill makes pictures with hashes.
func fill(t *testing.T, sql *hrana.Client, hashes []int64) {
	t.Helper()
	for part := range slices.Chunk(hashes, 5000) {
		list := make([][2]any, len(part))
		for i, h := range part {
			list[i] = [2]any{sumOf(h), h}
		}
		text, err := json.Marshal(list)
		require.NoError(t, err)
		_, err = sql.Tx(t.Context(), storetest.StmtOf(`INSERT INTO pictures (sum, type, width, height, bytes, small, colour, hash, created_at, state)
SELECT value ->> 0, 'image/webp', 1, 1, 1, 1, '', value ->> 1, 0, 'stored' FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`, string(text)))
		require.NoError(t, err)
	}
}

func sumOf(hash int64) string { return fmt.Sprintf("%064x", uint64(hash)) }

// alike returns the sums that the index finds for a hash, and the number of rows read.
func alike(t require.TestingT, sql *hrana.Client, hash int64) (sums []string, read int64) {
	results, err := sql.Query(storetest.Ctx, hrana.Stmt{SQL: "SELECT a.sum FROM " +
		pictures.SimilarRows("x.sum AS sum", "pictures", "(SELECT :hash AS hash)") + " a", Named: []hrana.Named{{Name: "hash", Value: hash}}})
	require.NoError(t, err)
	for _, row := range results[0].Rows() {
		sums = append(sums, row[0].(string))
	}
	slices.Sort(sums)
	return slices.Compact(sums), results[0].RowsRead
}

// turned returns a hash with some bits flipped.
func turned(hash int64, bits []int) int64 {
	for _, bit := range bits {
		hash ^= 1 << bit
	}
	return hash
}

func TestSimilarPicturesAreFoundAsByComparingAll(t *testing.T) {
	sql := stacktest.OpenSchema(t)
	random := rand.New(rand.NewPCG(1, 2))
	hashes := []int64{0, -1, 1, 1 << 62, -1 << 63, 0x5555555555555555}
	for len(hashes) < 300 {
		hashes = append(hashes, int64(random.Uint64()))
	}
	for _, h := range slices.Clone(hashes) { // and hashes near them, up to a distance of 9
		for distance := range 10 {
			hashes = append(hashes, turned(h, random.Perm(64)[:distance]))
		}
	}
	fill(t, sql, hashes)
	rapid.Check(t, func(t *rapid.T) {
		h := hashes[rapid.IntRange(0, len(hashes)-1).Draw(t, "hash")]
		h = turned(h, rapid.SliceOfNDistinct(rapid.IntRange(0, 63), 0, 8, rapid.ID[int]).Draw(t, "bits"))
		var want []string
		for _, other := range hashes {
			if pictures.Similar(h, other) {
				want = append(want, sumOf(other))
			}
		}
		slices.Sort(want)
		got, _ := alike(t, sql, h)
		assert.Equal(t, slices.Compact(want), got)
	})
}

func TestRowsOfSimilarPicturesStayFlat(t *testing.T) {
	sql := stacktest.OpenSchema(t)
	random := rand.New(rand.NewPCG(3, 4))
	all := 0
	for _, n := range []int{1000, 10000} {
		var more []int64
		for ; all < n; all++ {
			more = append(more, int64(random.Uint64()))
		}
		fill(t, sql, more)
		most := int64(0)
		for _, h := range more[:20] {
			found, read := alike(t, sql, turned(h, []int{0, 17, 18, 40, 50, 63}))
			assert.Equal(t, []string{sumOf(h)}, found)
			most = max(most, read)
		}
		t.Log(n, "pictures:", most, "rows read at most")
		// 68 look-ups, and some rows for each: 10 of 10,000 pictures, if they are spread evenly.
		assert.Less(t, most, int64(150))
	}
}
