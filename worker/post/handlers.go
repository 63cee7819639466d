// Package post answers what concerns posts, comments and votes: writing, reading and changing them. What is written goes through package
// publishing, which asks the automatic rules, and never to a store alone.
//
// # Absent fields
//
// Absent fields stay as they are stored (partial_edit.go), because a program may send only what it changes; in a whole form an absent box
// means that it isn't ticked. The revision that the request names guards what was read in between. Gone targets: the form of a draft that
// was deleted elsewhere comes back as that of a new post, and a post to a community that is gone with the community to be typed again.
//
// # Quoted elsewhere
//
// oEmbed (/oembed, embed.go) gives other sites a quotation without any script.
package post

import (
	"plaza/data/content/flair"
	"plaza/data/content/links"
	"plaza/data/content/posts"
	"plaza/data/content/publishing"
	"plaza/data/content/votes"
	"plaza/data/lists/saves"
	"plaza/data/moderation/bans"
	outside "plaza/worker/links"
	"plaza/worker/view"
)

// Handlers answers what concerns posts, comments and votes.
type Handlers struct {
	*view.Views
	Bans       *bans.Store
	Flairs     *flair.Store
	Looks      *outside.Previews
	Posts      *posts.Store
	Previews   *links.Store
	Publishing *publishing.Store
	Saves      *saves.Store
	Votes      *votes.Store
}
