// Package render is the folder of everything that is shown. It holds no code itself, only the tests that draw every page: view models
// go in, HTML comes out. Nothing below it does I/O, reads a clock, or knows of HTTP and of where a view model came from.
//
// Each subject has its pages in a package with the subject's name. They stand on package ui, which stands on package markdown.
//
// Pages, messages and mails use the same words for the same things:
//
//   - People sign up once, log in and log out. The page is the login page; one stay is a session, also in code.
//   - A member is somebody with an account. Members subscribe to communities, and follow members and threads.
//   - A mail is a message; an email address is where it goes.
//   - The second step is what comes after the password: the code of an authenticator app, or a recovery code.
//   - A provider is another site with whose account somebody logs in.
package render
