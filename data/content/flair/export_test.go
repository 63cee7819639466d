package flair

// Unchanged is the guard of an entry in the log, for tests that explain it.
const Unchanged = unchanged

// LogGiven and LogGift are statements that a function puts together, for tests that explain them.
var LogGiven, LogGift = logGiven, logGift
