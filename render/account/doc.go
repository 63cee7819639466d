// Package account shows the pages on which somebody signs up, logs in and keeps their account: settings, sessions, keys, invitations.
package account
