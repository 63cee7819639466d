package flair

// Unchanged is the guard of an entry in the log, for tests that explain it.
const Unchanged = unchanged
