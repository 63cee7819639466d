package search_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/content/posts"
	"plaza/data/lists/search"
	"plaza/test/storetest"
)

// TestMarks finds words of Greek and Cyrillic with and without their marks, whichever way they were written.
func TestMarks(t *testing.T) {
	s := open(t)
	ann := s.Member("ann")
	s.Community(ann, "letters")
	s.Exec("UPDATE communities SET title = 'Η Ελλάδα' WHERE name_key = 'letters'")
	s.Exec("UPDATE users SET bio = 'Рисую ёлки' WHERE username = 'ann'")
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

// TestFoldedLetters compares what the views of the schema replace with what is replaced in a query.
func TestFoldedLetters(t *testing.T) {
	s := openOne(t)
	ann := s.Member("ann")
	s.Community(ann, "letters")
	all := strings.Join(search.FoldedLetters(), "-")
	p := s.submit(ann, posts.Create{Community: "letters", Title: all, Text: all, Excerpt: all})
	c := s.Comment(ann, p.ID, 0, all)
	s.Exec("UPDATE communities SET title = ?1, description = ?1", all)
	s.Exec("UPDATE users SET bio = ?1", all)
	folded := search.Fold(all)
	require.Equal(t, folded, search.Fold(folded))
	for _, sql := range []string{"SELECT title || ' ' FROM post_words", "SELECT body FROM post_words", "SELECT body || ' ' FROM comment_words",
		"SELECT substr(name, 9) || ' ' FROM community_words",
		"SELECT about || ' ' FROM community_words", "SELECT about || ' ' FROM person_words"} {
		require.Equal(t, folded+" ", s.One(sql), sql)
	}
	require.NotZero(t, c)
	for _, w := range []string{"Ελλάδα", "ёлка", "и\u0306од", "προϋπολογισμός", "cre\u0300me"} {
		s.Exec("DELETE FROM search_posts WHERE rowid = 1")
		s.Exec("INSERT INTO search_posts (rowid, title, body, facets) VALUES (1, ?1, '', '')", search.Fold(w))
		require.EqualValues(t, 1, s.One("SELECT doc FROM search_posts_terms WHERE term = ?1", search.Folded(w)),
			"%q is weighed as the index has it", w)
	}
}
