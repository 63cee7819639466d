// Package post has the handlers that write, read and change posts, comments and votes.
//
// New text goes through package publishing, which checks the automatic rules, and never directly to a store. A field that a program does
// not send stays as it is stored (partial_edit.go); in a whole form an absent checkbox is not ticked. The form's revision detects changes
// since.
//
// Begin with submit.go for a post, thread.go for its page, vote.go for a vote.
package post

import (
	"plaza/data/content/flair"
	"plaza/data/content/links"
	"plaza/data/content/posts"
	"plaza/data/content/publishing"
	"plaza/data/content/votes"
	"plaza/data/lists/saves"
	"plaza/data/rights/bans"
	outside "plaza/worker/links"
	"plaza/worker/view"
)

// Handlers has the handlers for posts, comments and votes.
type Handlers struct {
	*view.Views
	Bans        *bans.Store
	Flairs      *flair.Store
	LinkFetcher *outside.Previews
	Posts       *posts.Store
	Previews    *links.Store
	Publishing  *publishing.Store
	Saves       *saves.Store
	Votes       *votes.Store
}
