package flair

// Unchanged is the condition of an entry in the log, for tests of query plans.
const Unchanged = unchanged

// LogGiven and LogGift are statements that a function assembles, for tests of query plans.
var LogGiven, LogGift = logGiven, logGift
