package search_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/lists/search"
	"plaza/test/storetest"
)

// everywhere are words with their frequency on a site of 500,000 posts.
var everywhere = map[string]int{"the": 200_000, "of": 160_000, "and": 150_000, "to": 170_000, "in": 120_000, "is": 100_000, "for": 90_000,
	"garden": 30_000, "rose": 9000, "quantum": 3000}

// TestWeigh: a search reads 250,000 entries of the index at most for a kind of candidate. The test checks the estimates, so no clock
// decides.
func TestWeigh(t *testing.T) {
	s := open(t)
	ann := s.Member("ann")
	s.Community(ann, "gardens")
	for word, n := range everywhere {
		s.ExecAt(data.ID(s.CommunityID("gardens")), `INSERT INTO search_common (about, word, found) VALUES ('search_posts', ?1, ?2)`, word, n)
	}
	ask := func(text string) *search.Page[search.Post] {
		t.Helper()
		r := s.DB.Read()
		page := s.search.FindPosts(r, query(t, text))
		metered, meter := s.Metered()
		require.NoError(t, r.Run(metered))
		require.Less(t, meter.RowsRead(), int64(600*max(len(s.DB.Shards()), 1)), text)
		return page
	}
	t.Run("words that are nearly everywhere are left out, the most common first", func(t *testing.T) {
		for text, omitted := range map[string][]string{
			"the":                                 nil,
			"the garden":                          nil,
			"the of":                              {"the"},
			"garden rose for is":                  nil,
			"garden rose for is in":               {"in"},
			"the of and to in is for garden rose": {"the", "of", "and", "to", "in"},
			"The OF tó and":                       {"The", "OF", "tó"},
			"the rose -to":                        {"the"},
			`the "in is"`:                         {"the"},
		} {
			page := ask(text)
			require.Empty(t, page.Refusal(), text)
			require.ElementsMatch(t, omitted, page.Omitted, text)
		}
	})
	t.Run("beside a rare word the others cost little", func(t *testing.T) {
		page := ask("the of and to in is for zebra")
		require.Empty(t, page.Refusal())
		require.Empty(t, page.Omitted)
		page = ask(`"the quick zebra and the fox"`)
		require.Empty(t, page.Refusal())
	})
	t.Run("what can't be left out is refused, with what to do", func(t *testing.T) {
		for text, says := range map[string]string{
			`"the of and"`:              `The words of "the of and" are everywhere. Please quote fewer of them`,
			`"the of" "garden to"`:      `The words of "the of" are everywhere.`,
			`"in to" "is and" "of for"`: `The words of "in to" are everywhere.`,
			"garden -the -of":           "The word the is everywhere. Please search without -the.",
			"of -the":                   "The word the is everywhere.",
		} {
			page := ask(text)
			require.Contains(t, page.Refusal().String(), says, text)
			require.Empty(t, page.Items())
		}
	})
}

// TestCommonWords counts words of an index in which some lists have many pages.
func TestCommonWords(t *testing.T) {
	s := open(t)
	s.CommunityOn(0, s.Member("ann"), "many")
	const n = 2400
	s.ExecAt(data.ID(s.CommunityID("many")), manyPosts, 1, n)
	require.NoError(t, s.search.CountCommon(storetest.Ctx, true))
	found := map[string]int64{}
	r := s.DB.Read()
	r.FindAt(s.DB.Shards()[0], `SELECT word, found FROM search_common WHERE about = 'search_posts'`, nil,
		func(row *data.Row) { found[row.Text()] = row.Int() })
	require.NoError(t, r.Run(storetest.Ctx))
	require.NotEmpty(t, found)
	for word, n := range found {
		require.GreaterOrEqual(t, n, int64(search.CommonFrom), word)
	}
	require.EqualValues(t, n, found["ktext"])
	require.EqualValues(t, n, found[fmt.Sprint("c", s.CommunityID("many"))])
	require.NotContains(t, found, "rare")
	page := func(text string) *search.Page[search.Post] {
		r := s.DB.Read()
		p := s.search.FindPosts(r, query(t, text))
		require.NoError(t, r.Run(storetest.Ctx))
		return p
	}
	require.Empty(t, page("longword*").Refusal(), "a few pages of the index")
	s.ExecAt(data.ID(s.CommunityID("many")), `INSERT INTO search_common (about, word, found) VALUES ('search_posts', 'longwordy', 100000)`)
	require.Equal(t, "Very many words begin with longword. Please put more letters before the star.", page("longword*").Refusal().String())
	require.Empty(t, page("long*").Refusal(), "its own list")
	require.NoError(t, s.search.CountCommon(storetest.Ctx, true))
	require.NotEmpty(t, page("longword*").Refusal(), "counted before")
	require.NoError(t, s.search.CountCommon(storetest.Ctx, false))
	require.Empty(t, page("longword*").Refusal(), "such a word is not there any more")
}
