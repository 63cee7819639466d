package ui

// UnknownAuthor is the name of an author who has none: RFC 4287 requires one in each entry.
const UnknownAuthor = "[unknown]"
