package search

import "plaza/ranking"

// Folded returns a word as the index has it.
func Folded(word string) string { return folded(word) }

// Assembled are the statements that are assembled at run time.
func Assembled() map[string]string {
	s := &Store{}
	words := Words{All: []Term{{Text: "a"}}, None: []Term{{Text: "b", Prefix: true}}}
	list := map[string]string{
		"weighedTerms": ofPosts.with(&words) + weighedTerms, "places": ofPosts.fill(places), "lengths": ofComments.fill(lengths),
		"howMany": ofPosts.fill(howMany), "mergePages": ofPosts.fill(mergePages),
	}
	one := Query{Words: Words{All: words.All}, Limit: 25}
	sql, _ := s.statement(&one, &ofPosts, "{title body}")
	list["posts with one word"] = sql + postRows
	for name, order := range map[string]Query{"relevance": {Order: OrderRelevance}, "new": {Order: OrderNew}, "top": {Order: OrderTop}} {
		q := order
		q.Words, q.Community, q.Author, q.Kind, q.Window, q.Limit = words, "c", "a", "text", ranking.WindowDay, 25
		sql, _ := s.statement(&q, &ofPosts, "{title body}")
		list["posts by "+name] = sql + postRows
		sql, _ = s.statement(&q, &ofComments, "body")
		list["comments by "+name] = sql + commentRows
	}
	return list
}
