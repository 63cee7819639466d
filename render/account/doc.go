// Package account renders the pages for signing up, logging in and managing an account: settings, sessions, keys, invitations. A failed
// form shows what was typed, but never a password.
//
// The QR code of an authenticator app is drawn as SVG from rsc.io/qr/coding (qr.go), which adds about 60 KB to the module.
package account
