package search

import (
	"encoding/hex"
	"strings"

	"plaza/data"
)

// An expression is the argument of MATCH, as SQL: constant texts, parameters, and look-ups of ids by names. Typed text is between double
// quotes, where FTS5 has no syntax.
type expression struct {
	parts   []string // SQL, to be joined by AND of FTS5
	without string   // SQL that follows, for excluded words
	weighs  bool     // words are left out, or nothing is searched, if the search would cost too much
	args    data.Args
}

// The facets of a community and an author, looked up by their names. Unique index on name_key; indexes posts_author and comments_author.
const (
	communityFacet = `'facets : "c' || coalesce((SELECT k.id FROM communities k WHERE k.name_key = :community), 0) || '"'`
	authorFacet    = `'facets : "u' || coalesce((SELECT a.author_id FROM posts a WHERE a.author_name = :author COLLATE NOCASE
  AND a.author_id IS NOT NULL AND a.status = 'published' LIMIT 1),
    (SELECT a.author_id FROM comments a WHERE a.author_name = :author COLLATE NOCASE AND a.author_id IS NOT NULL AND a.status = 'published'
  LIMIT 1), 0) || '"'`
)

// expression returns the expression that searches the text columns for a query.
func (q *Query) expression(columns string) expression {
	e := expression{args: data.Args{}}
	if weights := q.Words.weights(); len(weights) > 0 {
		e.weighs, e.args["terms"], e.args["most"] = true, asJSON(weights), entriesMax
	}
	switch {
	case len(q.Words.All) > 0 && e.weighs:
		e.parts = append(e.parts, `'`+columns+` : (' || `+keptWords+` || ')'`)
	case len(q.Words.All) > 0:
		e.parts, e.args["match"] = append(e.parts, ":match"), columns+" : ("+all(q.Words.All, " AND ")+")"
	}
	if q.Community != "" {
		e.parts, e.args["community"] = append(e.parts, communityFacet), strings.ToLower(q.Community)
	}
	if q.Author != "" {
		e.parts, e.args["author"] = append(e.parts, authorFacet), q.Author
	}
	var facets []string
	if q.Kind != "" {
		facets = append(facets, `"k`+q.Kind+`"`)
	}
	if q.Tag != "" {
		facets = append(facets, `"t`+hex.EncodeToString([]byte(q.Tag))+`"`)
	}
	if q.Domain != "" {
		facets = append(facets, `"d`+hex.EncodeToString([]byte(q.Domain))+`"`)
	}
	if q.Link != "" {
		facets, e.args["link"] = append(facets, `"l`+hex.EncodeToString([]byte(linkEnd(q.Link)))+`"`), q.Link
	}
	if len(facets) > 0 {
		e.parts, e.args["facets"] = append(e.parts, ":facets"), "facets : ("+strings.Join(facets, " AND ")+")"
	}
	if len(q.Words.None) > 0 {
		e.without, e.args["without"] = " || :without", " NOT "+columns+" : ("+all(q.Words.None, " OR ")+")"
	}
	return e
}

// all joins terms in the syntax of FTS5, as words of the index, by the operator between.
func all(terms []Term, between string) string {
	list := make([]string, len(terms))
	for i, t := range terms {
		words, begins := t.words()
		if list[i] = `"` + strings.Join(words, " ") + `"`; begins {
			list[i] += "*"
		}
	}
	return strings.Join(list, between)
}
