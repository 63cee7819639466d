package search_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/lists/search"
	"plaza/test/storetest"
)

func TestSpelling(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "sky")
	at := &search.Store{Base: s.Posts.Base}
	for _, title := range []string{"My telescope", "A telescope and a tripod", "Gmail and privacy", "Privacy of Gmail", "Ёлка под окном",
		"Forms"} {
		s.Post(ann, "sky", title)
	}
	p := s.Post(ann, "sky", "About glass")
	s.Comment(ann, p.ID, 0, "Mirrors need aluminium")
	meant := func(text string, comments bool) string {
		t.Helper()
		r := s.DB.Read()
		sp := at.FindSpelling(r, query(t, text), comments)
		require.NoError(t, r.Run(storetest.Ctx))
		return sp.Correct(text)
	}
	for _, tt := range []struct{ typed, meant string }{
		{"telescop", "telescope"}, {"telesccope", "telescope"}, {"telexcope", "telescope"}, {"etlescope", "telescope"}, {"TELESCOP", "telescope"},
		{"gmail privcy", "gmail privacy"}, {`"gmail privcy"`, `"gmail privacy"`}, {"gmial privcy", "gmail privacy"},
		{"privcy author:privcy -privcy", "privacy author:privcy -privcy"}, {"елкаа", "елка"},
		{"telescope", ""}, {"telesco", ""}, {"tel", ""}, {"teles*", ""}, {"tripo kind:text", "tripod kind:text"}, {"privcy2", ""},
		{"aluminum", ""}, {"ouse telescop", "ouse telescope"},
	} {
		require.Equal(t, tt.meant, meant(tt.typed, false), tt.typed)
	}
	require.Equal(t, "aluminium", meant("aluminum", true), "comments have words of their own")
	require.Empty(t, meant("telescop", true))

	t.Run("does not offer what only a removed post says", func(t *testing.T) {
		s.Exec("UPDATE posts SET status = 'removed' WHERE title = 'A telescope and a tripod'")
		require.Empty(t, meant("tripo", false))
	})
	t.Run("takes the more common word, and leaves a word that is as common", func(t *testing.T) {
		s.Exec("INSERT INTO search_common (about, word, found) VALUES ('search_posts', 'from', 5000), ('search_posts', 'fork', 1200)")
		require.Equal(t, "from", meant("fron", false))
		require.Equal(t, "from", meant("form", false), "nobody has written it")
		require.Empty(t, meant("fork", false), "which is not that rare")
	})
}

// TestSpellingRowsRead: a search without results costs a limited number of additional look-ups, at any size of the index.
func TestSpellingRowsRead(t *testing.T) {
	s := storetest.Open(t)
	s.CommunityOn(0, s.Member("ann"), "many")
	at := &search.Store{Base: s.Posts.Base}
	read := func(text string) int64 {
		t.Helper()
		r := s.DB.Read()
		at.FindSpelling(r, query(t, text), false)
		metered, meter := s.Metered()
		began := time.Now()
		require.NoError(t, r.Run(metered))
		t.Logf("%-20s %5d rows %5.1f ms of the database, %5.1f ms", text, meter.RowsRead(), meter.Took().Seconds()*1000,
			time.Since(began).Seconds()*1000)
		return meter.RowsRead()
	}
	const three = "telescop microscop unbelieveablyfar"
	var before int64
	for n := range 2 {
		s.ExecAt(data.ID(s.CommunityID("many")), manyPosts, n*1500+1, (n+1)*1500)
		require.NoError(t, at.CountCommon(storetest.Ctx, false))
		for _, text := range []string{"telescop", "gmail privcy", three} {
			rows := read(text)
			require.LessOrEqual(t, rows, int64(len(s.Shards))*6000, text)
			if text == three {
				require.True(t, n == 0 || rows <= before+before/10+10, fmt.Sprint(before, " then ", rows))
				before = rows
			}
		}
	}
}
