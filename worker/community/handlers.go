// Package community answers what concerns communities as a whole: their lists and pages, settings, teams, flair and tags. Posts in them are
// of the packages post and listing.
package community

import (
	"plaza/data/content/flair"
	"plaza/data/content/posts"
	"plaza/data/content/tags"
	"plaza/worker/view"
)

// Handlers answers what concerns communities as a whole.
type Handlers struct {
	*view.Views
	Flairs *flair.Store
	Posts  *posts.Store
	Tags   *tags.Store
}
