// Package listing shows the pages that list posts: front page, profiles, search, saved and own posts.
package listing
