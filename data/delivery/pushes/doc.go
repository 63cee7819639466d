// Package pushes keeps the devices that show a member's new notifications at once (Web Push), and the messages that wait to be sent to
// them. All of it is in the directory.
//
// To have messages sent, call Ask and send a message of the queue for each id that it returns. The consumer of these calls Claim and, at
// the end, Report. Package webpush encrypts a message for its browser (RFC 8291) and signs for the site (RFC 8292).
//
//   - Once each. A trigger of inbox makes the row of pushes, for each device that wants this kind of thing. It runs once for each row of
//     inbox, however often the work notify is done. There is one push for each device and thread. It covers all notifications that come
//     before it is sent. One that comes while it is being sent has it sent once more.
//   - On its way. Ask marks the pushes that are due and returns them for messages of the events queue (push <id>). The first message that
//     comes finds the mark (Claim), and others find nothing to do. A push whose message is lost, or whose instance dies, is due again after
//     a minute. Ask is called by the code that notifies, by the consumer itself, and each minute.
//   - Its text is made when it is sent: the newest unread item of the thread, or how many there are. Items that were read, or are in a
//     thread that was muted meanwhile, are not sent.
//   - Failures. 404 and 410 remove the device. After any other failure the push is tried again after 1, 4, 16, 64 and 256 minutes, or
//     later, within a day, if Retry-After says so. Topic is the thread, so a device that was away gets the last message about it.
//   - Where to. The address of a push service comes from the browser, so it is checked as links are (worker/links): https, its usual port,
//     no private address, no redirects.
//   - Whose. A device belongs to the session in which it was added. It is deleted with the session's row, and shows nothing once the
//     session is revoked. After reauthentication or a new password it belongs to the session that goes on. Another member who uses the same
//     browser later takes over the device if the browser shows its keys.
//   - The service worker (public/push/worker.js) has the scope /push/, where there are no pages. So it has no part in loading any. Its
//     address has no hash, because browsers look for a newer one there.
package pushes
