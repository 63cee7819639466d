package importer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/pictures"
	"plaza/ops/exchange"
)

const neutralHeader = `{"type":"export","version":1,"site":"plaza.example:8787"}` + "\n"

// TestDescriptionsOfPicturesAreWeighed: short comments with pictures fill a transaction, too.
func TestDescriptionsOfPicturesAreWeighed(t *testing.T) {
	c := &comment{entry: entry{text: "x", html: "<p>x</p>"}}
	for range pictures.MaxOfComment {
		c.pictures.shown = append(c.pictures.shown, exchange.PictureRef{Sum: strings.Repeat("0", 64), Alt: strings.Repeat("😀", pictures.AltMax)})
	}
	some := batchLen(slices.Repeat([]*comment{c}, defaultBatch), defaultBatch, maxBatchText)
	require.Less(t, some*pictures.MaxOfComment*4*pictures.AltMax, maxBatchText)
}

func TestBounds(t *testing.T) {
	ctx := context.Background()
	db := mustOpen(t)
	var bad []string
	run := func(o Options, sources ...Source) (Result, error) {
		o.Sources, o.Now, bad = sources, importNow, nil
		o.Bad = func(b Bad) { bad = append(bad, b.String()) }
		return Import(ctx, data.NewDB(db), o)
	}

	t.Run("what can't be here is left out", func(t *testing.T) {
		r, err := run(Options{Format: Neutral}, textSource("x", neutralHeader+
			`{"type":"community","name":"u-ann","title":"Not a community"}`+"\n"+
			`{"type":"user","name":"`+strings.Repeat("y", 200)+`"}`+"\n"+
			`{"type":"post","id":"1","community":"gophers","title":"x","ups":9223372036854775807,"created_at":"2026-11-01T00:00:00Z"}`+"\n"+
			`{"type":"post","id":"2","community":"gophers","title":"x","created_at":"2126-11-01T00:00:00Z"}`+"\n"+
			`{"type":"comment","id":"3","post":"4","body":"x","created_at":"2126-11-01T00:00:00Z"}`+"\n"+
			`{"type":"user","name":"late","created_at":"2226-11-01T00:00:00Z"}`+"\n"+
			`{"type":"post","id":"038wq1k56r69p","community":"gophers","title":"x","title_only":true,"created_at":"2026-11-01T00:00:00.001Z"}`+"\n"))
		require.NoError(t, err)
		require.Equal(t, Result{Posts: 1, Communities: 1, Bad: 6}, r)
		require.Equal(t, []string{`x:2: "u-ann" is not the name of a community`, "x:3: the author's name is longer than 100 bytes",
			"x:4: a post has a text, a link or an image, or its title_only is true",
			"x:5: created_at is in the future", "x:6: created_at is in the future", "x:7: created_at is in the future"}, bad)
		id := one[int64](t, db, `SELECT id FROM posts`)
		require.Equal(t, "038wq1k56r69p", data.ID(id).Text(), "the id that it had, though its site has a port")
	})

	t.Run("a row without an end is not kept in memory", func(t *testing.T) {
		r, err := run(Options{Format: RedditCSV}, textSource("gophers.csv", redditHeader+line("gophers", 1, strings.Repeat("x", 2*maxRowBytes))+
			line("gophers", 2, "Good")))
		require.NoError(t, err)
		require.Equal(t, Result{Posts: 1, Bad: 1}, r)
		require.Equal(t, []string{"gophers.csv:2: the row is longer than 1048576 bytes"}, bad)
	})

	t.Run("a community's texts are as long as they can be here", func(t *testing.T) {
		long := strings.Repeat("y", 20000)
		_, err := run(Options{Format: Neutral}, textSource("x", neutralHeader+`{"type":"community","name":"wordy","sidebar":"`+long+
			`","rules":[{"title":"`+long+`","text":"`+long+`"}]}`))
		require.NoError(t, err)
		require.LessOrEqual(t, one[int](t, db, `SELECT length(sidebar) FROM communities WHERE name = 'wordy'`), communities.SidebarMax)
		require.LessOrEqual(t, one[int](t, db, `SELECT length(rules ->> '$[0].title') FROM communities WHERE name = 'wordy'`),
			communities.RuleTitleMax)
		require.LessOrEqual(t, one[int](t, db, `SELECT length(rules ->> '$[0].text') FROM communities WHERE name = 'wordy'`),
			communities.RuleTextMax)
	})

	t.Run("an id is found where a hundred thousand are taken", func(t *testing.T) {
		tries := 0
		given, err := giveIDs(ctx, data.NewDB(db), directory, `SELECT value FROM json_each(:ids) WHERE value < 100000`, 1,
			func(_ int, salt uint32) data.ID {
				tries++
				return data.ID(salt + 1)
			})
		require.NoError(t, err)
		require.GreaterOrEqual(t, given[0], data.ID(100000))
		require.Less(t, tries, 20)
	})

	t.Run("long comments that have waited", func(t *testing.T) {
		var b strings.Builder
		for i := range 1300 {
			b.WriteString(said(fmt.Sprintf("w%d", i), "p9", "", "cy", strings.Repeat("word ", 800)))
		}
		r, err := run(Options{Format: Reddit}, textSource("RC", b.String()), textSource("RS", fmt.Sprintf(submission, 9, 1399999999, 9)))
		require.NoError(t, err)
		require.Equal(t, 1300, r.Comments)
	})
}
