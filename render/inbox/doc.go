// Package inbox renders a member's inbox: replies, mentions, notices and messages. It has no part in mails and push messages: package
// worker/inbox writes these.
package inbox
