// Package inbox keeps members' notifications: replies, mentions, comments in followed threads, and decisions. It is in the directory.
// Transactions enqueue jobs for it (package outbox), and a unique key allows one row for each member and comment. So jobs may be
// repeated.
//
// Begin with Store.Claim (news.go) and Store.Notify (notify.go); decided.go notifies of decisions. docs/inside/messages.md says who is
// notified and when mails follow.
package inbox
