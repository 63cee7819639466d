package search

import (
	"plaza/data"
	"plaza/ranking"
)

// The orders of results; their letters begin the cursors.
const (
	OrderRelevance data.Order = 'l'
	OrderNew                  = data.OrderNew
	OrderTop                  = data.OrderTop
)

// Query selects one page of results.
type Query struct {
	Words     Words
	Community string // of one community; "" is all
	Author    string
	Kind      string         // of a post: text, link or image
	Tag       string         // as posts.tags has it
	Domain    string         // and its subdomains
	Link      string         // the key of the page that a post links to
	Window    ranking.Window // since when; "" is all time
	Order     data.Order
	After     data.Cursor
	Limit     int
	Viewer    data.ID // 0 is a visitor
}

// Kinds are the kinds of posts, which can narrow a search.
var Kinds = []string{"text", "link", "image"}

// HasTerms reports whether there is something to search. Excluded words are not enough: nearly every text is without them.
func (q *Query) HasTerms() bool {
	return len(q.Words.All) > 0 || q.Community != "" || q.Author != "" || q.Kind != "" || q.Tag != "" || q.Domain != "" || q.Link != ""
}

// Store searches. Each method adds to a page's Read one statement for each database.
type Store struct{ data.Base }

// places returns the shards to search.
func (s *Store) places(q *Query) []data.Where {
	if q.Community != "" {
		return []data.Where{data.In(q.Community)}
	}
	return s.DB.Shards()
}
