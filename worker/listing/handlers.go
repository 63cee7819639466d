// Package listing has the handlers for lists of posts: the front page, the site's orders, timelines, profiles, searches, feeds and
// sitemaps. A community's listing is in package community, and code that both use is in package view.
package listing

import (
	"plaza/data/content/hot"
	"plaza/data/content/tags"
	"plaza/data/content/wiki"
	"plaza/data/lists/editions"
	"plaza/data/lists/saves"
	"plaza/data/lists/search"
	"plaza/data/lists/sitemaps"
	"plaza/data/pace/semaphore"
	"plaza/worker/view"
)

// Handlers has the handlers for lists of posts.
type Handlers struct {
	*view.Views
	Editions *editions.Store
	Hot      *hot.Sets
	Saves    *saves.Store
	Search   *search.Store
	Searches *semaphore.Semaphore // bounds those that may take long
	Sitemaps *sitemaps.Store
	Tags     *tags.Store
	Wiki     *wiki.Store
}
