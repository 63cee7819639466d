package ui

// Nobody stands for an author without a name: RFC 4287 wants one of every entry.
const Nobody = "[unknown]"
