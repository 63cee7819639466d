// Package render is the folder of all pages, and has only the tests that render each page. The packages below it turn view models into
// HTML. They do no I/O, read no clock, and know nothing of HTTP or of stores. Each subject has a package, on ui, which is on markdown.
//
// Pages, messages and mails use the same words, also in code:
//
//   - People sign up, log in and log out; one stay is a session. A member is a user with an account.
//   - Members subscribe to communities, and follow members and threads. A mail is a message; an email address is where it goes.
//   - The second step comes after the password: the code of an authenticator app, or a recovery code.
//   - A provider is another site whose accounts can log in here.
package render
