// Package post answers what concerns posts, comments and votes: writing, reading and changing them.
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
