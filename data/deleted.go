package data

// DeletedTitle replaces the title of a deleted post.
const DeletedTitle = "[deleted]"

// PostURL returns an address that does not contain the title of the post. It redirects users who may see the post to its page.
func PostURL(id ID) string { return "/p/" + id.Text() }
