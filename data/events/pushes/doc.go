// Package pushes keeps the devices that show a member's new notifications at once (Web Push), and the messages that wait for them. All of
// it is in the directory. A trigger of inbox makes a row for each device and thread. To send pushes, call ClaimDue and send a message of
// the queue for each id that it returns; the consumer calls Claim and, at the end, Report. Package webpush encrypts (RFC 8291) and signs
// (RFC 8292).
//
// Begin with push.go; device.go has the devices. docs/inside/messages.md says how a push arrives once.
package pushes
