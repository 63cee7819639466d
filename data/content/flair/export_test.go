package flair

// Unchanged is the guard of an entry in the log, for tests that explain it.
const Unchanged = unchanged

// LogGiven is a statement that a function puts together, for tests that explain it.
var LogGiven = logGiven
