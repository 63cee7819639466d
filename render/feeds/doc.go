// Package feeds writes Atom feeds and the sitemap. Both are made from the view models of pages, so they contain nothing that the page does
// not show to the same reader.
//
// Atom is a format of pages, as JSON is: /c/gardens/new.atom is made from the view model of /c/gardens/new (worker/request/feed.go,
// feed.go), with the page's access, cache and cost. A post marked NSFW or spoiler has only its title. A spoiler within a text becomes
// [spoiler], because many feed readers show what it hides. The feed's time is the time of its newest entry, so a feed without news stays
// the same, byte for byte, and the response is 304. A member's own front page has a feed at a secret address, /feed/{token}, because feed
// readers send no headers. The token has only the scope feed. It expires and is revoked like all tokens, and logs leave it out. There is
// no WebSub, which would cost a request to another site for each publication. The edge keeps feeds for ten seconds, so frequent requests
// are cheap.
package feeds
