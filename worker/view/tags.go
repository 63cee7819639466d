package view

import (
	"plaza/data/content/tags"
	"plaza/worker/request"
)

// TagsOfAddress returns the tags that the address names, as posts.tags stores them; "" if it names none. Invalid or NotFound.
func TagsOfAddress(c *request.Call) (string, error) {
	if part := c.R.PathValue("tags"); part != "" {
		return tags.ParseAddress(part)
	}
	return "", nil
}
