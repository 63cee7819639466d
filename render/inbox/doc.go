// Package inbox shows what was sent to a member: replies, mentions, notices and messages. Mails and messages to devices have no part in it:
// package worker/inbox writes these.
package inbox
