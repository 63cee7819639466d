package ui

// LinkPreview is what the linked page says of itself.
type LinkPreview struct {
	Title       string `json:"title"`       // Title of the page.
	Description string `json:"description"` // Its description.
	Site        string `json:"site"`        // Name of its site.
}
