// Package post renders a post with its thread, and the forms to write, edit, report and delete posts and comments.
//
// A page has up to 180 comments and repeats the markup of each, so this is short and allocates nothing (docs/inside/pages.md).
// linked_data.go describes a thread to search engines in JSON-LD. It is made from the page's view model, so it says nothing that the page
// hides. json.Marshal escapes <, > and &, so no text can end the element.
//
// Begin with PostView (post.go) and thread.go.
package post
