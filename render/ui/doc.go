// Package ui holds what the pages of several subjects share: the frame of a page, forms, rows of posts and comments, times, numbers, icons.
//
// Pages and rare components are gomponents. What stands on a page many times is a method of Markup, which appends its HTML and allocates
// nothing. Whatever is no literal of the source goes through Markup.Text, which escapes it.
//
// View models say in their tags what programs read of them in JSON, and in the comments of these fields what programs are told (package
// worker/api).
package ui
