// Package apidoc makes the documentation of the JSON of pages and of actions: the OpenAPI document, and the page /api for people. It takes
// the routes from the table of routes, the fields from the tags of view models, what they mean from the comments of these fields, and
// actions from docs/api.md.
//
// It is a generator, though only tests of package worker import it: it needs the routes table, which package worker does not export.
// TestOpenAPI compares its results with the committed files, and writes them with PLAZA_UPDATE=1. The program embeds these files, so it
// contains nothing of this package.
package apidoc
