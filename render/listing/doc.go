// Package listing renders the pages that list posts: front page, profiles, search, saved and own posts. A row of such a list is the same
// everywhere: package ui writes it without an allocation.
package listing
