// Package post has the handlers that write, read and change posts, comments and votes. Writes go through package publishing, which checks
// the automatic rules, and never directly to a store.
//
// # Absent fields
//
// Absent fields stay as they are stored (partial_edit.go), because a program may send only the fields that it changes. In a whole form an
// absent checkbox means that it isn't ticked. The revision in the request detects a change since the stored fields were read.
//
// If a draft was deleted elsewhere, its form comes back as the form of a new post. If the community of a post is gone, its form comes back,
// and the user has to enter another community.
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
