// Package limit counts what a member or a network does, and says when it was too much. It knows no request: its callers name the subject,
// and respond with what it returns.
//
// The idea: an instance counts in memory, and asks others only when it matters. A Counter counts calls in sliding windows, with Redis once
// a subject comes near its limit. A Budget counts the rows that an instance reads, for each reader and for all visitors together.
//
// Begin with limits.go, the list of all limits, then Counter.Count (window.go) and Budget.Visit (budget.go).
package limit
