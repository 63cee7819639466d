// Package ui holds what the pages of several subjects share: the frame of a page, forms, rows of posts and comments, times, numbers, icons.
//
// Pages and rare components are gomponents. Parts that a page repeats many times are methods of Markup, which append HTML and allocate
// nothing. A function is of one kind or the other. Every text that is not a literal in the source goes through Markup.Text, which
// escapes it.
//
// The tags of view models define their JSON, and the comments of the fields describe it for programs (package worker/api).
package ui
