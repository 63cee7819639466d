// Package render turns view models into HTML with gomponents. It holds pages, the
// components they share and Markdown; it does no I/O, reads no clock and knows
// nothing of HTTP or of where a view model came from.
//
// Pages, messages and mails use the same words for the same things:
//
//   - People sign up once, log in and log out. The page is the login page; one stay is a session, also in code.
//   - A member is somebody with an account. Members subscribe to communities, and follow members and threads.
//   - A mail is a message; an email address is where it goes.
//   - The second step is what comes after the password: the code of an authenticator app, or a recovery code.
//   - A provider is another site with whose account somebody logs in.
package render
