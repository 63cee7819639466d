// Package community has the handlers for communities: their lists, settings, teams, flair and tags, and the pages that moderators write.
// Packages post and listing have those for the posts in them.
package community

import (
	"plaza/data/content/flair"
	"plaza/data/content/posts"
	"plaza/data/content/tags"
	"plaza/data/content/wiki"
	"plaza/worker/view"
)

// Handlers has the handlers for communities.
type Handlers struct {
	*view.Views
	Flairs *flair.Store
	Posts  *posts.Store
	Tags   *tags.Store
	Wiki   *wiki.Store
}
