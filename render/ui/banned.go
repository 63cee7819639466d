package ui

// Banned is what keeps the viewer from writing in a community.
type Banned struct {
	Says string `json:"says"` // Why, and until when.
}
