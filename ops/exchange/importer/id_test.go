package importer

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/ops/exchange"
)

// TestFullMillisecond: the communities of a shared slot, their flairs and their pages are more than the ids of one millisecond.
func TestFullMillisecond(t *testing.T) {
	db := mustOpen(t)
	site := data.NewDB(db)
	slot := data.NewSlotMap(1).Choose(0, "crowded")
	const all = `WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 4095) `
	exec(t, db, all+`INSERT INTO communities (id, name, name_key, title, colour, created_at)
SELECT ? + n, 'c' || n, 'c' || n, 'c', '#000', 1 FROM n`,
		int64(data.NewID(importNow, slot, data.KindOther, 0)))
	exec(t, db, all+`INSERT INTO flairs (id, community_id, place, text, colour, restricted, of_members)
SELECT ? + n, 1, n, 'f' || n, 'plain', 0, 0 FROM n`, int64(data.NewID(importNow, slot, data.KindOther, 0)))
	exec(t, db, all+`INSERT INTO wiki_pages (id, community_id, slug, title, text, html, revision)
SELECT ? + n, 1, 'p' || n, 'p', 'p', 'p', 1 FROM n`, int64(data.NewID(importNow, 0, data.KindOther, 0)))

	r, err := Import(t.Context(), site, Options{Format: Neutral, Now: importNow, Sources: []Source{textSource("x", neutralHeader+
		`{"type":"community","name":"crowded","flairs":[{"text":"News"},{"text":"Help"}],`+
		`"pages":[{"title":"A","text":"a"},{"title":"B","text":"b"}]}`)}})
	require.NoError(t, err)
	require.Equal(t, Result{Communities: 1}, r)
	id := one[int64](t, db, `SELECT id FROM communities WHERE name = 'crowded'`)
	require.Equal(t, slot, data.ID(id).Slot())
	require.Equal(t, []any{int64(2), int64(2)}, firstRow(t, db, `SELECT (SELECT count(*) FROM flairs WHERE community_id = ?1),
  (SELECT count(*) FROM wiki_pages WHERE community_id = ?1)`, id))
}

func TestNoFreeID(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := giveIDs(ctx, data.NewDB(mustOpen(t)), directory, takenUsers, 2, func(_ int, salt uint32) data.ID {
		if salt == 100_000 {
			cancel()
		}
		return 7
	})
	require.ErrorIs(t, err, context.Canceled)
}

// TestLongBiographies: the accounts of a batch are more than one value of a statement may contain.
func TestLongBiographies(t *testing.T) {
	const people = 2500
	db := mustOpen(t)
	var b strings.Builder
	b.WriteString(neutralHeader)
	for i := range people {
		fmt.Fprintf(&b, `{"type":"user","name":"person%d","bio":"%s"}`+"\n", i, strings.Repeat("слово ", 160))
	}
	r, err := Import(t.Context(), data.NewDB(db), Options{Format: Neutral, Now: importNow, Sources: []Source{textSource("x", b.String())}})
	require.NoError(t, err)
	require.Equal(t, Result{Accounts: people}, r)
	require.Equal(t, people, one[int](t, db, `SELECT count(*) FROM users WHERE bio LIKE 'слово%'`))
}

func TestListOf(t *testing.T) {
	require.Equal(t, `[["<p>a & b</p>",1],null]`, listOf([][]any{{"<p>a & b</p>", 1}, nil}))
	require.Equal(t, `["\n"]`, listOf([]string{"\n"}))
	require.Equal(t, `[]`, listOf([]exchange.Rule{}))
}
