package search

import (
	"plaza/data"
	"plaza/ranking"
)

// The orders of what was found; their letters begin the cursors.
const (
	OrderRelevance data.Order = 'l'
	OrderNew                  = data.OrderNew
	OrderTop                  = data.OrderTop
)

// Query asks for one page of what is found.
type Query struct {
	Words     Words
	Community string // of one community; "" is all
	Author    string
	Kind      string         // of a post: text, link or image
	Tag       string         // as posts.tags has it
	Domain    string         // with all domains below it
	Link      string         // the key of the page that a post links to
	Window    ranking.Window // since when; "" is all time
	Order     data.Order
	After     data.Cursor
	Limit     int
	Viewer    data.ID // 0 is a visitor
}

// Kinds are those of posts, by which a search can be narrowed.
var Kinds = []string{"text", "link", "image"}

// Asks tells whether there is something to look for. Words that must not be there are not enough: nearly everything is without them.
func (q *Query) Asks() bool {
	return len(q.Words.All) > 0 || q.Community != "" || q.Author != "" || q.Kind != "" || q.Tag != "" || q.Domain != "" || q.Link != ""
}

// Store searches. Each method is along with a page, one statement for each database that it asks.
type Store struct{ data.Base }

// places are the shards that are asked.
func (s *Store) places(q *Query) []data.Where {
	if q.Community != "" {
		return []data.Where{data.In(q.Community)}
	}
	return s.DB.Shards()
}
