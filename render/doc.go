// Package render is the folder of all pages. It has no code itself, only the tests that render every page. The packages below it turn view
// models into HTML. They do no I/O, read no clock, and know nothing of HTTP or of the stores.
//
// Each subject has its pages in a package with the subject's name. They stand on package ui, which stands on package markdown.
//
// Pages, messages and mails use the same words for the same things:
//
//   - People sign up once, log in and log out. The page is the login page; one stay is a session, also in code.
//   - A member is a user with an account. Members subscribe to communities, and follow members and threads.
//   - A mail is a message; an email address is where it goes.
//   - The second step is what comes after the password: the code of an authenticator app, or a recovery code.
//   - A provider is another site whose accounts can be used to log in here.
package render
