// Package post renders a post with its thread, and the forms to write, edit, report and delete posts and comments. A page of 500 comments
// is the largest that the site has, so what stands at each of them is short and costs no allocation.
//
// # Bare forms
//
// A page of 500 comments repeats whatever one of them has. So votes, saves, Reply, Edit and stubs are plain forms and links, which
// web/app/in_place.js sends in place by their class; a form's address names its target; and the Referer says where to return to, else it is
// the target's own page (Call.CameFromPage). TestAThreadStaysLean bounds the bytes. In Go, a page's comments are one slice of
// comments.Comment and one of ui.Comment, whose addresses are written in parts.
//
// # Linked data
//
// Visitors' pages describe a thread to search engines in JSON-LD (linked_data.go): the post and its first ten comments. It is made of the
// page's own view, so it says nothing that the page hides. json.Marshal escapes <, > and &, so no text ends the element.
package post
