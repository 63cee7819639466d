// Package view makes what the pages of several subjects show: lines of posts, comments, communities, listings, flair. It turns rows of
// stores into view models of package render/ui. It also counts views of pages and visits of threads.
package view

import (
	"sync"
	"time"

	stored "plaza/data/content/pictures"
	"plaza/data/events/inbox"
	"plaza/data/events/pushes"
	"plaza/data/lists/listings"
	"plaza/data/lists/views"
	"plaza/data/lists/visits"
	"plaza/protocol/webpush"
	"plaza/worker/links"
	"plaza/worker/pictures"
	"plaza/worker/request"
)

// Views has what handlers show pages with.
type Views struct {
	*request.Server
	Inbox    *inbox.Store
	Listings *listings.Store
	Pushes   *pushes.Store
	Visits   *visits.Store
	// ViewCounts count how many people look at posts and profiles.
	ViewCounts *views.Store
	Pictures   *links.Pictures
	// Bucket has the bytes of pictures that members upload, and Uploads their rows.
	Bucket  pictures.Bucket
	Uploads *stored.Store
	// PushKeys identify the site to push services; nil for a site without push notifications.
	PushKeys *webpush.Keys

	mu      sync.Mutex           // never held across I/O
	rebuilt map[string]time.Time // when a hot set's rebuilding was last requested
}
