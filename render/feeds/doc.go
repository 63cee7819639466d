// Package feeds writes what programs read: Atom feeds and the sitemap. Both are made of the view models of pages, so they say nothing that
// the page does not show to the same reader.
//
// Atom is a format of pages, as JSON is: /c/gardens/new.atom is made of the view of /c/gardens/new (worker/request/feed.go, feed.go). So
// access, cache and cost are the page's, and nothing is in a feed that the page does not show to the same reader. Of what is marked (not
// safe for work, spoiler) it has the title alone. It has [spoiler] in place of a spoiler within a text: many feed readers show what it
// hides. The feed's time is the time of its newest entry. So a feed without news stays the same, byte for byte, and is answered with 304. A
// member's own front page has a feed at a secret address, /feed/{token}, because feed readers send no headers. The token has the scope feed
// alone, which allows nothing else. It expires and is revoked like all tokens, and logs leave it out. There is no WebSub, because it would
// cost a request to another site for each publication. Feeds are kept at the edge for ten seconds, so asking often is cheap.
package feeds
