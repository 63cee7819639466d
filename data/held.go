package data

// Held tells whether a post or comment is shown to nobody but its author and the moderators, and to whom it never was. It is the column
// of the same name.
type Held int

// What is held waits for a moderator, or was removed by one then.
const (
	NotHeld Held = iota
	Waits
	Refused
)
