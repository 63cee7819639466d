// Package apidoc makes the documentation of the JSON of pages and of actions: the OpenAPI document, and the page /api for people. It takes
// the routes from the table of routes, the fields from the tags of view models, what they mean from the comments of these fields, and
// actions from docs/api.md.
//
// Only TestOpenAPI of package worker imports it. It reads sources, so nothing of it is in the program: that embeds what was made.
package apidoc
