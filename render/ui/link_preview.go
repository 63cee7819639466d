package ui

// LinkPreview is what the linked page says of itself.
type LinkPreview struct{ Title, Description, Site string }
