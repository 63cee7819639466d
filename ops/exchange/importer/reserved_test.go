package importer

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

// TestReservedCommunities: an import makes no community with a reserved name.
func TestReservedCommunities(t *testing.T) {
	ctx := context.Background()
	db := mustOpen(t)
	var bad []string
	run := func(f Format, s Source) (Result, error) {
		bad = nil
		return Import(ctx, data.NewDB(db), Options{Format: f, Sources: []Source{s}, Now: importNow,
			Bad: func(b Bad) { bad = append(bad, b.String()) }})
	}
	const reserved = " is reserved: it would read as a part of the site, as its staff or as a profile"

	r, err := run(Neutral, textSource("x", neutralHeader+
		`{"type":"community","name":"admin","title":"The administrators"}`+"\n"+
		`{"type":"community","name":"Adm1n"}`+"\n"+
		`{"type":"community","name":"___"}`+"\n"+
		`{"type":"post","id":"1","community":"u_bob","title":"x","title_only":true,"created_at":"2026-11-01T00:00:00Z"}`+"\n"+
		`{"type":"post","id":"2","community":"gophers","title":"x","title_only":true,"created_at":"2026-11-01T00:00:00Z"}`+"\n"))
	require.NoError(t, err)
	require.Equal(t, Result{Posts: 1, Communities: 1, Bad: 4}, r)
	require.Equal(t, []string{`x:2: "admin"` + reserved, `x:3: "Adm1n"` + reserved, `x:4: "___" is not the name of a community`,
		`x:5: "u_bob"` + reserved}, bad)

	r, err = run(RedditCSV, textSource("u_bob.csv", redditHeader+strings.Replace(line("u_bob", 1, "Mine"), "u_bob1", "x1", 1)+line("gophers",
		2, "Good")))
	require.NoError(t, err)
	require.Equal(t, Result{Posts: 1, Bad: 1}, r)
	require.Equal(t, []string{`u_bob.csv:2: "u_bob"` + reserved}, bad)
	require.Equal(t, 1, one[int](t, db, `SELECT count(*) FROM communities`))
}
