// Package outbox stores work that a transaction enqueues for a consumer of the events queue, until it is done. A message only names the
// work. If the message is lost, the row becomes due, and FindDue finds it. So each kind of work only has to be harmless to repeat.
//
// Begin with the constants Job… (outbox.go), with Claim and Done, and with copy.go for changes of several databases.
// docs/inside/messages.md says what each change leaves.
package outbox
