package data

// Hold is the column held: whether a post or comment has ever been shown to others than its author and the moderators.
type Hold int

const (
	NotHeld  Hold = iota
	Held          // it waits for a moderator's first decision
	Rejected      // a moderator or a rule removed it before others saw it
)
