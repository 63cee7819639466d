package ui

// LinkPreview is the metadata of a linked page.
type LinkPreview struct {
	Title       string `json:"title"`       // Title of the page.
	Description string `json:"description"` // Its description.
	Site        string `json:"site"`        // Name of its site.
}
