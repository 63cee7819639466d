// Package inbox shows what was sent to a member: replies, mentions, notices and messages.
package inbox
