package data

// Held says whether only the author and the moderators see a post or comment, and it was never shown to others. It is the column of the
// same name.
type Held int

// A held item waits for a moderator, or a moderator has removed it then.
const (
	NotHeld Held = iota
	Waits
	Refused
)
