// Package deletion deletes accounts. A member who requests a deletion is logged out. For fourteen days, logging in cancels it. Then one
// transaction empties the account, and a consumer of the events queue removes the rest in small steps. Each step looks for what is left, so
// it may be repeated or interrupted.
//
// Begin with Store.Request and Store.Continue (deletion.go); steps.go has the statements. docs/inside/accounts.md says what stays and why.
package deletion
