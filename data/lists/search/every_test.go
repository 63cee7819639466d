package search_test

import (
	"encoding/json"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"plaza/data/searchwords"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestEveryCharacter compares how FTS5 reads each character in a word with how a query does.
func TestEveryCharacter(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	sql := hrana.New(hrana.Options{URL: url, HTTP: client})
	_, err := sql.Tx(storetest.Ctx,
		hrana.Stmt{SQL: "CREATE VIRTUAL TABLE chars USING fts5 (a, tokenize = 'unicode61 remove_diacritics 2')"},
		hrana.Stmt{SQL: "CREATE VIRTUAL TABLE char_words USING fts5vocab (chars, instance)"})
	require.NoError(t, err)
	const step = 0x4000
	for from := rune(0xa0); from < 0x20000; from += step {
		var list []any
		want := map[int64]string{}
		for r := from; r < from+step; r++ {
			if !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Cf, unicode.P, unicode.Sc, unicode.Zs) || unicode.Is(unicode.Cs, r) || unknownToFTS5(r) {
				continue
			}
			text := "x" + string(r) + "y"
			index := searchwords.Words(text)
			if index == "" {
				index = text
			}
			words, _ := searchwords.QueryWords(text)
			for i, w := range words {
				want[int64(r)] += map[bool]string{true: " "}[i > 0] + w.Text
			}
			list = append(list, []any{r, index})
		}
		if len(list) == 0 {
			continue
		}
		res, err := sql.Tx(storetest.Ctx,
			storetest.StmtOf("INSERT INTO chars (rowid, a) SELECT value ->> 0, value ->> 1 FROM json_each(?1)", jsonOf(t, list)),
			storetest.StmtOf("SELECT doc, group_concat(term, ' ') FROM (SELECT doc, term FROM char_words ORDER BY doc, offset) GROUP BY doc"),
			storetest.StmtOf("DELETE FROM chars"))
		require.NoError(t, err)
		require.Len(t, res[1].Rows(), len(list))
		for _, row := range res[1].Rows() {
			if r := row[0].(int64); want[r] != row[1].(string) {
				t.Errorf("%U %c: the index has %q, and is asked for %q", r, rune(r), row[1], want[r])
			}
		}
	}
}

// unknownToFTS5 are letters that FTS5 does not know as letters, so it ends a word at them: New Tai Lue and two Vedic signs were in other
// categories.
func unknownToFTS5(r rune) bool { return r >= 0x19b0 && r <= 0x19c9 || r == 0x1cf2 || r == 0x1cf3 }

func jsonOf(t *testing.T, v any) string {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}
