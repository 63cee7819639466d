// Package listing shows the pages that list posts: front page, profiles, search, saved and own posts. A row of such a list is the same
// everywhere: it is of package ui, and written without an allocation.
package listing
