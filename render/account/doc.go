// Package account shows the pages on which somebody signs up, logs in and keeps their account: settings, sessions, keys, invitations. A
// form that failed shows what was typed, but never a password.
//
// The QR code of an authenticator app is drawn as SVG from rsc.io/qr/coding (qr.go), which adds about 60 KB to the module.
package account
