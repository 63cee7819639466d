// Package post answers what concerns posts, comments and votes: writing, reading and changing them.
package post

import (
	"plaza/data/bans"
	"plaza/data/flair"
	"plaza/data/links"
	"plaza/data/posts"
	"plaza/data/publishing"
	"plaza/data/saves"
	"plaza/data/votes"
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
