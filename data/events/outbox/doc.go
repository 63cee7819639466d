// Package outbox stores jobs that a transaction enqueues for a consumer of the events queue, until they are done. A message only names a
// job. If the message is lost, the row becomes due, and FindDue finds it. So each kind of job only has to be harmless to repeat.
//
// Begin with the constants Job… (outbox.go), with Claim and Done, and with copy.go for changes of several databases.
// docs/inside/messages.md says which jobs each change enqueues.
package outbox
