// Package account has the handlers for a member's own account: signing up, logging in, second steps, settings, tokens, deletion.
// data/accounts and the packages below it store accounts.
//
// The idea: all sign-in methods end in enter, which begins the session, or in signedIn, which first asks for the second step. What could
// take an account away from its member needs reauthentication (reauth.go).
//
// Begin with account.go and second_step.go. docs/inside/requests.md explains mailed links, challenges, providers and reauthentication.
package account
