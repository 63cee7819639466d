package search_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/content/posts"
	"plaza/data/lists/search"
	"plaza/data/searchwords"
	"plaza/test/storetest"
)

// TestMarks finds words of Greek and Cyrillic with and without their marks, in both directions.
func TestMarks(t *testing.T) {
	s := open(t)
	ann := s.Member("ann")
	s.Community(ann, "letters")
	s.Exec("UPDATE communities SET title = ?1, words = ?2 WHERE name_key = 'letters'", "Η Ελλάδα", searchwords.Words("Η Ελλάδα"))
	s.Exec("UPDATE users SET bio = ?1, words = ?2 WHERE username = 'ann'", "Рисую ёлки", searchwords.Words("Рисую ёлки"))
	first := s.submit(ann, posts.Create{Community: "letters", Title: "Place", Text: "x", Excerpt: "x"})
	for _, same := range [][]string{
		{"Ελλάδα", "ελλαδα", "ΕΛΛΑΔΑ", "ΕΛΛΆΔΑ", "Ελλα\u0301δα"},
		{"προϋπολογισμός", "ΠΡΟΫΠΟΛΟΓΙΣΜΟΣ", "προυπολογισμοσ", "πρου\u0308πολογισμο\u0301ς"},
		{"Μαΐου", "μαϊου", "ΜΑΪΟΥ", "μαι\u0308\u0301ου"},
		{"Έρωτας", "ερωτας", "Ήρωτας"}, // the last is another word
		{"ёлка", "елка", "ЁЛКА", "е\u0308лка"},
		{"йод", "ЙОД", "и\u0306од", "иод"},         // the last is another word
		{"їжа", "ЇЖА", "і\u0308жа", "іжа"},         // the last is another word
		{"ќерка", "к\u0301ерка", "ЌЕРКА", "керка"}, // the last is another word
		{"Crème", "CREME", "cre\u0300me"},
	} {
		other := ""
		if last := same[len(same)-1]; strings.Contains("Ήρωτας иод іжа керка", last) {
			same, other = same[:len(same)-1], last
		}
		for i, written := range same {
			s.submit(ann, posts.Create{Community: "letters", Title: fmt.Sprint(written, " ", i), Text: "Über " + written, Excerpt: written})
			s.Comment(ann, first.ID, 0, fmt.Sprint(written, " said ", i))
		}
		if other != "" {
			s.submit(ann, posts.Create{Community: "letters", Title: other + " stays apart", Text: "x", Excerpt: "x"})
		}
		for _, asked := range same {
			for _, text := range []string{asked, `"über ` + asked + `"`, asked + " uber", asked + " -letters"} {
				got, _ := s.posts(query(t, text))
				require.Len(t, got, len(same), "%q finds %q", text, got)
			}
			require.Len(t, s.said(query(t, asked+" said")), len(same), asked)
			w := query(t, asked).Words
			for _, written := range same {
				pieces := w.Snippet("x " + written + ".")
				require.Equal(t, []search.Piece{{Text: "x "}, {Text: written, Marked: true}, {Text: "."}}, pieces, "%q marks %q", asked, written)
			}
		}
		got, _ := s.posts(query(t, "Place -"+same[0]))
		require.Equal(t, []string{"Place"}, got)
		if other != "" {
			got, _ = s.posts(query(t, other))
			require.Equal(t, []string{other + " stays apart"}, got)
		}
	}
	r := s.DB.Read()
	found, people := s.search.FindCommunities(r, query(t, "ΕΛΛΑΔ"), "ΕΛΛΑΔ"), s.search.FindPeople(r, query(t, "елк"), "елк")
	require.NoError(t, r.Run(storetest.Ctx))
	require.Len(t, *found, 1)
	require.Len(t, *people, 1)
}

// TestWeighedWords compares the words that a search is weighed by with the words of the index.
func TestWeighedWords(t *testing.T) {
	s := openOne(t)
	ann := s.Member("ann")
	s.Community(ann, "letters")
	for _, w := range []string{"Ελλάδα", "ёлка", "и\u0306од", "προϋπολογισμός", "cre\u0300me", "Straße", "北京", "हिन्दी", "ค้น"} {
		p := s.submit(ann, posts.Create{Community: "letters", Title: w, Text: "x", Excerpt: "x"})
		require.EqualValues(t, 1, s.One("SELECT doc FROM search_posts_terms WHERE term = ?1", search.Folded(w)), "%q", w)
		s.Exec("DELETE FROM posts WHERE id = ?1", int64(p.ID))
	}
}
