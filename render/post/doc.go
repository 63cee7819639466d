// Package post shows a post with its thread, and the forms in which posts and comments are written, edited, reported and deleted.
package post
