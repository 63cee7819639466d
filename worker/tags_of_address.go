package worker

import "plaza/data/tags"

// tagsOfAddress reads the tags that the address names, as posts.tags keeps them; "" where it names none. Invalid or NotFound.
func tagsOfAddress(c *call) (string, error) {
	if part := c.r.PathValue("tags"); part != "" {
		return tags.ParseAddress(part)
	}
	return "", nil
}
