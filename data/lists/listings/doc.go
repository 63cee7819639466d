// Package listings reads lists of posts: of a community, the site, an author, a link or tags, a member's own lists, and a member's front
// page. Each page is a range of an index, which a cursor continues with the sort value and the id. So a page reads about as many rows as it
// shows, however many posts there are.
//
// Begin with Store.Find (listing.go) and its SQL (sql.go). front.go has the front page of a member, and home.go the page of followed
// authors. docs/inside/votes.md says how windows are paged and what hot sets are for.
package listings
