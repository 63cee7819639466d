// Package render has only the tests that render each page. The packages in its folders turn view models into HTML. They do no I/O, read no
// clock, and know nothing about HTTP or stores. Each subject has a package, which imports ui; ui imports markdown.
//
// Pages, messages and mails use the same words, also in code:
//
//   - People sign up, log in and log out; a login begins a session. A member is a user with an account.
//   - Members subscribe to communities, and follow members and threads. A mail is a message; an email address is where it goes.
//   - The second step comes after the password: the code of an authenticator app, or a recovery code.
//   - A provider is another site whose accounts can log in here.
package render
